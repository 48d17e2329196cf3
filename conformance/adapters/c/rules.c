/* rules.c - handlers that follow a case's rules, and what they were given. */
#include "rules.h"

#include <pthread.h>

#include "eventbroker.h"

/* One case runs at a time, but its threads do at once: guards what follows. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static json_t *handlers; /* by cookie: ["subscribe", topic, name, rules, options] */
static json_t *given;    /* [topic, name, payload] of each call, in order */

static void append(json_t **list, json_t *value) {
    if (*list == NULL)
        *list = json_array();
    json_array_append_new(*list, value);
}

uint64_t add_handler(const json_t *subscribe) {
    pthread_mutex_lock(&mutex);
    append(&handlers, json_deep_copy(subscribe)); /* its rules count down their times */
    uint64_t cookie = json_array_size(handlers) - 1;
    pthread_mutex_unlock(&mutex);
    return cookie;
}

void forget_handlers(void) {
    json_decref(handlers);
    json_decref(given);
    handlers = given = NULL;
}

static json_t *begin_call(uint64_t cookie) {
    pthread_mutex_lock(&mutex);
    json_t *handler = json_array_get(handlers, cookie);
    pthread_mutex_unlock(&mutex);
    return handler;
}

static void note(const json_t *handler, json_t *payload) {
    pthread_mutex_lock(&mutex);
    append(&given, json_pack("[O, O, O]", json_array_get(handler, 1), json_array_get(handler, 2), payload));
    pthread_mutex_unlock(&mutex);
}

json_t *calls_of(const json_t *topic, const json_t *name) {
    json_t *payloads = json_array(), *call;
    size_t i;
    pthread_mutex_lock(&mutex);
    json_array_foreach(given, i, call) {
        if (json_equal(json_array_get(call, 0), topic) && json_equal(json_array_get(call, 1), name))
            json_array_append(payloads, json_array_get(call, 2));
    }
    pthread_mutex_unlock(&mutex);
    return payloads;
}

static bool contains(const json_t *list, const json_t *payload) {
    size_t i;
    const json_t *one;
    json_array_foreach(list, i, one) {
        if (json_equal(one, payload))
            return true;
    }
    return false;
}

/* The first rule whose payload matches and whose times are not used up, which are counted down. */
static const json_t *acting(const json_t *rules, const json_t *payload) {
    size_t i;
    json_t *rule;
    json_array_foreach(rules, i, rule) {
        const json_t *match = json_object_get(rule, "match");
        json_t *times = json_object_get(rule, "times");
        if ((match != NULL && !json_equal(match, payload)) || (times != NULL && json_integer_value(times) == 0))
            continue;
        json_integer_set(times, json_integer_value(times) - 1);
        return rule;
    }
    return NULL;
}

static int64_t act(uint64_t broker, const json_t *rule, perform *perform) {
    size_t i;
    const json_t *call, *ret = json_object_get(rule, "ret");
    json_array_foreach(json_object_get(rule, "do"), i, call) json_decref(perform(broker, call));
    return ret == NULL || json_is_true(ret) ? EB_PUBSUB_CONFIRMED : EB_PUBSUB_FAILED;
}

int64_t call_handler(uint64_t broker, uint64_t cookie, const char *payload, int64_t payload_len, perform *perform) {
    const json_t *handler = begin_call(cookie), *filter = json_object_get(json_array_get(handler, 4), "filter");
    json_t *text = text_value(payload, payload_len);
    int64_t outcome = EB_PUBSUB_FILTERED;
    if (contains(json_object_get(filter, "throw"), text)) {
        outcome = EB_PUBSUB_FAILED;
    } else if (filter == NULL || contains(json_object_get(filter, "pass"), text)) {
        note(handler, text);
        outcome = act(broker, acting(json_array_get(handler, 3), text), perform);
    }
    json_decref(text);
    return outcome;
}
