/* pubsub.c - PubSub: its operations. */
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "eventbroker.h"
#include "rules.h"

#define STRINGS STRING(0), STRING(1)

/* The number of a choice that a case names; what is none of them is for the library to refuse. */
static int64_t choice(const json_t *name, const char *const names[3]) {
    int64_t i = 0;
    while (name != NULL && i < 3 && strcmp(json_string_value(name), names[i]) != 0)
        i++;
    return i;
}

static int64_t create_topic(struct call *c) {
    const json_t *retain = json_object_get(json_array_get(c->json, 2), "retain");
    return eb_pubsub_create_topic(c->broker, STRING(0), json_integer_value(retain));
}

/* Without a thread for a lane: what cases ask of lanes does not depend on deliveries. */
static int64_t subscribe(struct call *c) {
    static const char *const policies[] = {"drop", "disconnect", "block"};
    const json_t *map = json_array_get(c->json, 4);
    struct text group = {NULL, 0, NULL};
    read_text(json_object_get(map, "group"), &group);
    const eb_pubsub_subscription options = {sizeof options, group.data, group.len,
                                            choice(json_object_get(map, "policy"), policies),
                                            json_object_get(map, "filter") != NULL};
    uint64_t worker = 0;
    int64_t answer = eb_pubsub_subscribe(c->broker, STRINGS, add_handler(c->json), &options, &worker);
    eb_pubsub_end(worker);
    free(group.owned);
    return answer;
}

static int64_t unsubscribe(struct call *c) { return eb_pubsub_unsubscribe(c->broker, STRINGS); }

static int64_t publish(struct call *c) { return eb_pubsub_publish_wait(c->broker, STRINGS, -1); }

static int64_t seek(struct call *c) { return eb_pubsub_seek(c->broker, STRINGS, c->integers[0]); }

static int64_t offset(struct call *c) { return eb_pubsub_offset(c->broker, STRINGS); }

static int64_t dead_letters(struct call *c) { return eb_pubsub_dead_letters(c->broker, STRINGS, c->output, c->cap); }

static int64_t redeliver(struct call *c) { return eb_pubsub_redeliver(c->broker, STRINGS); }

static int64_t status(struct call *c) { return eb_pubsub_status(c->broker, STRINGS, c->output, c->cap); }

static int64_t no_call(struct call *c) {
    (void)c;
    return EB_OK;
}

static perform perform_call;

/* Calls the handler of a delivery and settles; returns whether it confirmed. */
static bool deliver(uint64_t broker, const eb_pubsub_delivery *d) {
    const char *payload = (const char *)(d + 1) + d->topic_len;
    int64_t outcome = call_handler(broker, d->cookie, payload, d->payload_len, perform_call);
    return eb_pubsub_settle(d->token, outcome, NULL, 0) >= 0 && outcome == EB_PUBSUB_CONFIRMED;
}

static int64_t drain(struct call *c) {
    enum { ROOM = sizeof(eb_pubsub_delivery) + EB_PUBSUB_MAX_IDENTIFIER + EB_PUBSUB_MAX_PAYLOAD };
    uint64_t walk = 0;
    int64_t answer = eb_pubsub_drain(c->broker, &walk), confirmed = 0;
    if (answer != EB_OK || walk == 0)
        return answer;
    eb_pubsub_delivery *delivery = malloc(ROOM);
    while ((answer = eb_pubsub_next(walk, delivery, ROOM)) == 1)
        confirmed += deliver(c->broker, delivery);
    free(delivery);
    return answer == 0 ? confirmed : answer;
}

static json_t *recorded(int64_t answer, const struct call *c) {
    (void)answer;
    return calls_of(json_array_get(c->json, 1), json_array_get(c->json, 2));
}

static json_t *letters(int64_t count, const struct call *c) {
    json_t *list = json_array();
    const eb_pubsub_letter *frame = c->output;
    const char *text = (const char *)(frame + count);
    for (const eb_pubsub_letter *l = frame; l < frame + count; text += l->payload_len + l->error_len, l++)
        json_array_append_new(list, json_pack("{s:I, s:o, s:I}", "offset", (json_int_t)l->offset, "payload",
                                              text_value(text, l->payload_len), "attempts", (json_int_t)l->attempts));
    return list;
}

static json_t *standing(int64_t subscribed, const struct call *c) {
    const eb_pubsub_standing *s = c->output;
    return json_pack("{s:b, s:I, s:I, s:I, s:b}", "subscribed", (int)subscribed, "offset", (json_int_t)s->offset,
                     "attempts", (json_int_t)s->attempts, "lost", (json_int_t)s->lost, "disconnected",
                     s->reason_len > 0);
}

static const struct operation operations[] = {
    {"create_topic", "sm", create_topic, truth, NULL, NULL},
    {"subscribe", "ssvm", subscribe, nothing, NULL, NULL},
    {"unsubscribe", "ss", unsubscribe, truth, NULL, NULL},
    {"publish", "ss", publish, integer, NULL, NULL},
    {"drain", "", drain, integer, NULL, NULL},
    {"seek", "ssi", seek, truth, NULL, NULL},
    {"offset", "ss", offset, integer, NULL, NULL},
    {"dead_letters", "ss", dead_letters, letters, NULL, NULL},
    {"calls_of", "ss", no_call, recorded, NULL, NULL},
    {"redeliver", "ss", redeliver, integer, NULL, NULL},
    {"status", "ss", status, standing, NULL, NULL},
    {0},
};

static json_t *perform_call(uint64_t broker, const json_t *call) {
    int64_t at[2];
    return carry_out(operations, broker, call, at);
}

static json_t *open(const json_t *arguments, uint64_t *broker) {
    static const char *const dispatchers[] = {"synchronous", "lanes", "pool"};
    const json_t *map = json_array_get(arguments, 0), *max_attempts = json_object_get(map, "max_attempts");
    eb_pubsub_options options = {.size = sizeof options};
    options.dispatcher = choice(json_object_get(map, "dispatcher"), dispatchers);
    options.workers = json_integer_value(json_object_get(map, "workers"));
    options.max_attempts = json_integer_value(max_attempts);
    if (max_attempts != NULL && options.max_attempts == 0)
        options.max_attempts = EB_PUBSUB_NO_LIMIT;
    options.max_payload = json_integer_value(json_object_get(map, "max_payload"));
    return opened(eb_pubsub_new(&options, broker));
}

static int64_t close_all(uint64_t broker) {
    int64_t answer = eb_pubsub_close(broker, EB_PUBSUB_MAX_TIMEOUT);
    forget_handlers();
    return answer;
}

const struct system pubsub_system = {"pubsub", open, operations, close_all};
