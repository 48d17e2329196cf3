/* event.c - an EventBroker by plain calls. */
#include "accel.h"

typedef struct {
    Text topic, group, member;
} Names;

static int names(const Call *call, Names *names) {
    return text(call->args[0], &names->topic) && text(call->args[1], &names->group) &&
           text(call->args[2], &names->member);
}

METHOD(publish) {
    CALL;
    int64_t partition, offset;
    Text topic, payload;
    if (plain(&call, 3) && text(args[0], &topic) && integer(args[1], &partition) && text(args[2], &payload)) {
        UNLOCKED_IF(payload.size > MUCH,
                    offset = library.eb_event_publish(HANDLE(self), STRING(topic), partition, STRING(payload)));
        if (offset >= -1)
            return PyLong_FromLongLong(offset);
    }
    return slowly(self, &call, "publish");
}

METHOD(publish_many) {
    CALL;
    Text topic;
    Batch batch = {0};
    int64_t status = EB_INVALID_ARGUMENT;
    if (plain(&call, 2) && text(args[0], &topic) && batch_of_messages(&batch, args[1]))
        UNLOCKED_IF(batch.size > MUCH, status = library.eb_event_publish_many(HANDLE(self), STRING(topic), batch.frame,
                                                                              batch.size, batch.count, batch.answers));
    PyObject *answer = status == EB_OK ? batch_offsets(&batch) : slowly(self, &call, "publish_many");
    batch_end(&batch);
    return answer;
}

METHOD(poll) {
    CALL;
    int64_t max_records, found = EB_INVALID_ARGUMENT;
    Names by;
    Frame frame;
    frame_begin(&frame);
    if (plain(&call, 4) && names(&call, &by) && integer(args[3], &max_records))
        do
            found = library.eb_event_poll(HANDLE(self), STRING(by.topic), STRING(by.group), STRING(by.member),
                                          max_records, frame.data, frame.size);
        while (frame_grow(&frame, found));
    PyObject *answer = found >= 0 ? records(&frame, found, POLLED(self), args[0]) : slowly(self, &call, "poll");
    frame_end(&frame);
    return answer;
}

static PyObject *settle(PyObject *self, const Call *call, __typeof__(&eb_event_ack) settle, const char *name) {
    int64_t partition, offset, answer;
    Names by;
    if (plain(call, 5) && names(call, &by) && integer(call->args[3], &partition) && integer(call->args[4], &offset) &&
        (answer = settle(HANDLE(self), STRING(by.topic), STRING(by.group), STRING(by.member), partition, offset)) >= 0)
        return truth(answer);
    return slowly(self, call, name);
}

METHOD(ack) {
    CALL;
    return settle(self, &call, library.eb_event_ack, "ack");
}

METHOD(retry) {
    CALL;
    return settle(self, &call, library.eb_event_retry, "retry");
}

METHOD(ack_many) {
    CALL;
    Names by;
    Batch batch = {0};
    int64_t status = EB_INVALID_ARGUMENT;
    if (plain(&call, 4) && names(&call, &by) && batch_of_positions(&batch, args[3]))
        status = library.eb_event_ack_many(HANDLE(self), STRING(by.topic), STRING(by.group), STRING(by.member),
                                           batch.frame, batch.count, batch.answers);
    PyObject *answer = status == EB_OK ? batch_acked(&batch) : slowly(self, &call, "ack_many");
    batch_end(&batch);
    return answer;
}

PyMethodDef event_methods[] = {
    ENTRY("publish", publish), ENTRY("publish_many", publish_many), ENTRY("poll", poll),   ENTRY("ack", ack),
    ENTRY("retry", retry),     ENTRY("ack_many", ack_many),         {NULL, NULL, 0, NULL},
};
