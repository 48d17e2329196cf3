/* shim_pubsub.c - the public functions of the pub-sub broker. */
#include <pthread.h>

#include "_cgo_export.h"
#include "shim.h"

#define SHIM_OPEN shim_go_pubsub_check

/* Which thread calls. Another may get the number after this one has ended. */
static int64_t this_thread(void) { return (int64_t)(uintptr_t)pthread_self(); }

int64_t eb_pubsub_new(const eb_pubsub_options *options, uint64_t *broker) {
    SHIM_NOT_FORKED();
    SHIM_NEW(options, broker);
    const char *path = SHIM_OPTION(options, path);
    int64_t path_len = SHIM_OPTION(options, path_len);
    if (path != NULL)
        SHIM_CHECK_ARGUMENT("path", shim_wrong_string(path, path_len));
    return shim_go_pubsub_new(SHIM_OPTION(options, dispatcher), SHIM_OPTION(options, workers),
                              SHIM_OPTION(options, handler_timeout), SHIM_OPTION(options, max_attempts),
                              SHIM_OPTION(options, block_timeout), SHIM_OPTION(options, max_payload), (char *)path,
                              path_len, SHIM_OPTION(options, sync), broker);
}

int64_t eb_pubsub_close(uint64_t broker, int64_t timeout_ms) {
    if (shim_forked())
        return EB_OK;
    SHIM_CHECK_ARGUMENT("timeout_ms", timeout_ms < 0 ? "is negative" : NULL);
    return shim_go_pubsub_close(broker, timeout_ms, this_thread());
}

int64_t eb_pubsub_create_topic(uint64_t broker, const char *topic, int64_t topic_len, int64_t retain) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    return shim_go_pubsub_create_topic(broker, (char *)topic, topic_len, retain);
}

int64_t eb_pubsub_subscribe(uint64_t broker, const char *topic, int64_t topic_len, const char *name, int64_t name_len,
                            uint64_t cookie, const eb_pubsub_subscription *options, uint64_t *worker) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(name);
    SHIM_CHECK("options", options == NULL ? NULL : shim_wrong_options(options, sizeof *options));
    const char *group = SHIM_OPTION(options, group);
    int64_t group_len = SHIM_OPTION(options, group_len);
    int64_t filtered = SHIM_OPTION(options, filtered);
    if (group != NULL)
        SHIM_STRING(group);
    SHIM_CHECK("filtered", filtered != 0 && filtered != 1 ? "is neither 0 nor 1" : NULL);
    return shim_go_pubsub_subscribe(broker, (char *)topic, topic_len, (char *)name, name_len, cookie, (char *)group,
                                    group_len, SHIM_OPTION(options, policy), filtered, worker);
}

int64_t eb_pubsub_unsubscribe(uint64_t broker, const char *topic, int64_t topic_len, const char *name,
                              int64_t name_len) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(name);
    return shim_go_pubsub_unsubscribe(broker, (char *)topic, topic_len, (char *)name, name_len);
}

int64_t eb_pubsub_publish(uint64_t broker, const char *topic, int64_t topic_len, const char *payload,
                          int64_t payload_len) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(payload);
    return shim_go_pubsub_publish(broker, (char *)topic, topic_len, (char *)payload, payload_len);
}

int64_t eb_pubsub_publish_wait(uint64_t broker, const char *topic, int64_t topic_len, const char *payload,
                               int64_t payload_len, int64_t timeout_ms) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(payload);
    SHIM_CHECK("timeout_ms", timeout_ms < -1 ? "is below -1" : NULL);
    return shim_go_pubsub_publish_wait(broker, (char *)topic, topic_len, (char *)payload, payload_len, timeout_ms,
                                       this_thread());
}

int64_t eb_pubsub_drain(uint64_t broker, uint64_t *walk) {
    SHIM_NOT_FORKED();
    SHIM_CHECK("walk", walk == NULL ? "is null" : NULL);
    return shim_go_pubsub_drain(broker, walk);
}

int64_t eb_pubsub_next(uint64_t walk, void *buf, int64_t cap) {
    SHIM_NOT_FORKED();
    SHIM_BUFFER_ON(walk, buf, cap);
    return shim_go_pubsub_next(walk, buf, cap, this_thread());
}

int64_t eb_pubsub_pool(uint64_t broker, uint64_t *worker) {
    SHIM_NOT_FORKED();
    SHIM_CHECK("worker", worker == NULL ? "is null" : NULL);
    return shim_go_pubsub_pool(broker, worker);
}

int64_t eb_pubsub_wait(uint64_t worker, int64_t timeout_ms, void *buf, int64_t cap) {
    SHIM_NOT_FORKED();
    SHIM_CHECK_ON(worker, "timeout_ms", timeout_ms < 0 ? "is negative" : NULL);
    SHIM_BUFFER_ON(worker, buf, cap);
    return shim_go_pubsub_wait(worker, timeout_ms, buf, cap, this_thread());
}

int64_t eb_pubsub_settle(uint64_t token, int64_t outcome, const char *text, int64_t text_len) {
    SHIM_NOT_FORKED();
    SHIM_CHECK_ON(token, "text_len", text_len < 0 ? "is negative" : NULL);
    return shim_go_pubsub_settle(token, outcome, (char *)text, text_len);
}

int64_t eb_pubsub_end(uint64_t walk_or_worker) { return shim_forked() ? EB_OK : shim_go_pubsub_end(walk_or_worker); }

int64_t eb_pubsub_seek(uint64_t broker, const char *topic, int64_t topic_len, const char *name, int64_t name_len,
                       int64_t offset) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(name);
    return shim_go_pubsub_seek(broker, (char *)topic, topic_len, (char *)name, name_len, offset);
}

int64_t eb_pubsub_offset(uint64_t broker, const char *topic, int64_t topic_len, const char *name, int64_t name_len) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(name);
    return shim_go_pubsub_offset(broker, (char *)topic, topic_len, (char *)name, name_len);
}

int64_t eb_pubsub_dead_letters(uint64_t broker, const char *topic, int64_t topic_len, const char *name,
                               int64_t name_len, void *buf, int64_t cap) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(name);
    SHIM_BUFFER(buf, cap);
    return shim_go_pubsub_dead_letters(broker, (char *)topic, topic_len, (char *)name, name_len, buf, cap);
}

int64_t eb_pubsub_redeliver(uint64_t broker, const char *topic, int64_t topic_len, const char *name, int64_t name_len) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(name);
    return shim_go_pubsub_redeliver(broker, (char *)topic, topic_len, (char *)name, name_len);
}

int64_t eb_pubsub_status(uint64_t broker, const char *topic, int64_t topic_len, const char *name, int64_t name_len,
                         void *buf, int64_t cap) {
    SHIM_NOT_FORKED();
    SHIM_STRING(topic);
    SHIM_STRING(name);
    SHIM_BUFFER(buf, cap);
    return shim_go_pubsub_status(broker, (char *)topic, topic_len, (char *)name, name_len, buf, cap);
}
