/* A lane: the thread of one subscription, as a program in C would have it (PS-11). */
#include "check.h"

#include <pthread.h>

/* A subscription's handler, and the worker its lane waits on. */
struct lane {
    uint64_t worker;
    int64_t confirmed;
    pthread_t thread;
};

static void handle(struct lane *lane, const char *payload, int64_t payload_len) {
    CHECK(payload_len == 1 && *payload == 'x');
    lane->confirmed++;
}

/* Takes deliveries until the subscription, or the broker, ends. */
static void *run_lane(void *argument) {
    struct lane *lane = argument;
    struct delivery d;
    int64_t taken;
    while ((taken = eb_pubsub_wait(lane->worker, 100, &d, sizeof d)) >= 0) {
        if (taken == 0)
            continue; /* nothing came; a program may look at its own things here */
        handle(lane, d.text + d.header.topic_len, d.header.payload_len);
        CHECK_EQ(eb_pubsub_settle(d.header.token, EB_PUBSUB_CONFIRMED, NULL, 0), 1);
    }
    CHECK_EQ(taken, EB_CLOSED);
    CHECK_EQ(eb_pubsub_end(lane->worker), EB_OK);
    return NULL;
}

static void start(uint64_t broker, const char *name, int64_t name_len, struct lane *lane) {
    lane->confirmed = 0;
    CHECK_EQ(eb_pubsub_subscribe(broker, S("t"), name, name_len, 1, NULL, &lane->worker), EB_OK);
    CHECK(lane->worker != 0);
    CHECK_EQ(pthread_create(&lane->thread, NULL, run_lane, lane), 0);
}

static void wait_for_offset(uint64_t broker, const char *name, int64_t name_len, int64_t offset) {
    for (int i = 0; eb_pubsub_offset(broker, S("t"), name, name_len) < offset; i++) {
        CHECK(i < 60000);
        usleep(1000);
    }
}

int main(void) {
    enum { MESSAGES = 1000 };
    struct lane billing, email;
    uint64_t broker = pubsub_broker_with_topic(EB_PUBSUB_LANES), walk = 7;
    start(broker, S("billing"), &billing);
    start(broker, S("email"), &email);
    for (int i = 0; i < MESSAGES; i++)
        CHECK_EQ(eb_pubsub_publish(broker, S("t"), S("x")), i);
    wait_for_offset(broker, S("billing"), MESSAGES);
    wait_for_offset(broker, S("email"), MESSAGES);
    CHECK_EQ(eb_pubsub_drain(broker, &walk), EB_OK);
    CHECK_EQ(walk, 0);
    CHECK_EQ(eb_pubsub_unsubscribe(broker, S("t"), S("email")), 1);
    CHECK_EQ(pthread_join(email.thread, NULL), 0);
    CHECK_EQ(eb_pubsub_close(broker, 60000), EB_OK);
    CHECK_EQ(pthread_join(billing.thread, NULL), 0);
    CHECK_EQ(billing.confirmed, MESSAGES);
    CHECK_EQ(email.confirmed, MESSAGES);
    return 0;
}
