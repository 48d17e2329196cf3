/* A buffer too small: nothing happened, and eb_needed is exactly what does. */
#include "check.h"

#include <stdlib.h>

#define PARTITIONS 3
#define FRAME_BYTES (PARTITIONS * 16 + 10 + 0 + 20)

/* With lengths of no and several bytes, so that only exact arithmetic fits. */
static uint64_t filled_broker(void) {
    int32_t partitions[PARTITIONS];
    uint64_t broker = broker_with_topic(1, PARTITIONS);
    CHECK_EQ(eb_event_publish(broker, S("t"), 0, S("0123456789")), 0);
    CHECK_EQ(eb_event_publish(broker, S("t"), 1, S("")), 0);
    CHECK_EQ(eb_event_publish(broker, S("t"), 2, S("abcdefghijklmnopqrst")), 0);
    CHECK_EQ(eb_event_join(broker, S("t"), S("g"), S("m"), partitions, PARTITIONS), PARTITIONS);
    return broker;
}

static int64_t poll(uint64_t broker, void *buf, int64_t cap) {
    return eb_event_poll(broker, S("t"), S("g"), S("m"), 64, buf, cap);
}

static void check_frame(const eb_event_record *frame) {
    static const int32_t lengths[PARTITIONS] = {10, 0, 20};
    for (int32_t i = 0; i < PARTITIONS; i++) {
        CHECK_EQ(frame[i].partition, i);
        CHECK_EQ(frame[i].offset, 0);
        CHECK_EQ(frame[i].payload_len, lengths[i]);
    }
    CHECK(memcmp(frame + PARTITIONS, "0123456789abcdefghijklmnopqrst", 30) == 0);
}

/* The buffers are of exactly cap bytes on the heap, where AddressSanitizer and
 * valgrind see a byte too many. */
static void poll_too_small(void) {
    uint64_t broker = filled_broker();
    static const int64_t caps[] = {0, 1, 15, 16, 47, 48, FRAME_BYTES - 1};
    for (size_t i = 0; i < sizeof caps / sizeof *caps; i++) {
        void *buf = malloc((size_t)caps[i] + (caps[i] == 0));
        CHECK_EQ(poll(broker, buf, caps[i]), EB_BUFFER_TOO_SMALL);
        CHECK_EQ(eb_needed(), FRAME_BYTES);
        free(buf);
    }
    eb_event_record *buf = malloc(FRAME_BYTES);
    CHECK_EQ(poll(broker, buf, FRAME_BYTES), PARTITIONS);
    check_frame(buf);
    free(buf);
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

/* Nothing to return needs no room. */
static void empty_poll(void) {
    eb_event_record nothing[1];
    uint64_t broker = broker_with_topic(1, 1);
    CHECK_EQ(poll(broker, nothing, 0), 0);
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

static void join_too_small(void) {
    uint64_t broker = broker_with_topic(1, 4);
    int32_t partitions[4] = {-7, -7, -7, -7};
    for (int64_t cap = 0; cap < 4; cap++) {
        CHECK_EQ(eb_event_join(broker, S("t"), S("g"), S("m"), partitions, cap), EB_BUFFER_TOO_SMALL);
        CHECK_EQ(eb_needed(), 16);
        CHECK_EQ(partitions[0], -7);
    }
    CHECK_EQ(eb_event_leave(broker, S("t"), S("g"), S("m")), 0); /* it never joined */
    CHECK_EQ(eb_event_join(broker, S("t"), S("g"), S("m"), partitions, 4), 4);
    CHECK_EQ(partitions[3], 3);
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

/* What a call of the message broker about "t" and "g" answers to a buffer too small, and to one that fits. */
static void message_buffers(uint64_t broker,
                            int64_t (*call)(uint64_t, const char *, int64_t, const char *, int64_t, void *, int64_t),
                            int64_t needed, int64_t count) {
    for (int64_t cap = 0; cap < needed; cap++) {
        void *buf = malloc((size_t)cap + (cap == 0));
        CHECK_EQ(call(broker, S("t"), S("g"), buf, cap), EB_BUFFER_TOO_SMALL);
        CHECK_EQ(eb_needed(), needed);
        CHECK_EQ(eb_message_ack(broker, S("t"), S("g"), count - 1, 1), 0); /* nothing was delivered */
        free(buf);
    }
    char *buf = malloc((size_t)needed);
    CHECK_EQ(call(broker, S("t"), S("g"), buf, needed), count);
    CHECK(memcmp(buf + needed - 3, "xyz", 3) == 0);
    free(buf);
}

static void messages_too_small(void) {
    eb_message_header nothing[1];
    uint64_t broker = message_broker_with_topic(1);
    CHECK_EQ(eb_message_poll(broker, S("t"), S("g"), nothing, 0), 0);
    CHECK_EQ(eb_message_dead_letters(broker, S("t"), S("g"), nothing, 0), 0);
    CHECK_EQ(eb_message_publish(broker, S("t"), S("uvwxyz")), 0);
    message_buffers(broker, eb_message_poll, 16 + 6, 1);
    CHECK_EQ(eb_message_nack(broker, S("t"), S("g"), 0, 1), 1);
    CHECK_EQ(eb_message_publish(broker, S("t"), S("xyz")), 1);
    message_buffers(broker, eb_message_dead_letters, 16 + 6, 1);
    CHECK_EQ(eb_message_poll(broker, S("t"), S("g"), nothing, 16), EB_BUFFER_TOO_SMALL);
    CHECK_EQ(eb_needed(), 16 + 3);
    CHECK_EQ(eb_message_close(broker), EB_OK);
}

/* A delivery without payload has a header all the same, and is not made where that finds no room. */
static void empty_message_too_small(void) {
    uint64_t broker = message_broker_with_topic(1);
    eb_message_header header[1];
    CHECK_EQ(eb_message_publish(broker, S("t"), S("")), 0);
    for (int64_t cap = 0; cap < 16; cap++) {
        CHECK_EQ(eb_message_poll(broker, S("t"), S("g"), header, cap), EB_BUFFER_TOO_SMALL);
        CHECK_EQ(eb_needed(), 16);
        CHECK_EQ(eb_message_nack(broker, S("t"), S("g"), 0, 1), 0);
    }
    CHECK_EQ(eb_message_poll(broker, S("t"), S("g"), header, 16), 1);
    CHECK_EQ(header[0].attempts, 1);
    CHECK_EQ(eb_message_close(broker), EB_OK);
}

/* What was handed in is the caller's again once the call returned: all of it is
 * overwritten here, and the broker must not see that. */
static void inputs_are_copied(void) {
    char topic[] = "topic", group[] = "group", member[] = "member", payload[] = "payload";
    int32_t partitions[1];
    struct {
        eb_event_record header;
        char payload[7];
    } frame;
    uint64_t broker = broker_with_topic(1, 1);
    CHECK_EQ(eb_event_create(broker, topic, 5, 1), 1);
    CHECK_EQ(eb_event_publish(broker, topic, 5, 0, payload, 7), 0);
    CHECK_EQ(eb_event_join(broker, topic, 5, group, 5, member, 6, partitions, 1), 1);
    memset(topic, 'x', 5);
    memset(group, 'x', 5);
    memset(member, 'x', 6);
    memset(payload, 'x', 7);
    CHECK_EQ(eb_event_poll(broker, S("topic"), S("group"), S("member"), 1, &frame, (int64_t)sizeof frame), 1);
    CHECK_EQ(frame.header.payload_len, 7);
    CHECK(memcmp(frame.payload, "payload", 7) == 0);
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

int main(void) {
    inputs_are_copied();
    CHECK_EQ(eb_needed(), 0);
    poll_too_small();
    empty_poll();
    join_too_small();
    messages_too_small();
    empty_message_too_small();
    return 0;
}
