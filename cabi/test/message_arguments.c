/* Wrong arguments of the message broker: refused, named, and without effect. */
#include "check.h"

#define WIDE (INT64_C(1) << 32)

static eb_message_header frame[128];
static const int64_t size = (int64_t)sizeof frame;

/* A wrong (pointer, length) in the place of every string. */
static void strings(uint64_t broker, const char *ptr, int64_t len) {
#define BAD ptr, len
    CHECK_REFUSES(eb_message_create_topic(broker, BAD), "topic");
    CHECK_REFUSES(eb_message_publish(broker, BAD, S("x")), "topic");
    CHECK_REFUSES(eb_message_publish(broker, S("t"), BAD), "payload");
    CHECK_REFUSES(eb_message_poll(broker, BAD, S("g"), frame, size), "topic");
    CHECK_REFUSES(eb_message_poll(broker, S("t"), BAD, frame, size), "group");
    CHECK_REFUSES(eb_message_ack(broker, BAD, S("g"), 0, 1), "topic");
    CHECK_REFUSES(eb_message_ack(broker, S("t"), BAD, 0, 1), "group");
    CHECK_REFUSES(eb_message_nack(broker, BAD, S("g"), 0, 1), "topic");
    CHECK_REFUSES(eb_message_nack(broker, S("t"), BAD, 0, 1), "group");
    CHECK_REFUSES(eb_message_dead_letters(broker, BAD, S("g"), frame, size), "topic");
    CHECK_REFUSES(eb_message_dead_letters(broker, S("t"), BAD, frame, size), "group");
#undef BAD
}

static void outputs(uint64_t broker) {
    CHECK_REFUSES(eb_message_new(1, NULL, NULL), "broker");
    CHECK_REFUSES(eb_message_poll(broker, S("t"), S("g"), NULL, size), "buf");
    CHECK_REFUSES(eb_message_poll(broker, S("t"), S("g"), NULL, 0), "buf");
    CHECK_REFUSES(eb_message_poll(broker, S("t"), S("g"), frame, -1), "cap");
    CHECK_REFUSES(eb_message_poll(broker, S("t"), S("g"), frame, INT64_MIN), "cap");
    CHECK_REFUSES(eb_message_dead_letters(broker, S("t"), S("g"), NULL, size), "buf");
    CHECK_REFUSES(eb_message_dead_letters(broker, S("t"), S("g"), frame, -1), "cap");
    for (int misaligned = 1; misaligned < 8; misaligned++) {
        CHECK_REFUSES(eb_message_poll(broker, S("t"), S("g"), (char *)frame + misaligned, 64), "buf");
        CHECK_REFUSES(eb_message_dead_letters(broker, S("t"), S("g"), (char *)frame + misaligned, 64), "buf");
    }
}

/* Every limit from both sides; no integer is cut to 32 bits, where some of these would be in range. */
static void integers(uint64_t broker) {
    uint64_t other = 99;
    CHECK_REFUSES(eb_message_new(0, NULL, &other), "max_attempts");
    CHECK_REFUSES(eb_message_new(-1, NULL, &other), "max_attempts");
    CHECK_REFUSES(eb_message_new((int64_t)EB_MESSAGE_MAX_ATTEMPTS + 1, NULL, &other), "max_attempts");
    CHECK_REFUSES(eb_message_new(WIDE + 1, NULL, &other), "max_attempts");
    CHECK_REFUSES(eb_message_new(INT64_MIN, NULL, &other), "max_attempts");
    CHECK_EQ(other, 99);
    CHECK_EQ(eb_message_new(EB_MESSAGE_MAX_ATTEMPTS, NULL, &other), EB_OK);
    CHECK_EQ(eb_message_close(other), EB_OK);
    static const int64_t attempts[] = {0, -1, INT64_MIN, (int64_t)EB_MESSAGE_MAX_ATTEMPTS + 1, WIDE + 1, INT64_MAX};
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++) {
        CHECK_REFUSES(eb_message_ack(broker, S("t"), S("g"), 0, attempts[i]), "attempt");
        CHECK_REFUSES(eb_message_nack(broker, S("t"), S("g"), 0, attempts[i]), "attempt");
    }
    CHECK_EQ(eb_message_ack(broker, S("t"), S("g"), 0, EB_MESSAGE_MAX_ATTEMPTS), 0);
    CHECK_REFUSES(eb_message_ack(broker, S("t"), S("g"), -1, 1), "offset");
    CHECK_REFUSES(eb_message_nack(broker, S("t"), S("g"), INT64_MIN, 1), "offset");
    CHECK_EQ(eb_message_ack(broker, S("t"), S("g"), INT64_MAX, 1), 0);
    CHECK_EQ(eb_message_ack(broker, S("t"), S("g"), WIDE, 1), 0);
    CHECK_EQ(eb_message_nack(broker, S("t"), S("g"), WIDE, 1), 0);
}

static void names(uint64_t broker) {
    char longest[EB_EVENT_MAX_IDENTIFIER + 1];
    memset(longest, 'n', sizeof longest);
    CHECK_EQ(eb_message_create_topic(broker, longest, EB_EVENT_MAX_IDENTIFIER), 1);
    CHECK_REFUSES(eb_message_create_topic(broker, longest, EB_EVENT_MAX_IDENTIFIER + 1), "topic");
    CHECK_REFUSES(eb_message_create_topic(broker, S("")), "topic");
    CHECK_REFUSES(eb_message_create_topic(broker, S("a\0b")), "topic"); /* a NUL cuts nothing off */
    CHECK_EQ(eb_message_create_topic(broker, S("a")), 1);
    CHECK_REFUSES(eb_message_poll(broker, S("t"), S("a b"), frame, size), "group");
    CHECK_FAILS(eb_message_publish(broker, S("orders"), S("x")), EB_INVALID_ARGUMENT,
                "invalid argument: topic: \"orders\" does not exist");
    CHECK_REFUSES(eb_message_poll(broker, S("orders"), S("g"), frame, size), "topic");
    CHECK_REFUSES(eb_message_ack(broker, S("orders"), S("g"), 0, 1), "topic");
    CHECK_REFUSES(eb_message_nack(broker, S("orders"), S("g"), 0, 1), "topic");
    CHECK_REFUSES(eb_message_dead_letters(broker, S("orders"), S("g"), frame, size), "topic");
    CHECK_REFUSES(eb_message_publish(broker, S("t"), S("\xff")), "payload");
}

int main(void) {
    uint64_t broker = message_broker_with_topic(1);
    CHECK_EQ(eb_message_publish(broker, S("t"), S("x")), 0);
    strings(broker, NULL, 0);
    strings(broker, NULL, 5);
    strings(broker, NULL, -1);
    strings(broker, "t", -1);
    strings(broker, "t", INT64_MIN);
    outputs(broker);
    /* None of the polls above delivered anything. */
    CHECK_EQ(eb_message_ack(broker, S("t"), S("g"), 0, 1), 0);
    CHECK_EQ(eb_message_poll(broker, S("t"), S("g"), frame, size), 1);
    integers(broker);
    names(broker);
    CHECK_EQ(eb_message_ack(broker, S("t"), S("g"), 0, 1), 1);
    CHECK_EQ(eb_message_publish(broker, S("t"), S("y")), 1);
    CHECK_EQ(eb_message_close(broker), EB_OK);
    return 0;
}
