/* Wrong arguments: refused, named, and without effect. */
#include "check.h"

#define WIDE (INT64_C(1) << 32)

static int32_t partitions[EB_EVENT_MAX_PARTITIONS];
static eb_event_record frame[128];

#define JOIN(topic, group, member) eb_event_join(broker, topic, group, member, partitions, 64)
#define POLL(topic, group, member, max) eb_event_poll(broker, topic, group, member, max, frame, (int64_t)sizeof frame)

/* A wrong (pointer, length) in the place of every string. */
static void strings(uint64_t broker, const char *ptr, int64_t len) {
#define BAD ptr, len
    CHECK_REFUSES(eb_event_create(broker, BAD, 1), "topic");
    CHECK_REFUSES(JOIN(BAD, S("g"), S("m")), "topic");
    CHECK_REFUSES(JOIN(S("t"), BAD, S("m")), "group");
    CHECK_REFUSES(JOIN(S("t"), S("g"), BAD), "member");
    CHECK_REFUSES(eb_event_leave(broker, BAD, S("g"), S("m")), "topic");
    CHECK_REFUSES(eb_event_leave(broker, S("t"), BAD, S("m")), "group");
    CHECK_REFUSES(eb_event_leave(broker, S("t"), S("g"), BAD), "member");
    CHECK_REFUSES(eb_event_publish(broker, BAD, 0, S("x")), "topic");
    CHECK_REFUSES(eb_event_publish(broker, S("t"), 0, BAD), "payload");
    CHECK_REFUSES(POLL(BAD, S("g"), S("m"), 1), "topic");
    CHECK_REFUSES(POLL(S("t"), BAD, S("m"), 1), "group");
    CHECK_REFUSES(POLL(S("t"), S("g"), BAD, 1), "member");
    CHECK_REFUSES(eb_event_ack(broker, BAD, S("g"), S("m"), 0, 0), "topic");
    CHECK_REFUSES(eb_event_ack(broker, S("t"), BAD, S("m"), 0, 0), "group");
    CHECK_REFUSES(eb_event_ack(broker, S("t"), S("g"), BAD, 0, 0), "member");
    CHECK_REFUSES(eb_event_retry(broker, BAD, S("g"), S("m"), 0, 0), "topic");
    CHECK_REFUSES(eb_event_retry(broker, S("t"), BAD, S("m"), 0, 0), "group");
    CHECK_REFUSES(eb_event_retry(broker, S("t"), S("g"), BAD, 0, 0), "member");
#undef BAD
}

static void outputs(uint64_t broker) {
    int64_t size = (int64_t)sizeof frame;
    CHECK_REFUSES(eb_event_new(1, NULL, NULL), "broker");
    CHECK_REFUSES(eb_event_join(broker, S("t"), S("g"), S("m"), NULL, 64), "partitions");
    CHECK_REFUSES(eb_event_join(broker, S("t"), S("g"), S("m"), NULL, 0), "partitions");
    CHECK_REFUSES(eb_event_join(broker, S("t"), S("g"), S("m"), partitions, -1), "cap");
    CHECK_REFUSES(eb_event_join(broker, S("t"), S("g"), S("m"), partitions, INT64_MIN), "cap");
    CHECK_REFUSES(eb_event_poll(broker, S("t"), S("g"), S("m"), 1, NULL, size), "buf");
    CHECK_REFUSES(eb_event_poll(broker, S("t"), S("g"), S("m"), 1, NULL, 0), "buf");
    CHECK_REFUSES(eb_event_poll(broker, S("t"), S("g"), S("m"), 1, frame, -1), "cap");
    for (int misaligned = 1; misaligned < 8; misaligned++)
        CHECK_REFUSES(eb_event_poll(broker, S("t"), S("g"), S("m"), 1, (char *)frame + misaligned, 64), "buf");
}

/* No integer is cut to 32 bits, where each of these would be in its range. */
static void integers(uint64_t broker) {
    uint64_t unused = 99;
    CHECK_REFUSES(eb_event_new(WIDE + 1, NULL, &unused), "capacity_per_partition");
    CHECK_REFUSES(eb_event_new(INT64_MIN, NULL, &unused), "capacity_per_partition");
    CHECK_EQ(unused, 99);
    CHECK_REFUSES(eb_event_create(broker, S("u"), WIDE + 1), "partition_count");
    CHECK_REFUSES(eb_event_publish(broker, S("t"), WIDE, S("x")), "partition");
    CHECK_REFUSES(eb_event_publish(broker, S("t"), INT64_MAX, S("x")), "partition");
    CHECK_REFUSES(POLL(S("t"), S("g"), S("m"), WIDE + 1), "max_records");
    CHECK_REFUSES(eb_event_ack(broker, S("t"), S("g"), S("m"), WIDE, 0), "partition");
    CHECK_REFUSES(eb_event_ack(broker, S("t"), S("g"), S("m"), 0, INT64_MIN), "offset");
    CHECK_REFUSES(eb_event_retry(broker, S("t"), S("g"), S("m"), -WIDE, 0), "partition");
    CHECK_REFUSES(eb_event_retry(broker, S("t"), S("g"), S("m"), 0, -WIDE), "offset");
    CHECK_EQ(eb_event_create(broker, S("u"), 1), 1);
}

/* Valid offsets that would be 0, which is in flight, were they cut. */
static void offsets(uint64_t broker) {
    CHECK_EQ(JOIN(S("t"), S("g"), S("m")), 1);
    CHECK_EQ(eb_event_publish(broker, S("t"), 0, S("x")), 0);
    CHECK_EQ(POLL(S("t"), S("g"), S("m"), 1), 1);
    CHECK_EQ(eb_event_ack(broker, S("t"), S("g"), S("m"), 0, WIDE), 0);
    CHECK_EQ(eb_event_ack(broker, S("t"), S("g"), S("m"), 0, 2 * WIDE), 0);
    CHECK_EQ(eb_event_ack(broker, S("t"), S("g"), S("m"), 0, INT64_MAX), 0);
    CHECK_EQ(eb_event_retry(broker, S("t"), S("g"), S("m"), 0, WIDE), 0);
    CHECK_EQ(eb_event_ack(broker, S("t"), S("g"), S("m"), 0, 0), 1);
}

/* A length that no memory has is refused for its size, before a byte is read:
 * also where the look-up would hash, as it does once there are many names. */
static void lengths(uint64_t broker) {
    for (char name = 'a'; name <= 'z'; name++) {
        CHECK(eb_event_join(broker, S("t"), &name, 1, S("m"), partitions, 64) >= 0);
        CHECK(eb_event_join(broker, S("t"), S("g"), &name, 1, partitions, 64) >= 0);
    }
    strings(broker, "t", INT64_MAX);
    strings(broker, "t", WIDE);
}

int main(void) {
    uint64_t broker = broker_with_topic(1, 1);
    strings(broker, NULL, 0);
    strings(broker, NULL, 5);
    strings(broker, NULL, -1);
    strings(broker, "t", -1);
    strings(broker, "t", INT64_MIN);
    outputs(broker);
    integers(broker);
    /* A NUL inside a name cuts nothing off. */
    CHECK_REFUSES(eb_event_create(broker, S("a\0b"), 1), "topic");
    CHECK_EQ(eb_event_create(broker, S("a"), 1), 1);
    /* Nothing above left a group behind, which would hold this record. */
    CHECK_EQ(eb_event_leave(broker, S("t"), S("g"), S("m")), 0);
    offsets(broker);
    lengths(broker);
    CHECK_EQ(eb_event_close(broker), EB_OK);
    return 0;
}
