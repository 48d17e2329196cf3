/* batch.c - the frames of batches, of lists or tuples of pairs that are exactly right. */
#include <string.h>

#include "accel.h"

static Py_ssize_t length(PyObject *sequence) {
    return PyList_CheckExact(sequence)    ? PyList_Size(sequence)
           : PyTuple_CheckExact(sequence) ? PyTuple_Size(sequence)
                                          : -1;
}

static PyObject *element(PyObject *sequence, Py_ssize_t i) {
    return PyList_CheckExact(sequence) ? PyList_GetItem(sequence, i) : PyTuple_GetItem(sequence, i);
}

static int is_batch(Batch *batch, PyObject *sequence) {
    *batch = (Batch){.count = length(sequence)};
    return batch->count >= 0 && batch->count <= EB_EVENT_MAX_BATCH;
}

static int is_pair(PyObject *object) { return length(object) == 2; }

static int allocate(Batch *batch, int64_t each) {
    batch->frame = PyMem_Malloc((size_t)batch->size);
    batch->answers = PyMem_Malloc((size_t)(batch->count * each));
    return batch->frame != NULL && batch->answers != NULL;
}

/* A payload that no broker takes is not worth a copy. */
static int message(PyObject *pair, int64_t *partition, Text *payload) {
    return is_pair(pair) && integer(element(pair, 0), partition) && text(element(pair, 1), payload) &&
           payload->size <= EB_EVENT_MAX_PAYLOAD;
}

int batch_of_messages(Batch *batch, PyObject *messages) {
    int64_t partition;
    Text payload;
    if (!is_batch(batch, messages))
        return 0;
    for (Py_ssize_t i = 0; i < batch->count; i++) {
        if (!message(element(messages, i), &partition, &payload))
            return 0;
        batch->size += (int64_t)sizeof(eb_event_message) + payload.size;
    }
    if (!allocate(batch, sizeof(int64_t)))
        return 0;
    eb_event_message *head = batch->frame;
    char *data = (char *)(head + batch->count);
    for (Py_ssize_t i = 0; i < batch->count; i++) { /* nothing of Python ran, they are as they were */
        message(element(messages, i), &head[i].partition, &payload);
        head[i].payload_len = payload.size;
        memcpy(data, payload.data, (size_t)payload.size);
        data += payload.size;
    }
    return 1;
}

int batch_of_positions(Batch *batch, PyObject *positions) {
    if (!is_batch(batch, positions))
        return 0;
    batch->size = batch->count * (int64_t)sizeof(eb_event_position);
    if (!allocate(batch, 1))
        return 0;
    eb_event_position *position = batch->frame;
    for (Py_ssize_t i = 0; i < batch->count; i++, position++) {
        PyObject *pair = element(positions, i);
        if (!is_pair(pair) || !integer(element(pair, 0), &position->partition) ||
            !integer(element(pair, 1), &position->offset))
            return 0;
    }
    return 1;
}

static PyObject *listed(const Batch *batch, PyObject *(*answer)(const Batch *, Py_ssize_t)) {
    PyObject *list = PyList_New((Py_ssize_t)batch->count);
    for (Py_ssize_t i = 0; list != NULL && i < batch->count; i++) {
        PyObject *one = answer(batch, i);
        if (one == NULL)
            Py_CLEAR(list);
        else
            PyList_SetItem(list, i, one);
    }
    return list;
}

static PyObject *offset(const Batch *batch, Py_ssize_t i) {
    return PyLong_FromLongLong(((int64_t *)batch->answers)[i]);
}
static PyObject *acked(const Batch *batch, Py_ssize_t i) { return truth(((uint8_t *)batch->answers)[i]); }

PyObject *batch_offsets(const Batch *batch) { return listed(batch, offset); }
PyObject *batch_acked(const Batch *batch) { return listed(batch, acked); }

void batch_end(Batch *batch) {
    PyMem_Free(batch->frame);
    PyMem_Free(batch->answers);
}
