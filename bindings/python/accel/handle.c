/* handle.c - a topic and a consumer of an EventBroker. */
#include "accel.h"

METHOD(publish) {
    CALL;
    int64_t partition, offset;
    Text payload;
    if (plain(&call, 2) && integer(args[0], &partition) && text(args[1], &payload)) {
        UNLOCKED_IF(payload.size > MUCH,
                    offset = library.eb_event_topic_publish(HANDLE(self), partition, STRING(payload)));
        if (offset >= -1)
            return PyLong_FromLongLong(offset);
    }
    return slowly(self, &call, "publish");
}

METHOD(publish_many) {
    CALL;
    Batch batch = {0};
    int64_t status = EB_INVALID_ARGUMENT;
    if (plain(&call, 1) && batch_of_messages(&batch, args[0]))
        UNLOCKED_IF(batch.size > MUCH, status = library.eb_event_topic_publish_many(
                                           HANDLE(self), batch.frame, batch.size, batch.count, batch.answers));
    PyObject *answer = status == EB_OK ? batch_offsets(&batch) : slowly(self, &call, "publish_many");
    batch_end(&batch);
    return answer;
}

METHOD(poll) {
    CALL;
    int64_t max_records, found = EB_INVALID_ARGUMENT;
    PyObject *name = ((Owner *)self)->name;
    Frame frame;
    Py_XINCREF(name); /* a finalizer may run when the records are made, and take it away */
    frame_begin(&frame);
    if (plain(&call, 1) && integer(args[0], &max_records) && name != NULL)
        do
            found = library.eb_event_consumer_poll(HANDLE(self), max_records, frame.data, frame.size);
        while (frame_grow(&frame, found));
    PyObject *answer = found >= 0 ? records(&frame, found, POLLED(self), name) : slowly(self, &call, "poll");
    frame_end(&frame);
    Py_XDECREF(name);
    return answer;
}

METHOD(ack) {
    CALL;
    int64_t partition, offset, answer;
    if (plain(&call, 2) && integer(args[0], &partition) && integer(args[1], &offset) &&
        (answer = library.eb_event_consumer_ack(HANDLE(self), partition, offset)) >= 0)
        return truth(answer);
    return slowly(self, &call, "ack");
}

METHOD(ack_many) {
    CALL;
    Batch batch = {0};
    int64_t status = EB_INVALID_ARGUMENT;
    if (plain(&call, 1) && batch_of_positions(&batch, args[0]))
        status = library.eb_event_consumer_ack_many(HANDLE(self), batch.frame, batch.count, batch.answers);
    PyObject *answer = status == EB_OK ? batch_acked(&batch) : slowly(self, &call, "ack_many");
    batch_end(&batch);
    return answer;
}

METHOD(retry) {
    CALL;
    int64_t partition, offset, answer;
    if (plain(&call, 2) && integer(args[0], &partition) && integer(args[1], &offset) &&
        (answer = library.eb_event_consumer_retry(HANDLE(self), partition, offset)) >= 0)
        return truth(answer);
    return slowly(self, &call, "retry");
}

PyMethodDef topic_methods[] = {
    ENTRY("publish", publish),
    ENTRY("publish_many", publish_many),
    {NULL, NULL, 0, NULL},
};

PyMethodDef consumer_methods[] = {
    ENTRY("poll", poll), ENTRY("ack", ack), ENTRY("ack_many", ack_many), ENTRY("retry", retry), {NULL, NULL, 0, NULL},
};
