/* Wrong arguments of the calls by handle: refused, named, and without effect. */
#include "check.h"

#define WIDE (INT64_C(1) << 32)

static uint64_t broker, topic, consumer;
static int32_t partitions[EB_EVENT_MAX_PARTITIONS];
static eb_event_record frame[16];
static const int64_t size = sizeof frame;
static const eb_event_message message = {0, 0};
static const eb_event_position first = {0, 0};

static void strings(const char *ptr, int64_t len) {
    uint64_t out = 7;
    CHECK_REFUSES(eb_event_topic_publish(topic, 0, ptr, len), "payload");
    CHECK_REFUSES(eb_event_consumer(topic, ptr, len, S("m"), &out), "group");
    CHECK_REFUSES(eb_event_consumer(topic, S("g"), ptr, len, &out), "member");
    CHECK_EQ(out, 7);
}

static void pointers(void) {
    int64_t offset;
    uint8_t acked;
    CHECK_REFUSES(eb_event_topic(broker, S("t"), NULL), "handle");
    CHECK_REFUSES(eb_event_consumer(topic, S("g"), S("m"), NULL), "handle");
    CHECK_REFUSES(eb_event_topic_publish_many(topic, NULL, 16, 1, &offset), "messages");
    CHECK_REFUSES(eb_event_topic_publish_many(topic, &message, -1, 1, &offset), "messages");
    CHECK_REFUSES(eb_event_topic_publish_many(topic, &message, 16, -1, &offset), "count");
    CHECK_REFUSES(eb_event_topic_publish_many(topic, &message, 16, 1, NULL), "offsets");
    CHECK_REFUSES(eb_event_consumer_join(consumer, NULL, 64), "partitions");
    CHECK_REFUSES(eb_event_consumer_join(consumer, partitions, -1), "cap");
    CHECK_REFUSES(eb_event_consumer_poll(consumer, 1, NULL, size), "buf");
    CHECK_REFUSES(eb_event_consumer_poll(consumer, 1, frame, -1), "cap");
    CHECK_REFUSES(eb_event_consumer_ack_many(consumer, NULL, 1, &acked), "positions");
    CHECK_REFUSES(eb_event_consumer_ack_many(consumer, &first, -1, &acked), "count");
    CHECK_REFUSES(eb_event_consumer_ack_many(consumer, &first, 1, NULL), "acked");
    for (int misaligned = 1; misaligned < 8; misaligned++) {
        char *m = (char *)frame + misaligned;
        CHECK_REFUSES(eb_event_topic_publish_many(topic, m, 16, 1, &offset), "messages");
        CHECK_REFUSES(eb_event_consumer_poll(consumer, 1, m, 64), "buf");
        CHECK_REFUSES(eb_event_consumer_ack_many(consumer, (void *)m, 1, &acked), "positions");
    }
}

/* No integer is cut to 32 bits, where each of these would be in its range. */
static void integers(void) {
    CHECK_REFUSES(eb_event_topic_publish(topic, WIDE, S("x")), "partition");
    CHECK_REFUSES(eb_event_topic_publish(topic, -1, S("x")), "partition");
    CHECK_REFUSES(eb_event_topic_publish(topic, INT64_MIN, S("x")), "partition");
    CHECK_REFUSES(eb_event_consumer_poll(consumer, 0, frame, size), "max_records");
    CHECK_REFUSES(eb_event_consumer_poll(consumer, 65, frame, size), "max_records");
    CHECK_REFUSES(eb_event_consumer_poll(consumer, WIDE + 1, frame, size), "max_records");
    CHECK_REFUSES(eb_event_consumer_poll(consumer, INT64_MIN, frame, size), "max_records");
    CHECK_REFUSES(eb_event_consumer_ack(consumer, WIDE, 0), "partition");
    CHECK_REFUSES(eb_event_consumer_ack(consumer, 0, -WIDE), "offset");
    CHECK_REFUSES(eb_event_consumer_retry(consumer, -WIDE, 0), "partition");
    CHECK_REFUSES(eb_event_consumer_retry(consumer, 0, INT64_MIN), "offset");
    CHECK_EQ(eb_event_consumer_ack(consumer, 0, WIDE), 0);
    CHECK_EQ(eb_event_consumer_retry(consumer, 0, 2 * WIDE), 0);
}

int main(void) {
    uint64_t out = 7;
    broker = broker_with_topic(1, 1);
    topic = topic_of(broker);
    consumer = consumer_of(topic);
    CHECK_EQ(eb_event_consumer_join(consumer, partitions, 64), 1);
    strings(NULL, 0);
    strings(NULL, 5);
    strings("m", -1);
    strings("m", INT64_MIN);
    strings("m", INT64_MAX);
    CHECK_REFUSES(eb_event_topic(broker, S("u"), &out), "topic");
    CHECK_REFUSES(eb_event_topic(broker, S("t\0"), &out), "topic");
    CHECK_REFUSES(eb_event_consumer(topic, S(""), S("m"), &out), "group");
    CHECK_REFUSES(eb_event_consumer(topic, S("g"), S("m\0"), &out), "member");
    CHECK_EQ(out, 7);
    pointers();
    CHECK_EQ(eb_event_topic_publish(topic, 0, S("x")), 0); /* the first of all: nothing above left a record */
    CHECK_EQ(eb_event_consumer_poll(consumer, 1, frame, size), 1);
    integers();
    CHECK_EQ(eb_event_consumer_ack(consumer, 0, 0), 1);
    CHECK_EQ(eb_event_consumer_close(consumer), EB_OK);
    CHECK_EQ(eb_event_topic_close(topic), EB_OK);
    CHECK_EQ(eb_event_close(broker), EB_OK);
    return 0;
}
