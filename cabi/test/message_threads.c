/* Eight threads on one group of a message broker (MB-11): each delivery is settled once. */
#include "check.h"

#include <pthread.h>

enum { THREADS = 8, EACH = 1000, ATTEMPTS = 2 };

static uint64_t broker;
static pthread_barrier_t barrier;

struct counts {
    int64_t acknowledged, refused;
};

static void settle(int64_t offset, int64_t attempt, struct counts *counts) {
    int64_t answer;
    if (offset % 2 == 0) {
        answer = eb_message_ack(broker, S("t"), S("g"), offset, attempt);
        counts->acknowledged += answer;
    } else {
        answer = eb_message_nack(broker, S("t"), S("g"), offset, attempt);
        counts->refused += answer;
    }
    CHECK(answer == 0 || answer == 1);
}

static void *work(void *argument) {
    eb_message_header frame[8];
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < EACH; i++)
        CHECK(eb_message_publish(broker, S("t"), S("x")) >= 0);
    pthread_barrier_wait(&barrier);
    for (int64_t count; (count = eb_message_poll(broker, S("t"), S("g"), frame, sizeof frame)) != 0;) {
        CHECK_EQ(count, 1);
        CHECK(frame[0].attempts >= 1 && frame[0].attempts <= ATTEMPTS);
        settle(frame[0].offset, frame[0].attempts, argument);
        CHECK_REFUSES(eb_message_ack(broker, S("t"), S("g"), 0, 0), "attempt");
    }
    return NULL;
}

static void *close_or_call(void *first) {
    int64_t answer = 0;
    pthread_barrier_wait(&barrier);
    if (first != NULL)
        CHECK_EQ(eb_message_close(broker), EB_OK);
    while (answer >= -1)
        answer = eb_message_publish(broker, S("t"), S("x"));
    CHECK_EQ(answer, EB_CLOSED);
    return NULL;
}

static void run(void *(*body)(void *), void *arguments[THREADS]) {
    pthread_t threads[THREADS];
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, body, arguments[i]), 0);
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    pthread_barrier_destroy(&barrier);
}

int main(void) {
    static eb_message_header frame[2 * THREADS * EACH];
    struct counts counts[THREADS] = {{0, 0}}, all = {0, 0};
    void *arguments[THREADS];
    broker = message_broker_with_topic(ATTEMPTS);
    for (int i = 0; i < THREADS; i++)
        arguments[i] = &counts[i];
    run(work, arguments);
    for (int i = 0; i < THREADS; i++) {
        all.acknowledged += counts[i].acknowledged;
        all.refused += counts[i].refused;
    }
    CHECK_EQ(all.acknowledged, THREADS * EACH / 2);
    CHECK_EQ(all.refused, ATTEMPTS * THREADS * EACH / 2);
    CHECK_EQ(eb_message_dead_letters(broker, S("t"), S("g"), frame, (int64_t)sizeof frame), THREADS * EACH / 2);
    for (int64_t i = 0; i < THREADS * EACH / 2; i++)
        CHECK_EQ(frame[i].offset, 2 * i + 1);

    for (int i = 1; i < THREADS; i++)
        arguments[i] = NULL;
    run(close_or_call, arguments);
    return 0;
}
