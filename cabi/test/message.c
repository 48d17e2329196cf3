/* The message broker: what each function answers (MB-01 to MB-10). */
#include "check.h"

static eb_message_header frame[128];

static int64_t poll(uint64_t broker, const char *group) {
    return eb_message_poll(broker, S("t"), group, 1, frame, (int64_t)sizeof frame);
}

/* Polls a delivery and compares all of it. */
static void check_poll(uint64_t broker, int64_t offset, int32_t attempt, const char *payload, int64_t payload_len) {
    CHECK_EQ(poll(broker, "g"), 1);
    CHECK_EQ(frame[0].offset, offset);
    CHECK_EQ(frame[0].attempts, attempt);
    CHECK_EQ(frame[0].payload_len, payload_len);
    CHECK(memcmp(&frame[1], payload, (size_t)payload_len) == 0);
}

static int64_t ack(uint64_t broker, int64_t offset, int64_t attempt) {
    return eb_message_ack(broker, S("t"), S("g"), offset, attempt);
}

static int64_t nack(uint64_t broker, int64_t offset, int64_t attempt) {
    return eb_message_nack(broker, S("t"), S("g"), offset, attempt);
}

static int64_t letters(uint64_t broker, const char *group) {
    return eb_message_dead_letters(broker, S("t"), group, 1, frame, (int64_t)sizeof frame);
}

static void example(void) {
    uint64_t broker = message_broker_with_topic(2);
    CHECK_EQ(eb_message_create_topic(broker, S("t")), 0);
    CHECK_EQ(poll(broker, "g"), 0);
    CHECK_EQ(eb_message_publish(broker, S("t"), S("first")), 0);
    CHECK_EQ(eb_message_publish(broker, S("t"), S("second")), 1);
    check_poll(broker, 0, 1, S("first"));
    check_poll(broker, 0, 1, S("first")); /* the same delivery */
    CHECK_EQ(ack(broker, 0, 2), 0);
    CHECK_EQ(ack(broker, 1, 1), 0);
    CHECK_EQ(nack(broker, 0, 1), 1);
    CHECK_EQ(nack(broker, 0, 1), 0); /* nothing is in flight until the next poll */
    CHECK_EQ(ack(broker, 0, 1), 0);
    check_poll(broker, 0, 2, S("first"));
    CHECK_EQ(letters(broker, "g"), 0);
    CHECK_EQ(nack(broker, 0, 2), 1);
    check_poll(broker, 1, 1, S("second"));
    CHECK_EQ(ack(broker, 1, 1), 1);
    CHECK_EQ(ack(broker, 1, 1), 0);
    CHECK_EQ(poll(broker, "g"), 0);
    CHECK_EQ(eb_message_close(broker), EB_OK);
}

/* In the order of parking, each once, and nobody else's. */
static void dead_letters(void) {
    uint64_t broker = message_broker_with_topic(1);
    CHECK_EQ(eb_message_publish(broker, S("t"), S("ab")), 0);
    CHECK_EQ(eb_message_publish(broker, S("t"), S("")), 1);
    CHECK_EQ(eb_message_publish(broker, S("t"), S("cde")), 2);
    for (int64_t offset = 0; offset < 3; offset++) {
        CHECK_EQ(poll(broker, "g"), 1);
        CHECK_EQ(nack(broker, offset, 1), 1);
    }
    CHECK_EQ(letters(broker, "h"), 0);
    CHECK_EQ(letters(broker, "g"), 3);
    static const int32_t lengths[] = {2, 0, 3};
    for (int64_t i = 0; i < 3; i++) {
        CHECK_EQ(frame[i].offset, i);
        CHECK_EQ(frame[i].attempts, 1);
        CHECK_EQ(frame[i].payload_len, lengths[i]);
    }
    CHECK(memcmp(frame + 3, "abcde", 5) == 0);
    CHECK_EQ(poll(broker, "h"), 1);
    CHECK_EQ(frame[0].offset, 0);
    CHECK_EQ(eb_message_close(broker), EB_OK);
}

/* Bytes come back as they were: NUL, nothing, UTF-8. */
static void bytes(void) {
    static const struct {
        const char *data;
        int64_t len;
    } payloads[] = {{S("a\0b")}, {S("\0")}, {S("")}, {S("\xc3\xa9 e\xcc\x81 \xf0\x9f\x94\xa5")}};
    uint64_t broker = message_broker_with_topic(1);
    for (int64_t i = 0; i < 4; i++) {
        CHECK_EQ(eb_message_publish(broker, S("t"), payloads[i].data, payloads[i].len), i);
        check_poll(broker, i, 1, payloads[i].data, payloads[i].len);
        CHECK_EQ(ack(broker, i, 1), 1);
    }
    CHECK_EQ(eb_message_close(broker), EB_OK);
}

int main(void) {
    example();
    dead_letters();
    bytes();
    return 0;
}
