/*
 * check.h - what the tests share: checks that end the program with status 1 at
 * the first failure, NDEBUG or not, and a few short ways to call.
 */
#ifndef EB_CHECK_H
#define EB_CHECK_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "eventbroker.h"

/* A string literal as (pointer, length). */
#define S(literal) (literal), (int64_t)(sizeof(literal) - 1)

#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)
#define CHECK_EQ(got, want) check_eq((int64_t)(got), (int64_t)(want), #got, __FILE__, __LINE__)
/* The call failed with the status, and eb_last_error says exactly this. */
#define CHECK_FAILS(got, status, message) check_fails((got), (status), (message), #got, __FILE__, __LINE__)
/* The call was refused with a message that names the argument. */
#define CHECK_REFUSES(got, argument) check_refuses((got), (argument), #got, __FILE__, __LINE__)

/* _exit, since a check may fail in a forked child or beside other threads. */
static inline void fail(const char *what, const char *file, int line) {
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    fflush(stderr);
    _exit(1);
}

static inline void check(int condition, const char *what, const char *file, int line) {
    if (!condition)
        fail(what, file, line);
}

static inline void check_eq(int64_t got, int64_t want, const char *what, const char *file, int line) {
    if (got != want) {
        fprintf(stderr, "got %" PRId64 ", want %" PRId64 ": ", got, want);
        fail(what, file, line);
    }
}

/* The last error's text, or the first 1,023 bytes of it; good until the next call. */
static inline const char *last_error(void) {
    static __thread char text[1024];
    const int64_t room = (int64_t)sizeof text - 1;
    int64_t len = eb_last_error(text, room); /* of all of it, as that of an internal error, with its stack */
    text[len < room ? len : room] = '\0';
    return text;
}

static inline void check_fails(int64_t got, int64_t status, const char *message, const char *what, const char *file,
                               int line) {
    check_eq(got, status, what, file, line);
    if (strcmp(last_error(), message) != 0) {
        fprintf(stderr, "got the message \"%s\", want \"%s\": ", last_error(), message);
        fail(what, file, line);
    }
}

static inline void check_refuses(int64_t got, const char *argument, const char *what, const char *file, int line) {
    char prefix[64];
    int len = snprintf(prefix, sizeof prefix, "invalid argument: %s: ", argument);
    check_eq(got, EB_INVALID_ARGUMENT, what, file, line);
    if (strncmp(last_error(), prefix, (size_t)len) != 0 || strlen(last_error()) <= (size_t)len) {
        fprintf(stderr, "got the message \"%s\", want \"%s...\": ", last_error(), prefix);
        fail(what, file, line);
    }
}

/* A broker with the topic "t" of that many partitions. */
static inline uint64_t broker_with_topic(int64_t capacity_per_partition, int64_t partition_count) {
    uint64_t broker = 0;
    CHECK_EQ(eb_event_new(capacity_per_partition, NULL, &broker), EB_OK);
    CHECK(broker != 0);
    CHECK_EQ(eb_event_create(broker, S("t"), partition_count), 1);
    return broker;
}

/* A handle for the topic "t" of such a broker. */
static inline uint64_t topic_of(uint64_t broker) {
    uint64_t topic = 0;
    CHECK_EQ(eb_event_topic(broker, S("t"), &topic), EB_OK);
    CHECK(topic != 0 && topic != broker);
    return topic;
}

/* A handle for the member "m" of the group "g", which has not joined. */
static inline uint64_t consumer_of(uint64_t topic) {
    uint64_t consumer = 0;
    CHECK_EQ(eb_event_consumer(topic, S("g"), S("m"), &consumer), EB_OK);
    CHECK(consumer != 0 && consumer != topic);
    return consumer;
}

/* A message broker with the topic "t". */
static inline uint64_t message_broker_with_topic(int64_t max_attempts) {
    uint64_t broker = 0;
    CHECK_EQ(eb_message_new(max_attempts, NULL, &broker), EB_OK);
    CHECK(broker != 0);
    CHECK_EQ(eb_message_create_topic(broker, S("t")), 1);
    return broker;
}

/* A pub-sub broker with the topic "t". */
static inline uint64_t pubsub_broker_with_topic(int64_t dispatcher) {
    const eb_pubsub_options options = {.size = sizeof options, .dispatcher = dispatcher};
    uint64_t broker = 0;
    CHECK_EQ(eb_pubsub_new(&options, &broker), EB_OK);
    CHECK(broker != 0);
    CHECK_EQ(eb_pubsub_create_topic(broker, S("t"), 0), 1);
    return broker;
}

/* Room for a delivery whose payload is not above the default limit. */
struct delivery {
    eb_pubsub_delivery header;
    char text[EB_PUBSUB_MAX_IDENTIFIER + EB_PUBSUB_DEFAULT_PAYLOAD];
};

/* What a broker is asked for many at once, and for a handle. */
static inline void check_every_event_batch(uint64_t broker, int64_t status) {
    const eb_event_message empty = {0, 0};
    const eb_event_position first = {0, 0};
    int64_t offset = 7;
    uint8_t acked = 7;
    uint64_t topic = 7;
    CHECK_EQ(eb_event_publish_many(broker, S("t"), &empty, sizeof empty, 1, &offset), status);
    CHECK_EQ(eb_event_ack_many(broker, S("t"), S("g"), S("m"), &first, 1, &acked), status);
    CHECK_EQ(eb_event_topic(broker, S("t"), &topic), status);
    CHECK(offset == 7 && acked == 7 && topic == 7);
}

/* Every call on a broker, all of them valid for one with topic "t" and one
 * partition, must answer with the status. */
static inline void check_every_event_call(uint64_t broker, int64_t status) {
    int32_t partitions[EB_EVENT_MAX_PARTITIONS];
    eb_event_record frame[64];
    CHECK_EQ(eb_event_create(broker, S("t"), 1), status);
    CHECK_EQ(eb_event_join(broker, S("t"), S("g"), S("m"), partitions, EB_EVENT_MAX_PARTITIONS), status);
    CHECK_EQ(eb_event_leave(broker, S("t"), S("g"), S("m")), status);
    CHECK_EQ(eb_event_publish(broker, S("t"), 0, S("x")), status);
    CHECK_EQ(eb_event_poll(broker, S("t"), S("g"), S("m"), 1, frame, (int64_t)sizeof frame), status);
    CHECK_EQ(eb_event_ack(broker, S("t"), S("g"), S("m"), 0, 0), status);
    CHECK_EQ(eb_event_retry(broker, S("t"), S("g"), S("m"), 0, 0), status);
    check_every_event_batch(broker, status);
}

/* Every call on a topic's handle, likewise. */
static inline void check_every_topic_call(uint64_t topic, int64_t status) {
    const eb_event_message empty = {0, 0};
    int64_t offset = 7;
    uint64_t consumer = 7;
    CHECK_EQ(eb_event_topic_publish(topic, 0, S("x")), status);
    CHECK_EQ(eb_event_topic_publish_many(topic, &empty, sizeof empty, 1, &offset), status);
    CHECK_EQ(eb_event_consumer(topic, S("g"), S("m"), &consumer), status);
    CHECK(offset == 7 && consumer == 7);
}

/* Every call on a consumer's handle, likewise. */
static inline void check_every_consumer_call(uint64_t consumer, int64_t status) {
    const eb_event_position first = {0, 0};
    int32_t partitions[EB_EVENT_MAX_PARTITIONS];
    eb_event_record frame[64];
    uint8_t acked = 7;
    CHECK_EQ(eb_event_consumer_join(consumer, partitions, EB_EVENT_MAX_PARTITIONS), status);
    CHECK_EQ(eb_event_consumer_leave(consumer), status);
    CHECK_EQ(eb_event_consumer_poll(consumer, 1, frame, (int64_t)sizeof frame), status);
    CHECK_EQ(eb_event_consumer_ack(consumer, 0, 0), status);
    CHECK_EQ(eb_event_consumer_ack_many(consumer, &first, 1, &acked), status);
    CHECK_EQ(eb_event_consumer_retry(consumer, 0, 0), status);
    CHECK_EQ(acked, 7);
}

static inline void check_every_message_call(uint64_t broker, int64_t status) {
    eb_message_header frame[64];
    CHECK_EQ(eb_message_create_topic(broker, S("t")), status);
    CHECK_EQ(eb_message_publish(broker, S("t"), S("x")), status);
    CHECK_EQ(eb_message_poll(broker, S("t"), S("g"), frame, (int64_t)sizeof frame), status);
    CHECK_EQ(eb_message_ack(broker, S("t"), S("g"), 0, 1), status);
    CHECK_EQ(eb_message_nack(broker, S("t"), S("g"), 0, 1), status);
    CHECK_EQ(eb_message_dead_letters(broker, S("t"), S("g"), frame, (int64_t)sizeof frame), status);
}

/* The handle stands for a broker, a walk, a worker and a delivery. */
static inline void check_every_pubsub_call(uint64_t handle, int64_t status) {
    struct delivery d;
    uint64_t out = 7;
    CHECK_EQ(eb_pubsub_create_topic(handle, S("t"), 0), status);
    CHECK_EQ(eb_pubsub_subscribe(handle, S("t"), S("n"), 1, NULL, &out), status);
    CHECK_EQ(eb_pubsub_unsubscribe(handle, S("t"), S("n")), status);
    CHECK_EQ(eb_pubsub_publish(handle, S("t"), S("x")), status);
    CHECK_EQ(eb_pubsub_publish_wait(handle, S("t"), S("x"), -1), status);
    CHECK_EQ(eb_pubsub_drain(handle, &out), status);
    CHECK_EQ(eb_pubsub_next(handle, &d, (int64_t)sizeof d), status);
    CHECK_EQ(eb_pubsub_pool(handle, &out), status);
    CHECK_EQ(eb_pubsub_wait(handle, 1000000, &d, (int64_t)sizeof d), status);
    CHECK_EQ(eb_pubsub_settle(handle, EB_PUBSUB_CONFIRMED, NULL, 0), status);
    CHECK_EQ(eb_pubsub_seek(handle, S("t"), S("n"), 0), status);
    CHECK_EQ(eb_pubsub_offset(handle, S("t"), S("n")), status);
    CHECK_EQ(eb_pubsub_dead_letters(handle, S("t"), S("n"), &d, (int64_t)sizeof d), status);
    CHECK_EQ(eb_pubsub_redeliver(handle, S("t"), S("n")), status);
    CHECK_EQ(eb_pubsub_status(handle, S("t"), S("n"), &d, (int64_t)sizeof d), status);
    CHECK_EQ(out, 7);
}

/* For a handle that no system answers to. */
static inline void check_every_call(uint64_t broker, int64_t status) {
    check_every_event_call(broker, status);
    check_every_topic_call(broker, status);
    check_every_consumer_call(broker, status);
    check_every_message_call(broker, status);
    check_every_pubsub_call(broker, status);
}

#endif
