/*
 * accel.h - the calls that are made most, without ctypes.
 *
 * Each class here has a few methods of the class of the same name in the package,
 * which inherits from both: a method takes arguments of exactly the right types
 * and number, and an answer that is no failure. In every other case it calls the
 * package's own, which does the same by way of ctypes, and says what is wrong:
 * a call that failed has changed nothing, so it may be made twice.
 *
 * The interpreter's lock is held during a call, unless much is to be copied.
 * Nothing can wait for it then: the library calls nothing of Python, and none of
 * these calls waits for more than a lock inside, whose holder is at work.
 */
#ifndef ACCEL_H
#define ACCEL_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030A0000
#include <Python.h>

#include "eventbroker.h"

/* An owner of a handle, which is 0 once it is closed, with the name of its topic
 * and the type of what its poll returns. */
typedef struct {
    PyObject_HEAD unsigned long long handle;
    PyObject *name;
    PyTypeObject *polled;
} Owner;

/* What METH_FASTCALL | METH_KEYWORDS gives a method, but for self. */
typedef struct {
    PyObject *const *args;
    Py_ssize_t count;
    PyObject *keywords; /* names, or NULL */
} Call;

typedef struct {
    const char *data;
    Py_ssize_t size;
} Text;

#define STRING(text) (text).data, (text).size

/* Functions of the library, which is one for the whole process. */
#define FUNCTIONS(X)               \
    X(eb_needed)                   \
    X(eb_event_publish)            \
    X(eb_event_publish_many)       \
    X(eb_event_poll)               \
    X(eb_event_ack)                \
    X(eb_event_ack_many)           \
    X(eb_event_retry)              \
    X(eb_event_topic_publish)      \
    X(eb_event_topic_publish_many) \
    X(eb_event_consumer_poll)      \
    X(eb_event_consumer_ack)       \
    X(eb_event_consumer_ack_many)  \
    X(eb_event_consumer_retry)     \
    X(eb_message_publish)          \
    X(eb_message_poll)             \
    X(eb_message_ack)              \
    X(eb_message_nack)

typedef struct {
#define MEMBER(name) __typeof__(&name) name;
    FUNCTIONS(MEMBER)
#undef MEMBER
} Library;

extern Library library;

/* call.c */
int plain(const Call *call, Py_ssize_t count);
int integer(PyObject *object, int64_t *value);
int text(PyObject *object, Text *value);
PyObject *slowly(PyObject *self, const Call *call, const char *name);
PyObject *truth(int64_t answer);

/* record.c */
#define FRAME 8192 /* bytes, on the stack; what needs more is on the heap */
typedef struct {
    int64_t *data;
    int64_t size;
    int64_t *heap;
    int64_t usual[FRAME / sizeof(int64_t)];
} Frame;

void frame_begin(Frame *frame);
int frame_grow(Frame *frame, int64_t answer);
void frame_end(Frame *frame);
PyObject *records(const Frame *frame, int64_t count, PyTypeObject *type, PyObject *topic);
PyObject *delivery(const Frame *frame, PyTypeObject *type, PyObject *topic);

/* batch.c */
typedef struct {
    void *frame;
    void *answers;
    int64_t size;
    int64_t count;
} Batch;

int batch_of_messages(Batch *batch, PyObject *messages);
int batch_of_positions(Batch *batch, PyObject *positions);
PyObject *batch_offsets(const Batch *batch);
PyObject *batch_acked(const Batch *batch);
void batch_end(Batch *batch);

/* event.c, handle.c, message.c */
extern PyMethodDef event_methods[], topic_methods[], consumer_methods[], message_methods[];

#define METHOD(name) static PyObject *name(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
/* Signals are looked after first, since the lock is held: one that came to a thread
 * of Go's is not noticed by the interpreter before this thread takes its lock anew. */
#define CALL                             \
    Call call = {args, count, keywords}; \
    if (PyErr_CheckSignals() < 0)        \
    return NULL
#define ENTRY(name, function) \
    { name, (PyCFunction)(void (*)(void))(function), METH_FASTCALL | METH_KEYWORDS, NULL }
#define HANDLE(self) (((Owner *)(self))->handle)
#define POLLED(self) (((Owner *)(self))->polled)

#define MUCH 32768 /* bytes: from here on, others run meanwhile */
#define UNLOCKED_IF(much, statement)          \
    do {                                      \
        if (much) {                           \
            Py_BEGIN_ALLOW_THREADS statement; \
            Py_END_ALLOW_THREADS              \
        } else {                              \
            statement;                        \
        }                                     \
    } while (0)

#endif
