/* Eight threads on one topic's handle and one consumer's, in all calls at once (EB-15, EB-17, EB-18). */
#include "check.h"

#include <pthread.h>

enum { THREADS = 8, EACH = 1000, BATCH = 16 };

static uint64_t broker, topic, consumer;
static pthread_barrier_t barrier;

struct worker {
    int64_t published, acknowledged;
};

static int64_t publish_batch(void) {
    eb_event_message messages[BATCH];
    int64_t offsets[BATCH], published = 0;
    for (int i = 0; i < BATCH; i++)
        messages[i] = (eb_event_message){i % THREADS, 0};
    CHECK_EQ(eb_event_topic_publish_many(topic, messages, sizeof messages, BATCH, offsets), EB_OK);
    for (int i = 0; i < BATCH; i++)
        published += offsets[i] >= 0;
    for (int i = THREADS; i < BATCH; i++) /* at one point: nothing of another thread's lies between */
        CHECK(offsets[i] == -1 || offsets[i] == offsets[i - THREADS] + 1);
    return published;
}

static int64_t poll_and_ack(void) {
    eb_event_record frame[64];
    eb_event_position positions[64];
    uint8_t acked[64];
    int64_t acknowledged = 0, count = eb_event_consumer_poll(consumer, 64, frame, sizeof frame);
    CHECK(count >= 0);
    for (int64_t i = 0; i < count; i++)
        positions[i] = (eb_event_position){frame[i].partition, frame[i].offset};
    CHECK_EQ(eb_event_consumer_ack_many(consumer, positions, count, acked), EB_OK);
    for (int64_t i = 0; i < count; i++)
        acknowledged += acked[i];
    return acknowledged;
}

static void *work(void *argument) {
    struct worker *worker = argument;
    int32_t partitions[THREADS];
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < EACH; i++) {
        worker->published += publish_batch() + (eb_event_topic_publish(topic, i % THREADS, S("x")) >= 0);
        worker->acknowledged += poll_and_ack();
        CHECK(eb_event_consumer_retry(consumer, i % THREADS, i) >= 0);
        if (i % 32 == 31)
            CHECK(eb_event_consumer_leave(consumer) >= 0);
        if (i % 4 == 0)
            CHECK(eb_event_consumer_join(consumer, partitions, THREADS) >= 0);
        uint64_t own = consumer_of(topic); /* the table of handles grows and shrinks meanwhile */
        CHECK_EQ(eb_event_consumer_close(own), EB_OK);
    }
    return NULL;
}

/* One of the threads closes a handle, or the broker, while the others call. */
static int64_t (*close_it)(uint64_t);
static uint64_t what;

static void *close_now(void *argument) {
    pthread_barrier_wait(&barrier);
    CHECK_EQ(close_it(what), EB_OK);
    return argument;
}

static void *call_until_closed(void *argument) {
    int64_t answer = 0;
    pthread_barrier_wait(&barrier);
    while (answer >= -1)
        answer = eb_event_topic_publish(topic, 0, S("x"));
    CHECK_EQ(answer, EB_CLOSED);
    return argument;
}

static void run(void *(*first)(void *), void *(*others)(void *), struct worker *workers) {
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, i == 0 ? first : others, &workers[i]), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    pthread_barrier_destroy(&barrier);
}

int main(void) {
    struct worker workers[THREADS] = {{0, 0}};
    int64_t published = 0, acknowledged = 0, some;
    int32_t partitions[THREADS];
    broker = broker_with_topic(1000, THREADS);
    topic = topic_of(broker);
    consumer = consumer_of(topic);
    CHECK_EQ(eb_event_consumer_join(consumer, partitions, THREADS), THREADS);
    run(work, work, workers);
    for (int i = 0; i < THREADS; i++) {
        published += workers[i].published;
        acknowledged += workers[i].acknowledged;
    }
    eb_event_consumer_leave(consumer); /* what was in flight comes again */
    CHECK_EQ(eb_event_consumer_join(consumer, partitions, THREADS), THREADS);
    while ((some = poll_and_ack()) > 0)
        acknowledged += some;
    CHECK_EQ(acknowledged, published);

    close_it = eb_event_topic_close;
    what = topic;
    run(close_now, call_until_closed, workers);
    topic = topic_of(broker);
    close_it = eb_event_close;
    what = broker;
    run(close_now, call_until_closed, workers);
    CHECK_EQ(eb_event_topic_close(topic), EB_OK);
    CHECK_EQ(eb_event_consumer_close(consumer), EB_OK);
    return 0;
}
