/* shim_event_packed.c - the calls of a topic and a consumer that are made most, with their arguments in one place. */
#include "shim.h"

#define PACKED()                                              \
    do {                                                      \
        SHIM_NOT_FORKED();                                    \
        SHIM_CHECK_ARGUMENT("call", shim_wrong_buffer(call)); \
    } while (0)

int64_t eb_event_topic_publish_packed(const eb_event_publish_call *call, const char *payload) {
    PACKED();
    return eb_event_topic_publish(call->topic, call->partition, payload, call->payload_len);
}

int64_t eb_event_consumer_poll_packed(const eb_event_poll_call *call) {
    PACKED();
    return eb_event_consumer_poll(call->consumer, call->max_records, (void *)(uintptr_t)call->buf, call->cap);
}

int64_t eb_event_consumer_ack_packed(const eb_event_settle_call *call) {
    PACKED();
    return eb_event_consumer_ack(call->consumer, call->partition, call->offset);
}

int64_t eb_event_consumer_retry_packed(const eb_event_settle_call *call) {
    PACKED();
    return eb_event_consumer_retry(call->consumer, call->partition, call->offset);
}
