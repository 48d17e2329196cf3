/* shim_event_handle.c - batches of the EventBroker, and its topics and consumers by handle. */
#include "_cgo_export.h"
#include "shim.h"

static const char *wrong_frame(const void *frame, int64_t len) {
    const char *wrong = shim_wrong_buffer(frame);
    return wrong != NULL ? wrong : len < 0 ? "has a negative length" : NULL;
}

/* That a count is not too large is for Go to say, as of every list. */
#define BATCH_OF_MESSAGES(handle)                                           \
    SHIM_CHECK_ON(handle, "messages", wrong_frame(messages, messages_len)); \
    SHIM_CHECK_ON(handle, "count", count < 0 ? "is negative" : NULL);       \
    SHIM_CHECK_ON(handle, "offsets", shim_wrong_buffer(offsets))

#define BATCH_OF_POSITIONS(handle)                                    \
    SHIM_CHECK_ON(handle, "positions", shim_wrong_buffer(positions)); \
    SHIM_CHECK_ON(handle, "count", count < 0 ? "is negative" : NULL); \
    SHIM_CHECK_ON(handle, "acked", acked == NULL ? "is null" : NULL)

#define HANDLE_OUT(owner) SHIM_CHECK_ON(owner, "handle", handle == NULL ? "is null" : NULL)

/* ---- of a broker ---------------------------------------------------------- */

#define SHIM_OPEN shim_go_event_check

int64_t eb_event_publish_many(uint64_t broker, const char *topic, int64_t topic_len, const void *messages,
                              int64_t messages_len, int64_t count, int64_t *offsets) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    BATCH_OF_MESSAGES(broker);
    return shim_go_event_publish_many(broker, (char *)topic, topic_len, (void *)messages, messages_len, count, offsets);
}

int64_t eb_event_ack_many(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                          const char *member, int64_t member_len, const eb_event_position *positions, int64_t count,
                          uint8_t *acked) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(group);
    SHIM_STRING(member);
    BATCH_OF_POSITIONS(broker);
    return shim_go_event_ack_many(broker, (char *)topic, topic_len, (char *)group, group_len, (char *)member,
                                  member_len, (eb_event_position *)positions, count, acked);
}

int64_t eb_event_topic(uint64_t broker, const char *topic, int64_t topic_len, uint64_t *handle) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    HANDLE_OUT(broker);
    return shim_go_event_topic(broker, (char *)topic, topic_len, handle);
}

#undef SHIM_OPEN

/* ---- of a topic ------------------------------------------------------------ */

#define SHIM_OPEN shim_go_event_topic_check

int64_t eb_event_topic_close(uint64_t topic) { return shim_forked() ? EB_OK : shim_go_event_topic_close(topic); }

int64_t eb_event_topic_publish(uint64_t topic, int64_t partition, const char *payload, int64_t payload_len) {
    SHIM_NOT_FORKED();
    SHIM_CHECK_ON(topic, "payload", shim_wrong_string(payload, payload_len));
    return shim_go_event_topic_publish(topic, partition, (char *)payload, payload_len);
}

int64_t eb_event_topic_publish_many(uint64_t topic, const void *messages, int64_t messages_len, int64_t count,
                                    int64_t *offsets) {
    SHIM_NOT_FORKED();
    BATCH_OF_MESSAGES(topic);
    return shim_go_event_topic_publish_many(topic, (void *)messages, messages_len, count, offsets);
}

int64_t eb_event_consumer(uint64_t topic, const char *group, int64_t group_len, const char *member, int64_t member_len,
                          uint64_t *handle) {
    SHIM_NOT_FORKED();
    SHIM_CHECK_ON(topic, "group", shim_wrong_string(group, group_len));
    SHIM_CHECK_ON(topic, "member", shim_wrong_string(member, member_len));
    HANDLE_OUT(topic);
    return shim_go_event_consumer(topic, (char *)group, group_len, (char *)member, member_len, handle);
}

#undef SHIM_OPEN

/* ---- of a consumer --------------------------------------------------------- */

#define SHIM_OPEN shim_go_event_consumer_check

int64_t eb_event_consumer_close(uint64_t consumer) {
    return shim_forked() ? EB_OK : shim_go_event_consumer_close(consumer);
}

int64_t eb_event_consumer_join(uint64_t consumer, int32_t *partitions, int64_t cap) {
    SHIM_NOT_FORKED();
    SHIM_CHECK_ON(consumer, "partitions", partitions == NULL ? "is null" : NULL);
    SHIM_CHECK_ON(consumer, "cap", shim_wrong_capacity(cap));
    return shim_go_event_consumer_join(consumer, partitions, cap);
}

int64_t eb_event_consumer_leave(uint64_t consumer) {
    SHIM_NOT_FORKED();
    return shim_go_event_consumer_leave(consumer);
}

int64_t eb_event_consumer_poll(uint64_t consumer, int64_t max_records, void *buf, int64_t cap) {
    SHIM_NOT_FORKED();
    SHIM_BUFFER_ON(consumer, buf, cap);
    return shim_go_event_consumer_poll(consumer, max_records, buf, cap);
}

int64_t eb_event_consumer_ack(uint64_t consumer, int64_t partition, int64_t offset) {
    SHIM_NOT_FORKED();
    return shim_go_event_consumer_ack(consumer, partition, offset);
}

int64_t eb_event_consumer_ack_many(uint64_t consumer, const eb_event_position *positions, int64_t count,
                                   uint8_t *acked) {
    SHIM_NOT_FORKED();
    BATCH_OF_POSITIONS(consumer);
    return shim_go_event_consumer_ack_many(consumer, (eb_event_position *)positions, count, acked);
}

int64_t eb_event_consumer_retry(uint64_t consumer, int64_t partition, int64_t offset) {
    SHIM_NOT_FORKED();
    return shim_go_event_consumer_retry(consumer, partition, offset);
}
