/* shim_message.c - the public functions of the message broker. */
#include "_cgo_export.h"
#include "shim.h"

#define SHIM_OPEN shim_go_message_check

int64_t eb_message_new(int64_t max_attempts, const eb_message_options *options, uint64_t *broker) {
    SHIM_NOT_FORKED();
    SHIM_NEW(options, broker);
    return shim_go_message_new(max_attempts, SHIM_OPTION(options, max_payload), broker);
}

int64_t eb_message_close(uint64_t broker) { return shim_forked() ? EB_OK : shim_go_message_close(broker); }

int64_t eb_message_create_topic(uint64_t broker, const char *topic, int64_t topic_len) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    return shim_go_message_create_topic(broker, (char *)topic, topic_len);
}

int64_t eb_message_publish(uint64_t broker, const char *topic, int64_t topic_len, const char *payload,
                           int64_t payload_len) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(payload);
    return shim_go_message_publish(broker, (char *)topic, topic_len, (char *)payload, payload_len);
}

int64_t eb_message_poll(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                        void *buf, int64_t cap) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(group);
    SHIM_BUFFER(buf, cap);
    return shim_go_message_poll(broker, (char *)topic, topic_len, (char *)group, group_len, buf, cap);
}

int64_t eb_message_ack(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                       int64_t offset, int64_t attempt) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(group);
    return shim_go_message_ack(broker, (char *)topic, topic_len, (char *)group, group_len, offset, attempt);
}

int64_t eb_message_nack(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                        int64_t offset, int64_t attempt) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(group);
    return shim_go_message_nack(broker, (char *)topic, topic_len, (char *)group, group_len, offset, attempt);
}

int64_t eb_message_dead_letters(uint64_t broker, const char *topic, int64_t topic_len, const char *group,
                                int64_t group_len, void *buf, int64_t cap) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(group);
    SHIM_BUFFER(buf, cap);
    return shim_go_message_dead_letters(broker, (char *)topic, topic_len, (char *)group, group_len, buf, cap);
}
