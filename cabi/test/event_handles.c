/* Handles for a topic and a consumer do what the plain calls do, and stand for names (EB-18). */
#include "check.h"

#include <stdlib.h>

static int32_t partitions[EB_EVENT_MAX_PARTITIONS];

struct frame {
    eb_event_record header;
    char payload[8];
};

static void every_call(void) {
    uint64_t broker = broker_with_topic(2, 1), topic = topic_of(broker), consumer = consumer_of(topic);
    struct frame frame;
    const eb_event_message message = {0, 0};
    const eb_event_position next = {0, 1};
    int64_t offset = -7;
    uint8_t acked = 7;
    CHECK_EQ(eb_event_consumer_leave(consumer), 0); /* its handle did not join */
    CHECK_EQ(eb_event_consumer_poll(consumer, 1, &frame, sizeof frame), 0);
    CHECK_EQ(eb_event_consumer_join(consumer, partitions, 1), 1);
    CHECK_EQ(eb_event_topic_publish(topic, 0, S("a")), 0);
    CHECK_EQ(eb_event_topic_publish_many(topic, &message, sizeof message, 1, &offset), EB_OK);
    CHECK_EQ(offset, 1);
    CHECK_EQ(eb_event_topic_publish(topic, 0, S("full")), -1);
    CHECK_EQ(eb_event_consumer_poll(consumer, 64, &frame, sizeof frame), 1);
    CHECK(frame.header.payload_len == 1 && frame.payload[0] == 'a');
    CHECK_EQ(eb_event_consumer_retry(consumer, 0, 0), 1);
    CHECK_EQ(eb_event_consumer_retry(consumer, 0, 0), 0);
    CHECK_EQ(eb_event_consumer_poll(consumer, 1, &frame, sizeof frame), 1);
    CHECK_EQ(eb_event_consumer_ack(consumer, 0, 0), 1);
    CHECK_EQ(eb_event_consumer_poll(consumer, 1, &frame, sizeof frame), 1);
    CHECK_EQ(eb_event_consumer_ack_many(consumer, &next, 1, &acked), EB_OK);
    CHECK_EQ(acked, 1);
    CHECK_EQ(eb_event_consumer_leave(consumer), 1);
    CHECK_EQ(eb_event_consumer_close(consumer), EB_OK);
    CHECK_EQ(eb_event_topic_close(topic), EB_OK);
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

/* A member that leaves and comes back, by whatever way, is the consumer's again. */
static void names_and_not_memberships(void) {
    uint64_t broker = broker_with_topic(1, 1), topic = topic_of(broker), consumer = consumer_of(topic);
    uint64_t same = consumer_of(topic);
    struct frame frame;
    CHECK(same != consumer);
    CHECK_EQ(eb_event_topic_publish(topic, 0, S("a")), 0);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(eb_event_join(broker, S("t"), S("g"), S("m"), partitions, 64), 1);
        CHECK_EQ(eb_event_consumer_poll(i % 2 == 0 ? consumer : same, 1, &frame, sizeof frame), 1);
        CHECK_EQ(eb_event_leave(broker, S("t"), S("g"), S("m")), 1);
        CHECK_EQ(eb_event_consumer_ack(consumer, 0, 0), 0); /* the delivery ended with the membership */
        CHECK_EQ(eb_event_consumer_poll(consumer, 1, &frame, sizeof frame), 0);
    }
    CHECK_EQ(eb_event_consumer_close(same), EB_OK);
    CHECK_EQ(eb_event_consumer_join(consumer, partitions, 64), 1);
    CHECK_EQ(eb_event_topic_close(topic), EB_OK); /* its consumers' handles go on */
    CHECK_EQ(eb_event_consumer_poll(consumer, 1, &frame, sizeof frame), 1);
    CHECK_EQ(eb_event_consumer_close(consumer), EB_OK);
    CHECK_EQ(eb_event_ack(broker, S("t"), S("g"), S("m"), 0, 0), 1); /* the member did not leave */
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

/* Nothing happened, and eb_needed is exactly what does. */
static void too_small(void) {
    uint64_t broker = broker_with_topic(1, 4), topic = topic_of(broker), consumer = consumer_of(topic);
    for (int64_t cap = 0; cap < 4; cap++) {
        CHECK_EQ(eb_event_consumer_join(consumer, partitions, cap), EB_BUFFER_TOO_SMALL);
        CHECK_EQ(eb_needed(), 16);
    }
    CHECK_EQ(eb_event_consumer_leave(consumer), 0);
    CHECK_EQ(eb_event_consumer_join(consumer, partitions, 4), 4);
    for (int p = 0; p < 4; p++)
        CHECK_EQ(eb_event_topic_publish(topic, p, S("xyz")), 0);
    for (int64_t max = 1; max <= 4; max += 3) /* a few records and many are polled in two ways */
        for (int64_t cap = 0; cap < max * 19; cap++) {
            void *buf = malloc((size_t)cap + (cap == 0));
            CHECK_EQ(eb_event_consumer_poll(consumer, max == 1 ? 1 : 64, buf, cap), EB_BUFFER_TOO_SMALL);
            CHECK_EQ(eb_needed(), max * 19);
            free(buf);
        }
    char *exact = malloc(4 * 19);
    CHECK_EQ(eb_event_consumer_poll(consumer, 64, exact, 4 * 19), 4);
    CHECK(memcmp(exact + 64, "xyzxyzxyzxyz", 12) == 0);
    free(exact);
    CHECK_EQ(eb_event_consumer_close(consumer), EB_OK);
    CHECK_EQ(eb_event_topic_close(topic), EB_OK);
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

/* Its handles say closed, whatever else is wrong, and are closed after it or before. */
static void broker_closed_first(void) {
    uint64_t broker = broker_with_topic(1, 1), topic = topic_of(broker), consumer = consumer_of(topic), out = 7;
    CHECK_EQ(eb_event_close(broker), EB_OK);
    check_every_topic_call(topic, EB_CLOSED);
    check_every_consumer_call(consumer, EB_CLOSED);
    CHECK_EQ(eb_event_topic_publish(topic, 9, S("x")), EB_CLOSED);
    CHECK_EQ(eb_event_topic_publish(topic, 0, NULL, 0), EB_CLOSED);
    CHECK_EQ(eb_event_topic_publish_many(topic, NULL, 0, 0, NULL), EB_CLOSED);
    CHECK_EQ(eb_event_topic_publish_many(topic, &out, 8, 1, (void *)&out), EB_CLOSED);
    CHECK_EQ(eb_event_topic_publish_many(topic, &out, 8, EB_EVENT_MAX_BATCH + 1, (void *)&out), EB_CLOSED);
    CHECK_EQ(eb_event_consumer(topic, NULL, 0, S("m"), &out), EB_CLOSED);
    CHECK_EQ(eb_event_consumer(topic, S(""), S("m"), &out), EB_CLOSED);
    CHECK_EQ(eb_event_consumer(topic, S("g"), S("m"), NULL), EB_CLOSED);
    CHECK_EQ(eb_event_consumer_join(consumer, NULL, -1), EB_CLOSED);
    CHECK_EQ(eb_event_consumer_poll(consumer, 0, NULL, -1), EB_CLOSED);
    CHECK_EQ(eb_event_consumer_ack(consumer, -1, -1), EB_CLOSED);
    CHECK_EQ(eb_event_consumer_ack_many(consumer, NULL, -1, NULL), EB_CLOSED);
    CHECK_EQ(eb_event_consumer_ack_many(consumer, (void *)&out, EB_EVENT_MAX_BATCH + 1, (void *)&out), EB_CLOSED);
    CHECK_EQ(out, 7);
    CHECK_FAILS(eb_event_topic_publish(topic, 0, S("x")), EB_CLOSED, "broker is closed");
    CHECK_FAILS(eb_event_consumer_leave(consumer), EB_CLOSED, "broker is closed");
    CHECK_EQ(eb_event_consumer_close(consumer), EB_OK);
    CHECK_EQ(eb_event_topic_close(topic), EB_OK);
}

/* What a handle stands for is all that it answers to, close included. */
static void of_another_kind(void) {
    uint64_t broker = broker_with_topic(1, 1), topic = topic_of(broker), consumer = consumer_of(topic);
    check_every_topic_call(broker, EB_CLOSED);
    check_every_topic_call(consumer, EB_CLOSED);
    check_every_consumer_call(broker, EB_CLOSED);
    check_every_consumer_call(topic, EB_CLOSED);
    check_every_event_call(topic, EB_CLOSED);
    check_every_event_call(consumer, EB_CLOSED);
    check_every_message_call(topic, EB_CLOSED);
    check_every_pubsub_call(consumer, EB_CLOSED);
    for (int i = 0; i < 3; i++) {
        const uint64_t handle = i == 0 ? broker : i == 1 ? topic : consumer;
        CHECK_EQ(i == 0 ? EB_OK : eb_event_close(handle), EB_OK);
        CHECK_EQ(i == 1 ? EB_OK : eb_event_topic_close(handle), EB_OK);
        CHECK_EQ(i == 2 ? EB_OK : eb_event_consumer_close(handle), EB_OK);
        CHECK_EQ(eb_message_close(handle), EB_OK);
        CHECK_EQ(eb_pubsub_close(handle, 0), EB_OK);
        CHECK_EQ(eb_pubsub_end(handle), EB_OK);
    }
    CHECK_EQ(eb_event_topic_publish(topic, 0, S("x")), 0);
    CHECK_EQ(eb_event_consumer_leave(consumer), 0);
    CHECK_EQ(eb_event_consumer_close(consumer), EB_OK);
    check_every_consumer_call(consumer, EB_CLOSED);
    CHECK_EQ(eb_event_topic_close(topic), EB_OK);
    CHECK_EQ(eb_event_topic_close(topic), EB_OK);
    check_every_topic_call(topic, EB_CLOSED);
    CHECK_FAILS(eb_event_topic_publish(topic, 0, S("x")), EB_CLOSED, "topic is closed");
    CHECK_FAILS(eb_event_topic_publish(broker, 0, NULL, 0), EB_CLOSED, "topic is closed");
    CHECK_FAILS(eb_event_consumer_ack(consumer, 0, 0), EB_CLOSED, "consumer is closed");
    CHECK_FAILS(eb_event_leave(topic, S("t"), S("g"), S("m")), EB_CLOSED, "broker is closed");
    CHECK_EQ(eb_event_publish(broker, S("t"), 0, S("x")), -1);
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

/* Slots are used again, and no handle stands for what came later: a leak would
 * have the numbers of slots grow with the rounds. */
static void open_close_loop(void) {
    uint64_t broker = broker_with_topic(1, 1), stale_topic = topic_of(broker),
             stale_consumer = consumer_of(stale_topic);
    CHECK_EQ(eb_event_consumer_close(stale_consumer), EB_OK);
    CHECK_EQ(eb_event_topic_close(stale_topic), EB_OK);
    for (int i = 0; i < 20000; i++) {
        uint64_t topic = topic_of(broker), consumer = consumer_of(topic);
        CHECK((uint32_t)topic <= 16 && (uint32_t)consumer <= 16);
        if (i % 1000 == 0) {
            check_every_topic_call(stale_topic, EB_CLOSED);
            check_every_consumer_call(stale_consumer, EB_CLOSED);
        }
        CHECK_EQ(eb_event_topic_close(stale_topic), EB_OK);
        CHECK_EQ(eb_event_consumer_close(stale_consumer), EB_OK);
        CHECK_EQ(eb_event_consumer_leave(consumer), 0);
        CHECK_EQ(eb_event_topic_close(topic), EB_OK);
        CHECK_EQ(eb_event_consumer_close(consumer), EB_OK);
    }
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

int main(void) {
    every_call();
    names_and_not_memberships();
    too_small();
    broker_closed_first();
    of_another_kind();
    open_close_loop();
    return 0;
}
