/* A storm of signals: the host's handlers stay as they are and are called, and every call answers as in a calm. */
#include "check.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>

enum { CALLERS = 3, EACH = 1000, MESSAGES = 100, CAUGHT = 500 };

static const int signals[] = {SIGINT, SIGTERM, SIGALRM, SIGHUP, SIGCHLD, SIGPIPE, SIGUSR1};
enum { SIGNALS = sizeof signals / sizeof *signals };

static struct sigaction set[SIGNALS];
static atomic_int caught[SIGNALS], storms, running;
static uint64_t broker, pubsub, lane;

static void handle(int signal) {
    for (int i = 0; i < SIGNALS; i++)
        caught[i] += signals[i] == signal;
}

/* With SA_ONSTACK, as eventbroker.h asks: the library's own stacks are small. */
static void install(int flags) {
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK | flags};
        CHECK_EQ(sigaddset(&action.sa_mask, SIGWINCH), 0);
        CHECK_EQ(sigaction(signals[i], &action, NULL), 0);
        CHECK_EQ(sigaction(signals[i], NULL, &set[i]), 0);
        caught[i] = 0;
    }
}

static void check_installed(void) {
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction now;
        CHECK_EQ(sigaction(signals[i], NULL, &now), 0);
        CHECK(now.sa_handler == handle);
        CHECK_EQ(now.sa_flags, set[i].sa_flags);
        for (int s = 1; s < NSIG; s++)
            CHECK_EQ(sigismember(&now.sa_mask, s), sigismember(&set[i].sa_mask, s));
        int before = caught[i];
        CHECK_EQ(raise(signals[i]), 0);
        CHECK_EQ(caught[i], before + 1);
    }
}

static int all_caught(void) {
    for (int i = 0; i < SIGNALS; i++)
        if (caught[i] < CAUGHT)
            return 0;
    return 1;
}

/* Long enough for the others to be in the midst of a call that waits. */
static void let_it_storm(void) {
    for (int before = storms; storms < before + 2;)
        sched_yield();
}

/* A topic of its own: each answer is known. */
static void *call(void *number) {
    const char *topic = number;
    eb_event_record frame[4];
    int32_t partition;
    CHECK_EQ(eb_event_create(broker, topic, 1, 1), 1);
    CHECK_EQ(eb_event_join(broker, topic, 1, S("g"), S("m"), &partition, 1), 1);
    for (int64_t i = 0; i < EACH || !all_caught(); i++) {
        CHECK_EQ(eb_event_publish(broker, topic, 1, 0, S("payload")), i);
        CHECK_EQ(eb_event_poll(broker, topic, 1, S("g"), S("m"), 1, frame, sizeof frame), 1);
        CHECK_EQ(frame[0].offset, i);
        CHECK(frame[0].payload_len == 7 && memcmp(frame + 1, "payload", 7) == 0);
        CHECK_EQ(eb_event_ack(broker, topic, 1, S("g"), S("m"), 0, i), 1);
    }
    running--;
    return NULL;
}

/* Waits for room as long as the other thread has not settled the message before. */
static void *publish(void *unused) {
    for (int64_t i = 0; i < MESSAGES; i++) {
        let_it_storm();
        CHECK_EQ(eb_pubsub_publish_wait(pubsub, S("t"), S("payload"), 60000), i);
    }
    running--;
    return unused;
}

static void *take(void *unused) {
    struct delivery d;
    for (int64_t i = 0; i < MESSAGES; i++) {
        CHECK_EQ(eb_pubsub_wait(lane, 60000, &d, sizeof d), 1);
        CHECK_EQ(d.header.offset, i);
        let_it_storm();
        CHECK_EQ(eb_pubsub_settle(d.header.token, EB_PUBSUB_CONFIRMED, NULL, 0), 1);
    }
    running--;
    return unused;
}

static void open_brokers(void) {
    const eb_pubsub_options options = {.size = sizeof options, .dispatcher = EB_PUBSUB_LANES};
    const eb_pubsub_subscription block = {.size = sizeof block, .policy = EB_PUBSUB_BLOCK};
    CHECK_EQ(eb_event_new(1, NULL, &broker), EB_OK);
    CHECK_EQ(eb_pubsub_new(&options, &pubsub), EB_OK);
    CHECK_EQ(eb_pubsub_create_topic(pubsub, S("t"), 1), 1);
    CHECK_EQ(eb_pubsub_subscribe(pubsub, S("t"), S("n"), 1, &block, &lane), EB_OK);
}

static void close_brokers(void) {
    CHECK_EQ(eb_event_close(broker), EB_OK);
    CHECK_EQ(eb_pubsub_close(pubsub, 60000), EB_OK);
    CHECK_EQ(eb_pubsub_end(lane), EB_OK);
}

/* Every signal to every thread, again and again, and one from a clock to any. */
static void storm(const pthread_t *threads, int count) {
    const struct itimerval every_ms = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    CHECK_EQ(setitimer(ITIMER_REAL, &every_ms, NULL), 0);
    while (running > 0) {
        for (int i = 0; i < count * SIGNALS; i++)
            pthread_kill(threads[i / SIGNALS], signals[i % SIGNALS]); /* to one that has ended, nothing */
        storms++;
        sched_yield();
    }
    CHECK_EQ(setitimer(ITIMER_REAL, &never, NULL), 0);
}

static void run(void) {
    static char topics[CALLERS] = {'a', 'b', 'c'};
    pthread_t threads[CALLERS + 2];
    open_brokers();
    running = CALLERS + 2;
    for (int i = 0; i < CALLERS; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, call, &topics[i]), 0);
    CHECK_EQ(pthread_create(&threads[CALLERS], NULL, publish, NULL), 0);
    CHECK_EQ(pthread_create(&threads[CALLERS + 1], NULL, take, NULL), 0);
    storm(threads, CALLERS + 2);
    for (int i = 0; i < CALLERS + 2; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
    close_brokers();
}

int main(void) {
    install(0);
    run();
    check_installed();
    install(SA_RESTART);
    run();
    check_installed();
    return 0;
}
