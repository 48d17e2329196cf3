/* Batches that are wrong somewhere: refused and named, with no effect, and never a crash (EB-17). */
#include "frame.h"

#include <stdlib.h>

static uint64_t broker, topic, consumer;
static int64_t offsets[8];
static uint8_t acked[8];

/* By its names and by its handle, with memory that ends where the frame does. */
static int64_t publish(const void *messages, int64_t len, int64_t count) {
    const void *bytes = at_the_end_of_memory(messages, len);
    int64_t plain = eb_event_publish_many(broker, S("t"), bytes, len, count, offsets);
    CHECK_EQ(eb_event_topic_publish_many(topic, bytes, len, count, offsets), plain);
    return plain;
}

static int64_t ack(const eb_event_position *positions, int64_t count) {
    const void *bytes = at_the_end_of_memory(positions, count * (int64_t)sizeof *positions);
    int64_t plain = eb_event_ack_many(broker, S("t"), S("g"), S("m"), bytes, count, acked);
    CHECK_EQ(eb_event_consumer_ack_many(consumer, bytes, count, acked), plain);
    return plain;
}

struct two {
    eb_event_message headers[2];
    char payloads[32];
};

static const struct two sound = {{{0, 8}, {1, 8}}, "01234567abcdefgh"};
enum { SOUND_LEN = 2 * sizeof(eb_event_message) + 16 };

static void short_and_long(void) {
    for (int64_t len = 0; len < SOUND_LEN; len++)
        if (len % 8 == 0) /* memory that ends elsewhere begins misaligned */
            CHECK_REFUSES(publish(&sound, len, 2), "messages");
    CHECK_FAILS(publish(&sound, 24, 2), EB_INVALID_ARGUMENT, "invalid argument: messages: is shorter than its headers");
    CHECK_FAILS(publish(&sound, SOUND_LEN - 8, 2), EB_INVALID_ARGUMENT,
                "invalid argument: messages: does not have the payloads that its headers say");
    CHECK_FAILS(publish(&sound, SOUND_LEN + 8, 2), EB_INVALID_ARGUMENT,
                "invalid argument: messages: is longer than its headers say");
    CHECK_REFUSES(publish(&sound, SOUND_LEN, 0), "messages");
    CHECK_REFUSES(publish(&sound, SOUND_LEN, 1), "messages");
    CHECK_REFUSES(publish(&sound, SOUND_LEN, 3), "messages");
    CHECK_REFUSES(publish(&sound, 0, EB_EVENT_MAX_BATCH), "messages");
    for (int64_t len = 1; len < 48; len++) /* exact lengths, for AddressSanitizer */
        if (len != SOUND_LEN) {
            char *bytes = memcpy(malloc((size_t)len), &sound, (size_t)len);
            CHECK_REFUSES(eb_event_publish_many(broker, S("t"), bytes, len, 2, offsets), "messages");
            free(bytes);
        }
}

/* Lengths and partitions that no message has. */
static void hostile_numbers(void) {
    static const int64_t lies[] = {
        -2, INT64_MIN, INT64_MAX,           INT64_C(1) << 62, INT64_C(1) << 32, INT32_MAX, INT64_MAX - 31,
        17, 9,         -INT64_C(4294967296)};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++)
        for (int word = 0; word < 4; word++) {
            struct two liar = sound;
            memcpy((char *)&liar + 8 * word, &lies[i], 8);
            CHECK_REFUSES(publish(&liar, SOUND_LEN, 2), "messages");
        }
}

static int64_t publish_one_wrong(int64_t partition, int64_t len, const char *payload) {
    struct two messages = sound;
    messages.headers[1] = (eb_event_message){partition, len};
    memcpy(messages.payloads + 8, payload, len > 0 ? 8 : 0);
    return publish(&messages, SOUND_LEN - (len > 0 ? 0 : 8), 2);
}

static void elements(void) {
    CHECK_FAILS(publish_one_wrong(4, 8, "abcdefgh"), EB_INVALID_ARGUMENT,
                "invalid argument: messages: partition of message 1: 4 is outside 0 through 3");
    CHECK_FAILS(publish_one_wrong(1, 8,
                                  "abc\xff"
                                  "efgh"),
                EB_INVALID_ARGUMENT, "invalid argument: messages: payload of message 1: is not valid UTF-8 at byte 3");
    CHECK_FAILS(publish_one_wrong(1, -1, ""), EB_INVALID_ARGUMENT,
                "invalid argument: messages: payload of message 1: is null");
    CHECK_FAILS(ack((const eb_event_position[]){{3, 0}, {-1, 0}}, 2), EB_INVALID_ARGUMENT,
                "invalid argument: positions: partition of position 1: -1 is outside 0 through 3");
    CHECK_FAILS(ack((const eb_event_position[]){{0, -1}, {9, 0}}, 2), EB_INVALID_ARGUMENT,
                "invalid argument: positions: offset of position 0: -1 is negative");
    CHECK_REFUSES(ack((const eb_event_position[]){{0, 0}, {INT64_C(1) << 32, 0}}, 2), "positions");
    CHECK_REFUSES(ack((const eb_event_position[]){{0, INT64_MIN}}, 1), "positions");
}

/* One byte more than a payload may have, and a frame that claims to have no end. */
static void too_long(void) {
    struct {
        eb_event_message header;
        char payload[EB_EVENT_DEFAULT_PAYLOAD + 1];
    } one = {{0, sizeof one.payload}, "x"};
    CHECK_REFUSES(eb_event_publish_many(broker, S("t"), &one, 16 + (int64_t)sizeof one.payload, 1, offsets),
                  "messages");
    one.header.payload_len = INT64_MAX - 16;
    CHECK_FAILS(eb_event_publish_many(broker, S("t"), &one, INT64_MAX, 1, offsets), EB_INVALID_ARGUMENT,
                "invalid argument: messages: payload of message 0: is 9223372036854775791 bytes long; "
                "at most 1024 are allowed");
}

static void pointers(void) {
    const eb_event_position first = {0, 0};
    CHECK_REFUSES(eb_event_publish_many(broker, S("t"), NULL, SOUND_LEN, 2, offsets), "messages");
    CHECK_REFUSES(eb_event_publish_many(broker, S("t"), NULL, 0, 0, offsets), "messages");
    CHECK_REFUSES(eb_event_publish_many(broker, S("t"), &sound, -1, 2, offsets), "messages");
    CHECK_REFUSES(eb_event_publish_many(broker, S("t"), &sound, INT64_MIN, 0, offsets), "messages");
    CHECK_REFUSES(eb_event_publish_many(broker, S("t"), &sound, SOUND_LEN, -1, offsets), "count");
    CHECK_REFUSES(eb_event_publish_many(broker, S("t"), &sound, SOUND_LEN, INT64_MIN, offsets), "count");
    CHECK_REFUSES(eb_event_publish_many(broker, S("t"), &sound, SOUND_LEN, INT64_MAX, offsets), "messages");
    CHECK_REFUSES(eb_event_publish_many(broker, S("t"), &sound, SOUND_LEN, (INT64_C(1) << 32) + 2, offsets),
                  "messages");
    CHECK_REFUSES(eb_event_publish_many(broker, S("t"), &sound, SOUND_LEN, 2, NULL), "offsets");
    CHECK_REFUSES(eb_event_ack_many(broker, S("t"), S("g"), S("m"), NULL, 1, acked), "positions");
    CHECK_REFUSES(eb_event_ack_many(broker, S("t"), S("g"), S("m"), NULL, 0, acked), "positions");
    CHECK_REFUSES(eb_event_ack_many(broker, S("t"), S("g"), S("m"), &first, -1, acked), "count");
    CHECK_REFUSES(eb_event_ack_many(broker, S("t"), S("g"), S("m"), &first, INT64_MAX, acked), "positions");
    CHECK_REFUSES(eb_event_ack_many(broker, S("t"), S("g"), S("m"), &first, 1, NULL), "acked");
    for (int misaligned = 1; misaligned < 8; misaligned++) {
        char *m = (char *)&sound + misaligned;
        CHECK_REFUSES(eb_event_publish_many(broker, S("t"), m, 16, 1, offsets), "messages");
        CHECK_REFUSES(eb_event_publish_many(broker, S("t"), &sound, SOUND_LEN, 2, (void *)m), "offsets");
        CHECK_REFUSES(eb_event_ack_many(broker, S("t"), S("g"), S("m"), (void *)m, 1, acked), "positions");
    }
}

static void strings(const char *ptr, int64_t len) {
    const eb_event_position first = {0, 0};
    uint64_t handle = 7;
    CHECK_REFUSES(eb_event_publish_many(broker, ptr, len, &sound, SOUND_LEN, 2, offsets), "topic");
    CHECK_REFUSES(eb_event_ack_many(broker, ptr, len, S("g"), S("m"), &first, 1, acked), "topic");
    CHECK_REFUSES(eb_event_ack_many(broker, S("t"), ptr, len, S("m"), &first, 1, acked), "group");
    CHECK_REFUSES(eb_event_ack_many(broker, S("t"), S("g"), ptr, len, &first, 1, acked), "member");
    CHECK_REFUSES(eb_event_topic(broker, ptr, len, &handle), "topic");
    CHECK_EQ(handle, 7);
}

int main(void) {
    int32_t partitions[4];
    broker = broker_with_topic(1, 4);
    topic = topic_of(broker);
    consumer = consumer_of(topic);
    memset(acked, 7, sizeof acked);
    CHECK_EQ(eb_event_consumer_join(consumer, partitions, 4), 4);
    short_and_long();
    hostile_numbers();
    elements();
    too_long();
    pointers();
    strings(NULL, 1);
    strings("t", -1);
    strings("", 0);
    strings("t", INT64_MAX);
    for (int i = 0; i < 8; i++)
        CHECK(offsets[i] == 0 && acked[i] == 7);
    CHECK_EQ(publish(&sound, SOUND_LEN, 2), EB_OK); /* the first of all: nothing above left a record */
    CHECK(offsets[0] == -1 && offsets[1] == -1);    /* what the call through the handle found full */
    CHECK_EQ(eb_event_consumer_close(consumer), EB_OK);
    CHECK_EQ(eb_event_topic_close(topic), EB_OK);
    CHECK_EQ(eb_event_close(broker), EB_OK);
    return 0;
}
