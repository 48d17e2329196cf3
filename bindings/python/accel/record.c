/* record.c - frames, and the named tuples that are made of them. */
#include "accel.h"

void frame_begin(Frame *frame) {
    frame->data = frame->usual;
    frame->size = sizeof frame->usual;
    frame->heap = NULL;
}

/* Makes the frame as large as a call needed that found it too small; 1 if there is reason to call again. */
int frame_grow(Frame *frame, int64_t answer) {
    if (answer != EB_BUFFER_TOO_SMALL)
        return 0;
    frame_end(frame);
    frame->size = library.eb_needed();
    frame->data = frame->heap = PyMem_Malloc((size_t)frame->size);
    return frame->heap != NULL;
}

void frame_end(Frame *frame) {
    PyMem_Free(frame->heap);
    frame->heap = NULL;
}

/* Takes the four fields over, also when it fails, as it does where one is NULL. */
static PyObject *named(PyTypeObject *type, PyObject *fields[4]) {
    PyObject *tuple = PyType_GenericAlloc(type, 4);
    int failed = tuple == NULL;
    for (Py_ssize_t i = 0; i < 4; i++)
        if (fields[i] == NULL)
            failed = 1;
        else if (tuple == NULL)
            Py_DECREF(fields[i]);
        else
            PyTuple_SetItem(tuple, i, fields[i]);
    if (failed)
        Py_CLEAR(tuple);
    return tuple;
}

static PyObject *same(PyObject *object) {
    Py_INCREF(object);
    return object;
}

/* The garbage collector may run while a record is made, and with it any finalizer,
 * to which gc.get_objects() must not show a list that is not full yet. */
PyObject *records(const Frame *frame, int64_t count, PyTypeObject *type, PyObject *topic) {
    const eb_event_record *head = (const eb_event_record *)frame->data;
    const char *payload = (const char *)(head + count);
    PyObject *list = PyList_New((Py_ssize_t)count);
    if (list != NULL)
        PyObject_GC_UnTrack(list);
    for (int64_t i = 0; list != NULL && i < count; i++) {
        PyObject *record = named(type, (PyObject *[]){
                                           same(topic),
                                           PyLong_FromLong(head[i].partition),
                                           PyLong_FromLongLong(head[i].offset),
                                           PyUnicode_FromStringAndSize(payload, head[i].payload_len),
                                       });
        payload += head[i].payload_len;
        if (record == NULL)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, (Py_ssize_t)i, record);
    }
    if (list != NULL)
        PyObject_GC_Track(list);
    return list;
}

PyObject *delivery(const Frame *frame, PyTypeObject *type, PyObject *topic) {
    const eb_message_header *head = (const eb_message_header *)frame->data;
    return named(type, (PyObject *[]){
                           same(topic),
                           PyLong_FromLongLong(head->offset),
                           PyUnicode_FromStringAndSize((const char *)(head + 1), head->payload_len),
                           PyLong_FromLong(head->attempts),
                       });
}
