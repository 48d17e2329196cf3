/*
 * Faults on purpose, one a run, each of which a sanitizer has to report: where it
 * does not, what it finds elsewhere is void.
 */
#include "check.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

enum { SIZE = 100 }; /* more than any name has */

static uint64_t broker;

static char *payload(void) {
    char *bytes = malloc(SIZE);
    CHECK(bytes != NULL);
    memset(bytes, 'x', SIZE);
    return bytes;
}

/* It is the library that reads: only one built with -asan is seen to. */
static void over_read(void) {
    char *bytes = payload();
    eb_event_publish(broker, S("t"), 0, bytes, SIZE + 1);
    free(bytes);
}

static void over_read_name(void) {
    char *bytes = payload();
    eb_event_publish(broker, bytes + SIZE - 8, 9, 0, S("x"));
    free(bytes);
}

static void use_after_free(void) {
    char *volatile bytes = payload(); /* which the compiler would see through */
    free(bytes);
    eb_event_publish(broker, S("t"), 0, bytes, SIZE);
}

/* Not passed to the library, on whose stacks it would still be found. */
static void leak(void) {
    char *volatile bytes = payload();
    CHECK_EQ(eb_event_publish(broker, S("t"), 0, S("x")), 0);
    CHECK(bytes[0] == 'x');
    bytes = NULL;
}

static void undefined(void) {
    volatile int most = INT_MAX;
    most += (int)eb_event_publish(broker, S("t"), 0, S("x")) + 1;
}

/* After its call, so that no order of the two calls orders what follows them. */
static void *call_and_write(void *shared) {
    CHECK(eb_event_publish(broker, S("t"), 0, S("x")) >= 0);
    ++*(int *)shared;
    return NULL;
}

static void race(void) {
    static int shared;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        CHECK_EQ(pthread_create(&threads[i], NULL, call_and_write, &shared), 0);
    for (int i = 0; i < 2; i++)
        CHECK_EQ(pthread_join(threads[i], NULL), 0);
}

int main(int count, char **arguments) {
    static const struct {
        const char *name;
        void (*commit)(void);
    } faults[] = {{"over-read", over_read}, {"over-read-name", over_read_name}, {"use-after-free", use_after_free},
                  {"leak", leak},           {"undefined", undefined},           {"race", race}};
    CHECK_EQ(count, 2);
    broker = broker_with_topic(2, 1);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (strcmp(arguments[1], faults[i].name) == 0)
            faults[i].commit();
    return 0;
}
