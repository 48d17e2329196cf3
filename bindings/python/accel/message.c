/* message.c - a MessageBroker. */
#include "accel.h"

METHOD(publish) {
    CALL;
    int64_t offset;
    Text topic, payload;
    if (plain(&call, 2) && text(args[0], &topic) && text(args[1], &payload)) {
        UNLOCKED_IF(payload.size > MUCH,
                    offset = library.eb_message_publish(HANDLE(self), STRING(topic), STRING(payload)));
        if (offset >= 0)
            return PyLong_FromLongLong(offset);
    }
    return slowly(self, &call, "publish");
}

METHOD(poll) {
    CALL;
    int64_t found = EB_INVALID_ARGUMENT;
    PyObject *answer = NULL;
    Text topic, group;
    Frame frame;
    frame_begin(&frame);
    if (plain(&call, 2) && text(args[0], &topic) && text(args[1], &group))
        do
            found = library.eb_message_poll(HANDLE(self), STRING(topic), STRING(group), frame.data, frame.size);
        while (frame_grow(&frame, found));
    if (found == 1)
        answer = delivery(&frame, POLLED(self), args[0]);
    frame_end(&frame);
    if (found == 0)
        Py_RETURN_NONE;
    return found == 1 ? answer : slowly(self, &call, "poll");
}

static PyObject *settle(PyObject *self, const Call *call, __typeof__(&eb_message_ack) settle, const char *name) {
    int64_t offset, attempt, answer;
    Text topic, group;
    if (plain(call, 4) && text(call->args[0], &topic) && text(call->args[1], &group) &&
        integer(call->args[2], &offset) && integer(call->args[3], &attempt) &&
        (answer = settle(HANDLE(self), STRING(topic), STRING(group), offset, attempt)) >= 0)
        return truth(answer);
    return slowly(self, call, name);
}

METHOD(ack) {
    CALL;
    return settle(self, &call, library.eb_message_ack, "ack");
}

METHOD(nack) {
    CALL;
    return settle(self, &call, library.eb_message_nack, "nack");
}

PyMethodDef message_methods[] = {
    ENTRY("publish", publish), ENTRY("poll", poll), ENTRY("ack", ack), ENTRY("nack", nack), {NULL, NULL, 0, NULL},
};
