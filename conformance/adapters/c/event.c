/* event.c - EventBroker: its operations, by names. */
#include "event.h"

#include "eventbroker.h"

#define STRINGS STRING(0), STRING(1), STRING(2)

int64_t event_create(struct call *c) { return eb_event_create(c->broker, STRING(0), c->integers[0]); }

static int64_t join(struct call *c) {
    return eb_event_join(c->broker, STRINGS, c->output, c->cap / (int64_t)sizeof(int32_t));
}

static int64_t leave(struct call *c) { return eb_event_leave(c->broker, STRINGS); }

static int64_t publish(struct call *c) { return eb_event_publish(c->broker, STRING(0), c->integers[0], STRING(1)); }

static int64_t poll(struct call *c) { return eb_event_poll(c->broker, STRINGS, c->integers[0], c->output, c->cap); }

static int64_t ack(struct call *c) { return eb_event_ack(c->broker, STRINGS, c->integers[0], c->integers[1]); }

static int64_t retry(struct call *c) { return eb_event_retry(c->broker, STRINGS, c->integers[0], c->integers[1]); }

static int64_t publish_many(struct call *c) {
    return eb_event_publish_many(c->broker, STRING(0), c->input.bytes, c->input.len, batch_count(c),
                                 room_for_offsets(c));
}

static int64_t ack_many(struct call *c) {
    return eb_event_ack_many(c->broker, STRINGS, (const void *)c->input.bytes, batch_count(c), room_for_acked(c));
}

static const struct operation operations[] = EVENT_OPERATIONS;

json_t *event_open(const json_t *arguments, uint64_t *broker) {
    int64_t capacity;
    eb_event_options options = {sizeof options, 0};
    json_t *error = read_new(arguments, &capacity, &options.max_payload);
    return error != NULL ? error : opened(eb_event_new(capacity, &options, broker));
}

const struct system event_system = {"event", event_open, operations, eb_event_close};
