/* A panic inside is an answer, and poisons the one broker. Needs a library with the tag ebtest. */
#include "check.h"

#include <pthread.h>

int64_t eb_test_panic(uint64_t broker);
int64_t eb_test_panic_new(uint64_t *broker);

static void in_a_constructor(void) {
    uint64_t broker = 7;
    CHECK_EQ(eb_test_panic_new(&broker), EB_INTERNAL);
    CHECK(strstr(last_error(), "asked to") != NULL);
    CHECK_EQ(broker, 7);
    CHECK_EQ(eb_event_new(1, NULL, &broker), EB_OK); /* the library works on */
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

/* Waits until there is no sense in it any more, and ends its worker. */
static void *run_lane(void *argument) {
    uint64_t worker = *(uint64_t *)argument;
    struct delivery d;
    int64_t taken;
    while ((taken = eb_pubsub_wait(worker, EB_PUBSUB_MAX_TIMEOUT, &d, sizeof d)) == 1)
        CHECK_EQ(eb_pubsub_settle(d.header.token, EB_PUBSUB_CONFIRMED, NULL, 0), 1);
    CHECK(taken == EB_CLOSED || taken == EB_INTERNAL);
    CHECK_EQ(eb_pubsub_end(worker), EB_OK);
    CHECK_EQ(eb_pubsub_wait(worker, 0, &d, sizeof d), EB_CLOSED);
    return NULL;
}

/* Threads that wait in a broker which is unusable end when it is closed. */
static void beside_a_lane(void) {
    uint64_t broker = pubsub_broker_with_topic(EB_PUBSUB_LANES), worker;
    pthread_t lane;
    CHECK_EQ(eb_pubsub_subscribe(broker, S("t"), S("n"), 1, NULL, &worker), EB_OK);
    CHECK_EQ(pthread_create(&lane, NULL, run_lane, &worker), 0);
    CHECK_EQ(eb_pubsub_publish(broker, S("t"), S("x")), 0);
    while (eb_pubsub_offset(broker, S("t"), S("n")) == 0)
        usleep(1000);
    CHECK_EQ(eb_test_panic(broker), EB_INTERNAL);
    CHECK_EQ(eb_pubsub_publish(broker, S("t"), S("x")), EB_INTERNAL);
    CHECK_EQ(eb_pubsub_close(broker, 60000), EB_OK);
    CHECK_EQ(pthread_join(lane, NULL), 0);
    CHECK_EQ(eb_pubsub_publish(broker, S("t"), S("x")), EB_CLOSED);
}

/* A panic in any call poisons the broker and all its handles, which can be closed nevertheless. */
static void through_a_handle(void) {
    uint64_t broker = broker_with_topic(1, 1), topic = topic_of(broker), consumer = consumer_of(topic);
    CHECK_EQ(eb_test_panic(consumer), EB_INTERNAL);
    check_every_event_call(broker, EB_INTERNAL);
    check_every_topic_call(topic, EB_INTERNAL);
    check_every_consumer_call(consumer, EB_INTERNAL);
    CHECK_EQ(eb_event_topic_publish(topic, 0, NULL, 0), EB_INTERNAL);
    CHECK_EQ(eb_event_consumer_close(consumer), EB_OK);
    check_every_consumer_call(consumer, EB_CLOSED);
    CHECK_EQ(eb_event_close(broker), EB_OK);
    check_every_topic_call(topic, EB_INTERNAL);
    CHECK_EQ(eb_event_topic_close(topic), EB_OK);
    check_every_topic_call(topic, EB_CLOSED);
}

int main(void) {
    in_a_constructor();
    beside_a_lane();
    through_a_handle();
    uint64_t broken = broker_with_topic(1, 1), sound = broker_with_topic(1, 1);
    CHECK_EQ(eb_test_panic(broken), EB_INTERNAL);
    CHECK(strstr(last_error(), "asked to") != NULL);

    CHECK_REFUSES(eb_event_create(sound, S(""), 1), "topic"); /* another message in between */
    check_every_call(broken, EB_INTERNAL);
    CHECK_EQ(eb_event_create(broken, NULL, 0, 1), EB_INTERNAL);
    CHECK(strstr(last_error(), "asked to") != NULL);

    CHECK_EQ(eb_event_publish(sound, S("t"), 0, S("x")), 0);
    CHECK_EQ(eb_event_close(broken), EB_OK);
    check_every_call(broken, EB_CLOSED);
    CHECK_EQ(eb_event_close(sound), EB_OK);
    CHECK_EQ(eb_test_panic(sound), EB_CLOSED);
    return 0;
}
