/* module.c - the module eventbroker._accel and its classes. */
#include <string.h>

#include "accel.h"

#include <structmember.h> // wants Python.h before

Library library;

/* The class says what its polls return. */
static PyObject *owner_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    (void)args;
    (void)keywords;
    Owner *self = (Owner *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (self == NULL)
        return NULL;
    PyObject *polled = PyObject_GetAttrString((PyObject *)type, "_polled");
    if (polled == NULL || !PyType_Check(polled) || !PyType_IsSubtype((PyTypeObject *)polled, &PyTuple_Type)) {
        PyErr_SetString(PyExc_TypeError, "_polled is no type of tuples");
        Py_XDECREF(polled);
        Py_DECREF(self);
        return NULL;
    }
    self->polled = (PyTypeObject *)polled;
    return (PyObject *)self;
}

static void owner_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    Py_XDECREF(((Owner *)self)->name);
    Py_XDECREF(((Owner *)self)->polled);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMemberDef owner_members[] = {
    {"_handle", T_ULONGLONG, offsetof(Owner, handle), 0, NULL},
    {"_name", T_OBJECT_EX, offsetof(Owner, name), 0, NULL},
    {NULL, 0, 0, 0, NULL},
};

static const struct {
    const char *name; /* whose last word is that of the package's class */
    PyMethodDef *methods;
} classes[] = {
    {"eventbroker._accel.EventBroker", event_methods},
    {"eventbroker._accel.Topic", topic_methods},
    {"eventbroker._accel.Consumer", consumer_methods},
    {"eventbroker._accel.MessageBroker", message_methods},
};

#define CLASSES (sizeof classes / sizeof *classes)

static const char *last_word(const char *name) { return strrchr(name, '.') + 1; }

static int add_class(PyObject *module, size_t i) {
    PyType_Slot slots[] = {
        {Py_tp_new, owner_new},
        {Py_tp_dealloc, owner_dealloc},
        {Py_tp_members, owner_members},
        {Py_tp_methods, classes[i].methods},
        {0, NULL},
    };
    PyType_Spec spec = {classes[i].name, sizeof(Owner), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
    if (type == NULL)
        return -1;
    int added = PyModule_AddObjectRef(module, last_word(classes[i].name), type);
    Py_DECREF(type);
    return added;
}

static PyMethodDef *method_of(const char *class_name, const char *name) {
    for (size_t i = 0; i < CLASSES; i++)
        for (PyMethodDef *method = classes[i].methods; method->ml_name != NULL; method++)
            if (strcmp(last_word(classes[i].name), class_name) == 0 && strcmp(method->ml_name, name) == 0)
                return method;
    return NULL;
}

/* describe(class, method, text): what help() shows. It is said once for the whole process, and stays. */
static PyObject *describe(PyObject *module, PyObject *args) {
    const char *class_name, *name, *text;
    (void)module;
    if (!PyArg_ParseTuple(args, "sss", &class_name, &name, &text))
        return NULL;
    PyMethodDef *method = method_of(class_name, name);
    if (method == NULL)
        return PyErr_Format(PyExc_ValueError, "there is no %s.%s", class_name, name);
    if (method->ml_doc == NULL)
        method->ml_doc = strdup(text);
    Py_RETURN_NONE;
}

static const char *const function_names[] = {
#define NAME(name) #name,
    FUNCTIONS(NAME)
#undef NAME
        NULL};

static int add_function_names(PyObject *module) {
    PyObject *names = PyList_New(0);
    for (int i = 0; names != NULL && function_names[i] != NULL; i++) {
        PyObject *name = PyUnicode_FromString(function_names[i]);
        if (name == NULL || PyList_Append(names, name) < 0)
            Py_CLEAR(names);
        Py_XDECREF(name);
    }
    int added = names == NULL ? -1 : PyModule_AddObjectRef(module, "FUNCTIONS", names);
    Py_XDECREF(names);
    return added;
}

/* connect(addresses): of the FUNCTIONS, in their order. */
static PyObject *connect(PyObject *module, PyObject *addresses) {
    void *found[sizeof library / sizeof(void *)];
    const Py_ssize_t count = sizeof found / sizeof *found;
    (void)module;
    if (!PyList_Check(addresses) || PyList_Size(addresses) != count)
        return PyErr_Format(PyExc_ValueError, "a list of %zd addresses is needed", count);
    for (Py_ssize_t i = 0; i < count; i++)
        if ((found[i] = PyLong_AsVoidPtr(PyList_GetItem(addresses, i))) == NULL)
            return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_ValueError, "an address is 0");
    memcpy(&library, found, sizeof library);
    Py_RETURN_NONE;
}

static int exec(PyObject *module) {
    for (size_t i = 0; i < CLASSES; i++)
        if (add_class(module, i) < 0)
            return -1;
    return add_function_names(module);
}

static PyMethodDef functions[] = {
    {"connect", connect, METH_O, NULL},
    {"describe", describe, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot slots[] = {
    {Py_mod_exec, exec},
    {0, NULL},
};

static PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_accel", NULL, 0, functions, slots, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__accel(void) { return PyModuleDef_Init(&definition); }
