/* Batches answer what each element would have got by itself, and happen as a whole or not at all (EB-17). */
#include "check.h"

#include <stdlib.h>

/* Three messages, of which one has no payload. */
struct three {
    eb_event_message headers[3];
    char payloads[4];
};

static const struct three abc = {{{0, 1}, {1, 0}, {0, 3}}, {'a', 'b', 'b', 'b'}};
enum { ABC_LEN = 3 * sizeof(eb_event_message) + 4 };

static eb_event_record frame[512];

static int64_t poll(uint64_t broker) {
    return eb_event_poll(broker, S("t"), S("g"), S("m"), 64, frame, (int64_t)sizeof frame);
}

static uint64_t joined_broker(int64_t capacity, int64_t count) {
    int32_t partitions[EB_EVENT_MAX_PARTITIONS];
    uint64_t broker = broker_with_topic(capacity, count);
    CHECK_EQ(eb_event_join(broker, S("t"), S("g"), S("m"), partitions, EB_EVENT_MAX_PARTITIONS), count);
    return broker;
}

static void in_turn(void) {
    uint64_t broker = joined_broker(2, 2);
    int64_t offsets[4] = {-7, -7, -7, -7};
    CHECK_EQ(eb_event_publish_many(broker, S("t"), &abc, ABC_LEN, 3, offsets), EB_OK);
    CHECK(offsets[0] == 0 && offsets[1] == 0 && offsets[2] == 1 && offsets[3] == -7);
    CHECK_EQ(poll(broker), 2);
    CHECK(memcmp(frame + 2, "a", 1) == 0 && frame[0].payload_len == 1 && frame[1].payload_len == 0);

    /* Partition 0 is full; that uses up no offset, and the others go on. */
    CHECK_EQ(eb_event_publish_many(broker, S("t"), &abc, ABC_LEN, 3, offsets), EB_OK);
    CHECK(offsets[0] == -1 && offsets[1] == 1 && offsets[2] == -1 && offsets[3] == -7);

    /* The second is no longer in flight once the first is acknowledged, the third is not yet. */
    const eb_event_position positions[] = {{0, 0}, {0, 0}, {0, 1}, {1, 0}, {1, 5}};
    uint8_t acked[6] = {7, 7, 7, 7, 7, 7};
    CHECK_EQ(eb_event_ack_many(broker, S("t"), S("g"), S("m"), positions, 5, acked), EB_OK);
    CHECK(memcmp(acked, "\1\0\0\1\0\7", 6) == 0);
    CHECK_EQ(poll(broker), 2);
    CHECK(frame[0].offset == 1 && memcmp(frame + 2, "bbb", 3) == 0);
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

/* An absent group or member acknowledges nothing, as by eb_event_ack. */
static void absent(void) {
    uint64_t broker = joined_broker(1, 1);
    const eb_event_position first = {0, 0};
    uint8_t acked = 7;
    CHECK_EQ(eb_event_publish(broker, S("t"), 0, S("x")), 0);
    CHECK_EQ(poll(broker), 1);
    CHECK_EQ(eb_event_ack_many(broker, S("t"), S("h"), S("m"), &first, 1, &acked), EB_OK);
    CHECK_EQ(acked, 0);
    CHECK_EQ(eb_event_ack_many(broker, S("t"), S("g"), S("n"), &first, 1, &acked), EB_OK);
    CHECK_EQ(acked, 0);
    CHECK_EQ(eb_event_ack_many(broker, S("t"), S("g"), S("m"), &first, 1, &acked), EB_OK);
    CHECK_EQ(acked, 1);
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

/* None is fine, and touches nothing. */
static void none(void) {
    uint64_t broker = joined_broker(1, 1);
    int64_t untouched = -7;
    uint8_t acked = 7;
    CHECK_EQ(eb_event_publish_many(broker, S("t"), &untouched, 0, 0, &untouched), EB_OK);
    CHECK_EQ(eb_event_ack_many(broker, S("t"), S("g"), S("m"), (const eb_event_position *)&untouched, 0, &acked),
             EB_OK);
    CHECK(untouched == -7 && acked == 7);
    CHECK_REFUSES(eb_event_publish_many(broker, S("u"), &untouched, 0, 0, &untouched), "topic");
    CHECK_REFUSES(eb_event_ack_many(broker, S("t"), S(""), S("m"), (void *)&untouched, 0, &acked), "group");
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

/* Of several wrong arguments it names the one that eb_event_ack does. */
static void several_wrong(void) {
    uint64_t broker = joined_broker(1, 1);
    eb_event_position wrong = {1, 0};
    uint8_t acked;
    CHECK_REFUSES(eb_event_ack(broker, S("t"), S(""), S(""), 1, 0), "partition");
    CHECK_REFUSES(eb_event_ack_many(broker, S("t"), S(""), S(""), &wrong, 1, &acked), "positions");
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

/* As many as may be, and one more. The buffers end where they must, for AddressSanitizer to see. */
static void most(void) {
    enum { MOST = EB_EVENT_MAX_BATCH };
    uint64_t broker = joined_broker(1000, 64);
    eb_event_message *messages = malloc((MOST + 1) * sizeof *messages);
    eb_event_position *positions = malloc((MOST + 1) * sizeof *positions);
    int64_t *offsets = malloc(MOST * sizeof *offsets);
    uint8_t *acked = malloc(MOST);
    for (int i = 0; i <= MOST; i++) {
        messages[i] = (eb_event_message){i % 64, 0};
        positions[i] = (eb_event_position){i % 64, i / 64};
    }
    CHECK_FAILS(eb_event_publish_many(broker, S("t"), messages, (MOST + 1) * sizeof *messages, MOST + 1, offsets),
                EB_INVALID_ARGUMENT, "invalid argument: messages: has 1025 elements; at most 1024 are allowed");
    CHECK_EQ(eb_event_publish_many(broker, S("t"), messages, MOST * sizeof *messages, MOST, offsets), EB_OK);
    for (int i = 0; i < MOST; i++)
        CHECK_EQ(offsets[i], i / 64);
    CHECK_EQ(poll(broker), 64);
    CHECK_FAILS(eb_event_ack_many(broker, S("t"), S("g"), S("m"), positions, MOST + 1, acked), EB_INVALID_ARGUMENT,
                "invalid argument: positions: has 1025 elements; at most 1024 are allowed");
    CHECK_EQ(eb_event_ack_many(broker, S("t"), S("g"), S("m"), positions, MOST, acked), EB_OK);
    for (int i = 0; i < MOST; i++)
        CHECK_EQ(acked[i], i < 64);
    free(messages);
    free(positions);
    free(offsets);
    free(acked);
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

/* A payload that is copied is the caller's again; so is one in a batch of many short ones. */
static void inputs_are_copied(void) {
    uint64_t broker = joined_broker(2, 2);
    struct three messages = abc;
    int64_t offsets[3];
    CHECK_EQ(eb_event_publish_many(broker, S("t"), &messages, ABC_LEN, 3, offsets), EB_OK);
    memset(&messages, '#', sizeof messages);
    CHECK_EQ(poll(broker), 2);
    CHECK(memcmp(frame + 2, "a", 1) == 0);
    CHECK_EQ(eb_event_ack(broker, S("t"), S("g"), S("m"), 0, 0), 1);
    CHECK_EQ(poll(broker), 1);
    CHECK(memcmp(frame + 1, "bbb", 3) == 0);
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

/* What is written may lie over what is read. */
static void outputs_over_inputs(void) {
    uint64_t broker = joined_broker(1, 64);
    union {
        eb_event_message messages[64];
        eb_event_position positions[64];
        int64_t offsets[128];
        uint8_t acked[64 * 16];
    } u;
    for (int i = 0; i < 64; i++)
        u.messages[i] = (eb_event_message){i, 0};
    CHECK_EQ(eb_event_publish_many(broker, S("t"), u.messages, sizeof u.messages, 64, u.offsets + 64), EB_OK);
    for (int i = 64; i < 128; i++)
        CHECK_EQ(u.offsets[i], 0);
    CHECK_EQ(poll(broker), 64);
    for (int i = 0; i < 64; i++)
        u.positions[i] = (eb_event_position){i, 0};
    CHECK_EQ(eb_event_ack_many(broker, S("t"), S("g"), S("m"), u.positions, 64, u.acked + 512), EB_OK);
    for (int i = 0; i < 64; i++)
        CHECK_EQ(u.acked[512 + i], 1);
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

int main(void) {
    in_turn();
    absent();
    none();
    several_wrong();
    most();
    inputs_are_copied();
    outputs_over_inputs();
    return 0;
}
