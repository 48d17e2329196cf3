/* Eight threads on one handle, in all calls at once (EB-15). */
#include "check.h"

#include <pthread.h>

enum { THREADS = 8, EACH = 2000 };

static uint64_t broker;
static pthread_barrier_t barrier;

struct worker {
    int number;
    int64_t published;
    int64_t acknowledged;
};

static int64_t poll_and_ack(const char *member, eb_event_record *frame, int64_t size) {
    int64_t acknowledged = 0;
    int64_t count = eb_event_poll(broker, S("t"), S("g"), member, 2, 64, frame, size);
    CHECK(count >= 0);
    for (int64_t i = 0; i < count; i++) {
        int64_t answer = eb_event_ack(broker, S("t"), S("g"), member, 2, frame[i].partition, frame[i].offset);
        CHECK(answer == 0 || answer == 1);
        acknowledged += answer;
    }
    return acknowledged;
}

/* Everybody's group is rebalanced all the time: nothing may be lost or counted twice. */
static void *work(void *argument) {
    struct worker *worker = argument;
    eb_event_record frame[256];
    int32_t partitions[THREADS];
    char member[2] = {'m', (char)('0' + worker->number)};
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < EACH; i++) {
        worker->published += eb_event_publish(broker, S("t"), i % THREADS, S("x")) >= 0;
        if (i % 16 == 0)
            CHECK(eb_event_join(broker, S("t"), S("g"), member, 2, partitions, THREADS) >= 0);
        worker->acknowledged += poll_and_ack(member, frame, (int64_t)sizeof frame);
        CHECK(eb_event_retry(broker, S("t"), S("g"), member, 2, i % THREADS, i) >= 0);
        CHECK_EQ(eb_event_create(broker, S("t"), 1), 0);
        CHECK_REFUSES(eb_event_publish(broker, S("t"), THREADS, S("x")), "partition");
        if (i % 64 == 63)
            CHECK(eb_event_leave(broker, S("t"), S("g"), member, 2) >= 0);
    }
    return NULL;
}

/* What is still there belongs to one last member. */
static int64_t drain(void) {
    eb_event_record frame[256];
    int32_t partitions[THREADS];
    int64_t all = 0, some;
    for (int i = 0; i < THREADS; i++) {
        char member[2] = {'m', (char)('0' + i)};
        eb_event_leave(broker, S("t"), S("g"), member, 2);
    }
    CHECK_EQ(eb_event_join(broker, S("t"), S("g"), S("zz"), partitions, THREADS), THREADS);
    while ((some = poll_and_ack("zz", frame, (int64_t)sizeof frame)) > 0)
        all += some;
    return all;
}

static void *close_now(void *argument) {
    pthread_barrier_wait(&barrier);
    CHECK_EQ(eb_event_close(broker), EB_OK);
    return argument;
}

static void *call_until_closed(void *argument) {
    int64_t answer = 0;
    pthread_barrier_wait(&barrier);
    while (answer >= -1)
        answer = eb_event_publish(broker, S("t"), 0, S("x"));
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
    struct worker workers[THREADS] = {{0, 0, 0}};
    int64_t published = 0, acknowledged = 0;
    int32_t partitions[THREADS];
    broker = broker_with_topic(1000, THREADS);
    CHECK_EQ(eb_event_join(broker, S("t"), S("g"), S("m0"), partitions, THREADS), THREADS);
    for (int i = 0; i < THREADS; i++)
        workers[i].number = i;
    run(work, work, workers);
    for (int i = 0; i < THREADS; i++) {
        published += workers[i].published;
        acknowledged += workers[i].acknowledged;
    }
    CHECK_EQ(acknowledged + drain(), published);

    run(close_now, call_until_closed, workers);
    return 0;
}
