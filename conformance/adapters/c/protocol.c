/* protocol.c - the adapter's loop: a line of JSON is a case, a line answers it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "calls.h"
#include "eventbroker.h"

static const struct surface *surface;

int64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* One list of calls, and where its results go. */
struct worker {
    const struct system *system;
    uint64_t broker;
    const json_t *calls;
    json_t *results;
    pthread_barrier_t *barrier; /* NULL when nothing runs beside it */
    pthread_t thread;
};

static void *run(void *argument) {
    struct worker *w = argument;
    size_t i;
    const json_t *call;
    if (w->barrier != NULL)
        pthread_barrier_wait(w->barrier);
    json_array_foreach(w->calls, i, call) {
        int64_t at[2] = {0, 0};
        json_t *result = carry_out(w->system->operations, w->broker, call, w->barrier == NULL ? NULL : at);
        json_array_append_new(w->results, result);
        if (w->barrier == NULL)
            continue;
        json_object_set_new(result, "at", json_pack("[I, I]", (json_int_t)at[0], (json_int_t)at[1]));
        sched_yield(); /* a thread is through before the next begins, else */
    }
    return NULL;
}

/* Runs the lists, with record all at once, each on a thread of its own, and adds their results. */
static void run_all(const struct system *system, uint64_t broker, const json_t *threads, int record, json_t *results) {
    size_t count = json_array_size(threads);
    struct worker *workers = calloc(count + 1, sizeof *workers);
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, (unsigned)count + (count == 0));
    for (size_t i = 0; i < count; i++) {
        workers[i] =
            (struct worker){system, broker, json_array_get(threads, i), json_array(), record ? &barrier : NULL, 0};
        json_array_append_new(results, workers[i].results);
        if (!record)
            run(&workers[i]);
        else if (pthread_create(&workers[i].thread, NULL, run, &workers[i]) != 0)
            abort();
    }
    for (size_t i = 0; record && i < count; i++)
        pthread_join(workers[i].thread, NULL);
    pthread_barrier_destroy(&barrier);
    free(workers);
}

/* How many calls have overlapped, which only a library with the tag ebtest tells; else -1. */
static int64_t overlap(void) {
    int64_t (*count)(void);
    *(void **)&count = dlsym(RTLD_DEFAULT, "eb_test_overlap");
    return count == NULL ? -1 : count();
}

/* Runs one list, and then the others at once. */
static void record(const struct system *system, uint64_t broker, json_t *before, const json_t *threads, json_t *reply) {
    json_t *first = json_pack("[O*]", before), *results = json_object_get(reply, "results");
    run_all(system, broker, first, 0, results);
    json_decref(first);
    const int64_t already = overlap();
    run_all(system, broker, threads, 1, results);
    if (already >= 0)
        json_object_set_new(reply, "overlap", json_integer(overlap() - already));
}

static const struct system *find_system(const char *name) {
    const struct system *const *system = surface->systems;
    while (*system != NULL && (name == NULL || strcmp((*system)->name, name) != 0))
        system++;
    return *system;
}

static json_t *answer(const json_t *request) {
    if (json_object_get(request, "hello") != NULL)
        return hello(surface);
    const char *name = json_string_value(json_object_get(request, "system"));
    const struct system *system = find_system(name);
    uint64_t broker = 0;
    json_t *error = system == NULL ? misuse_result("unknown system", name == NULL ? "the request names none" : name)
                                   : system->open(json_object_get(request, "new"), &broker);
    if (error != NULL)
        return json_pack("{s:O?, s:o, s:[]}", "id", json_object_get(request, "id"), "new", error, "results");
    json_t *reply = json_pack("{s:O?, s:[]}", "id", json_object_get(request, "id"), "results");
    const json_t *threads = json_object_get(request, "threads");
    if (json_is_true(json_object_get(request, "record")))
        record(system, broker, json_object_get(request, "before"), threads, reply);
    else
        run_all(system, broker, threads, 0, json_object_get(reply, "results"));
    system->close(broker);
    return reply;
}

int main(int argc, char **argv) {
    surface = find_surface(argc, argv);
    if (surface == NULL) {
        fprintf(stderr, "usage: adapter-c [--handles]\n");
        return 2;
    }
    char *line = NULL;
    size_t room = 0;
    ssize_t len;
    while ((len = getline(&line, &room, stdin)) >= 0) {
        json_error_t why;
        json_t *request = json_loadb(line, (size_t)len, JSON_ALLOW_NUL, &why);
        if (request == NULL) {
            fprintf(stderr, "adapter-c: a line that is not JSON: %s\n", why.text);
            return 1;
        }
        json_t *reply = answer(request);
        json_dumpf(reply, stdout, JSON_COMPACT);
        putchar('\n');
        fflush(stdout);
        json_decref(reply);
        json_decref(request);
    }
    free(line);
    return 0;
}
