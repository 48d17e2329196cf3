/* call.c - arguments that are exactly right, and the way out for all others. */
#include "accel.h"

int plain(const Call *call, Py_ssize_t count) { return call->count == count && call->keywords == NULL; }

int integer(PyObject *object, int64_t *value) {
    int overflow;
    if (!PyLong_CheckExact(object))
        return 0;
    *value = PyLong_AsLongLongAndOverflow(object, &overflow);
    return overflow == 0;
}

int text(PyObject *object, Text *value) {
    if (!PyUnicode_CheckExact(object))
        return 0;
    value->data = PyUnicode_AsUTF8AndSize(object, &value->size);
    if (value->data == NULL) /* a lone surrogate, or no memory */
        PyErr_Clear();
    return value->data != NULL;
}

static PyObject *keywords_of(const Call *call) {
    PyObject *keywords = PyDict_New();
    Py_ssize_t count = call->keywords == NULL ? 0 : PyTuple_Size(call->keywords);
    for (Py_ssize_t i = 0; keywords != NULL && i < count; i++)
        if (PyDict_SetItem(keywords, PyTuple_GetItem(call->keywords, i), call->args[call->count + i]) < 0)
            Py_CLEAR(keywords);
    return keywords;
}

static PyObject *arguments_of(PyObject *self, const Call *call) {
    PyObject *arguments = PyTuple_New(call->count + 1);
    for (Py_ssize_t i = 0; arguments != NULL && i <= call->count; i++) {
        PyObject *argument = i == 0 ? self : call->args[i - 1];
        Py_INCREF(argument);
        PyTuple_SetItem(arguments, i, argument);
    }
    return arguments;
}

/* Calls the method of the package's own class. */
PyObject *slowly(PyObject *self, const Call *call, const char *name) {
    PyObject *answer = NULL, *method = NULL, *arguments = NULL, *keywords = NULL;
    PyObject *behind = PyObject_GetAttrString(self, "_slow");
    if (behind != NULL)
        method = PyObject_GetAttrString(behind, name);
    if (method != NULL && (arguments = arguments_of(self, call)) != NULL && (keywords = keywords_of(call)) != NULL)
        answer = PyObject_Call(method, arguments, keywords);
    Py_XDECREF(behind);
    Py_XDECREF(method);
    Py_XDECREF(arguments);
    Py_XDECREF(keywords);
    return answer;
}

PyObject *truth(int64_t answer) { return PyBool_FromLong(answer == 1); }
