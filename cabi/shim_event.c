/* shim_event.c - the public functions of the EventBroker. */
#include "_cgo_export.h"
#include "shim.h"

#define SHIM_OPEN shim_go_event_check

int64_t eb_event_new(int64_t capacity_per_partition, const eb_event_options *options, uint64_t *broker) {
    SHIM_NOT_FORKED();
    SHIM_NEW(options, broker);
    return shim_go_event_new(capacity_per_partition, SHIM_OPTION(options, max_payload), broker);
}

int64_t eb_event_close(uint64_t broker) { return shim_forked() ? EB_OK : shim_go_event_close(broker); }

int64_t eb_event_create(uint64_t broker, const char *topic, int64_t topic_len, int64_t partition_count) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    return shim_go_event_create(broker, (char *)topic, topic_len, partition_count);
}

int64_t eb_event_join(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                      const char *member, int64_t member_len, int32_t *partitions, int64_t cap) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(group);
    SHIM_STRING(member);
    SHIM_CHECK("partitions", partitions == NULL ? "is null" : NULL);
    SHIM_CHECK("cap", shim_wrong_capacity(cap));
    return shim_go_event_join(broker, (char *)topic, topic_len, (char *)group, group_len, (char *)member, member_len,
                              partitions, cap);
}

int64_t eb_event_leave(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                       const char *member, int64_t member_len) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(group);
    SHIM_STRING(member);
    return shim_go_event_leave(broker, (char *)topic, topic_len, (char *)group, group_len, (char *)member, member_len);
}

int64_t eb_event_publish(uint64_t broker, const char *topic, int64_t topic_len, int64_t partition, const char *payload,
                         int64_t payload_len) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(payload);
    return shim_go_event_publish(broker, (char *)topic, topic_len, partition, (char *)payload, payload_len);
}

int64_t eb_event_poll(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                      const char *member, int64_t member_len, int64_t max_records, void *buf, int64_t cap) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(group);
    SHIM_STRING(member);
    SHIM_BUFFER(buf, cap);
    return shim_go_event_poll(broker, (char *)topic, topic_len, (char *)group, group_len, (char *)member, member_len,
                              max_records, buf, cap);
}

int64_t eb_event_ack(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                     const char *member, int64_t member_len, int64_t partition, int64_t offset) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(group);
    SHIM_STRING(member);
    return shim_go_event_ack(broker, (char *)topic, topic_len, (char *)group, group_len, (char *)member, member_len,
                             partition, offset);
}

int64_t eb_event_retry(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                       const char *member, int64_t member_len, int64_t partition, int64_t offset) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(group);
    SHIM_STRING(member);
    return shim_go_event_retry(broker, (char *)topic, topic_len, (char *)group, group_len, (char *)member, member_len,
                               partition, offset);
}
