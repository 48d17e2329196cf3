/* A pool, its time-outs, and who waits for whom (PS-08, PS-11, PS-13). */
#include "check.h"

#include <pthread.h>

static uint64_t pool_of(int64_t workers, int64_t handler_timeout, int64_t retain, uint64_t *worker) {
    const eb_pubsub_options options = {
        .size = sizeof options, .dispatcher = EB_PUBSUB_POOL, .workers = workers, .handler_timeout = handler_timeout};
    uint64_t broker = 0;
    CHECK_EQ(eb_pubsub_new(&options, &broker), EB_OK);
    CHECK_EQ(eb_pubsub_create_topic(broker, S("t"), retain), 1);
    CHECK_EQ(eb_pubsub_pool(broker, worker), workers + (handler_timeout > 0)); /* one for the first to be late */
    CHECK(*worker != 0);
    return broker;
}

static void subscribe(uint64_t broker, const char *name, int64_t name_len, int64_t policy) {
    const eb_pubsub_subscription options = {.size = sizeof options, .policy = policy};
    uint64_t worker = 7;
    CHECK_EQ(eb_pubsub_subscribe(broker, S("t"), name, name_len, 1, &options, &worker), EB_OK);
    CHECK_EQ(worker, 0);
}

static void take(uint64_t worker, struct delivery *d) { CHECK_EQ(eb_pubsub_wait(worker, 60000, d, sizeof *d), 1); }

/* A call past its time-out has failed; another thread stands in until it comes back. */
static void time_out(void) {
    uint64_t worker = 0, broker = pool_of(1, 1, 0, &worker);
    struct delivery lost, other;
    subscribe(broker, S("lost"), EB_PUBSUB_DROP);
    subscribe(broker, S("other"), EB_PUBSUB_DROP);
    CHECK_EQ(eb_pubsub_publish(broker, S("t"), S("x")), 0);
    take(worker, &lost);
    CHECK_EQ(lost.header.start_worker, 0);
    take(worker, &other); /* which waits until the one before is late, since the pool has one worker */
    CHECK_EQ(other.header.start_worker, 1); /* another in the place of the one that is lost */
    CHECK(eb_pubsub_settle(other.header.token, EB_PUBSUB_CONFIRMED, NULL, 0) >= 0);
    CHECK_EQ(eb_pubsub_settle(lost.header.token, EB_PUBSUB_CONFIRMED, NULL, 0), 0); /* its thread is one too many */
    CHECK_EQ(eb_pubsub_offset(broker, S("t"), S("lost")), 0);                       /* and its answer came too late */
    CHECK_EQ(eb_pubsub_close(broker, 60000), EB_OK);
    CHECK_EQ(eb_pubsub_wait(worker, 60000, &other, sizeof other), EB_CLOSED);
    CHECK_EQ(eb_pubsub_end(worker), EB_OK);
}

/* Takes a delivery on a thread of its own, so that the caller is outside of the handler. */
static void *take_there(void *worker) {
    static struct delivery d;
    take(*(uint64_t *)worker, &d);
    return &d.header.token;
}

static uint64_t taken_elsewhere(uint64_t worker) {
    pthread_t thread;
    void *token;
    CHECK_EQ(pthread_create(&thread, NULL, take_there, &worker), 0);
    CHECK_EQ(pthread_join(thread, &token), 0);
    return *(uint64_t *)token;
}

/* Closing waits for what runs elsewhere, as long as it is told to. */
static void closing(void) {
    uint64_t worker = 0, broker = pool_of(1, 0, 0, &worker);
    subscribe(broker, S("n"), EB_PUBSUB_DROP);
    CHECK_EQ(eb_pubsub_publish(broker, S("t"), S("x")), 0);
    uint64_t token = taken_elsewhere(worker);
    CHECK_REFUSES(eb_pubsub_close(broker, -1), "timeout_ms");
    CHECK_EQ(eb_pubsub_close(broker, 0), EB_TIMED_OUT);
    CHECK_EQ(eb_pubsub_publish(broker, S("t"), S("x")), EB_CLOSED);
    CHECK_EQ(eb_pubsub_close(broker, 1), EB_TIMED_OUT);
    CHECK_EQ(eb_pubsub_settle(token, EB_PUBSUB_CONFIRMED, NULL, 0), 1); /* by a thread that did not take it */
    CHECK_EQ(eb_pubsub_close(broker, 60000), EB_OK);
    CHECK_EQ(eb_pubsub_end(worker), EB_OK);
}

static void *publish_waiting(void *broker) {
    CHECK_EQ(eb_pubsub_publish_wait(*(uint64_t *)broker, S("t"), S("waited"), 60000), 1);
    return NULL;
}

/* A full topic: publishers wait for whoever blocks, but not inside a handler. */
static void blocking(void) {
    struct delivery d;
    pthread_t publisher;
    uint64_t worker = 0, broker = pool_of(1, 0, 1, &worker);
    subscribe(broker, S("n"), EB_PUBSUB_BLOCK);
    CHECK_EQ(eb_pubsub_publish(broker, S("t"), S("x")), 0);
    CHECK_EQ(eb_pubsub_publish(broker, S("t"), S("x")), EB_TIMED_OUT);
    CHECK_EQ(eb_pubsub_publish_wait(broker, S("t"), S("x"), 1), EB_TIMED_OUT);
    take(worker, &d);
    CHECK_EQ(eb_pubsub_publish_wait(broker, S("t"), S("x"), INT64_MAX), EB_TIMED_OUT);
    CHECK(strstr(last_error(), "full") != NULL);
    CHECK_EQ(pthread_create(&publisher, NULL, publish_waiting, &broker), 0);
    CHECK_EQ(eb_pubsub_settle(d.header.token, EB_PUBSUB_CONFIRMED, NULL, 0), 1);
    CHECK_EQ(pthread_join(publisher, NULL), 0);
    CHECK_EQ(eb_pubsub_close(broker, 0), EB_OK);
    CHECK_EQ(eb_pubsub_end(worker), EB_OK);
}

int main(void) {
    time_out();
    closing();
    blocking();
    return 0;
}
