/* event_handle.c - EventBroker: its operations, by handles that are found once and kept (EB-18). */
#include "event.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "eventbroker.h"

/* One case runs at a time, but its threads do at once: guards the handles by their names. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static json_t *topics, *consumers;

/* The names with a byte between that none has: only names that are well-formed are kept. */
static struct words key(const struct call *c, int names) {
    struct words key = {NULL, 0};
    for (int i = 0; i < names; i++) {
        const int64_t len = c->strings[i].data == NULL ? 0 : c->strings[i].len;
        key.bytes = realloc(key.bytes, (size_t)(key.len + len + 1));
        memcpy(key.bytes + key.len, len == 0 ? "" : c->strings[i].data, (size_t)len);
        key.bytes[key.len + len] = '/';
        key.len += len + 1;
    }
    return key;
}

/* Sets *handle to the one that is kept, or else to that which make makes, of another handle perhaps. */
static int64_t find(json_t **kept, int names, int64_t (*make)(uint64_t of, struct call *c, uint64_t *handle),
                    uint64_t of, struct call *c, uint64_t *handle) {
    struct words k = key(c, names);
    int64_t status = EB_OK;
    pthread_mutex_lock(&mutex);
    if (*kept == NULL)
        *kept = json_object();
    const json_t *found = json_object_getn(*kept, k.bytes, (size_t)k.len);
    if (found != NULL)
        *handle = (uint64_t)json_integer_value(found);
    else if ((status = make(of, c, handle)) == EB_OK)
        json_object_setn_new(*kept, k.bytes, (size_t)k.len, json_integer((json_int_t)*handle));
    pthread_mutex_unlock(&mutex);
    free(k.bytes);
    return status;
}

static int64_t make_topic(uint64_t broker, struct call *c, uint64_t *handle) {
    return eb_event_topic(broker, STRING(0), handle);
}

static int64_t make_consumer(uint64_t topic, struct call *c, uint64_t *handle) {
    return eb_event_consumer(topic, STRING(1), STRING(2), handle);
}

static int64_t topic_of(struct call *c, uint64_t *topic) { return find(&topics, 1, make_topic, c->broker, c, topic); }

static int64_t consumer_of(struct call *c, uint64_t *consumer) {
    uint64_t topic;
    const int64_t status = topic_of(c, &topic);
    return status != EB_OK ? status : find(&consumers, 3, make_consumer, topic, c, consumer);
}

/* These find the handle first, and fail with what that says. */
#define ON_TOPIC(name, answer)                      \
    static int64_t name(struct call *c) {           \
        uint64_t topic;                             \
        const int64_t status = topic_of(c, &topic); \
        return status != EB_OK ? status : (answer); \
    }
#define ON_CONSUMER(name, answer)                         \
    static int64_t name(struct call *c) {                 \
        uint64_t consumer;                                \
        const int64_t status = consumer_of(c, &consumer); \
        return status != EB_OK ? status : (answer);       \
    }

ON_TOPIC(publish, eb_event_topic_publish(topic, c->integers[0], STRING(1)))
ON_TOPIC(publish_many,
         eb_event_topic_publish_many(topic, c->input.bytes, c->input.len, batch_count(c), room_for_offsets(c)))
ON_CONSUMER(join, eb_event_consumer_join(consumer, c->output, c->cap / (int64_t)sizeof(int32_t)))
ON_CONSUMER(leave, eb_event_consumer_leave(consumer))
ON_CONSUMER(poll, eb_event_consumer_poll(consumer, c->integers[0], c->output, c->cap))
ON_CONSUMER(ack, eb_event_consumer_ack(consumer, c->integers[0], c->integers[1]))
ON_CONSUMER(ack_many,
            eb_event_consumer_ack_many(consumer, (const void *)c->input.bytes, batch_count(c), room_for_acked(c)))
ON_CONSUMER(retry, eb_event_consumer_retry(consumer, c->integers[0], c->integers[1]))

static const struct operation operations[] = EVENT_OPERATIONS;

static void close_all(json_t **kept, int64_t (*close)(uint64_t handle)) {
    const char *name;
    const json_t *handle;
    json_object_foreach(*kept, name, handle) close((uint64_t)json_integer_value(handle));
    json_decref(*kept);
    *kept = NULL;
}

static int64_t close_broker(uint64_t broker) {
    close_all(&consumers, eb_event_consumer_close);
    close_all(&topics, eb_event_topic_close);
    return eb_event_close(broker);
}

const struct system event_handle_system = {"event", event_open, operations, close_broker};
