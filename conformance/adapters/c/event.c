/* event.c - EventBroker: its operations. */
#include "calls.h"
#include "eventbroker.h"

#define STRINGS STRING(0), STRING(1), STRING(2)

static int64_t create(struct call *c) { return eb_event_create(c->broker, STRING(0), c->integers[0]); }

static int64_t join(struct call *c) {
    return eb_event_join(c->broker, STRINGS, c->output, c->cap / (int64_t)sizeof(int32_t));
}

static int64_t leave(struct call *c) { return eb_event_leave(c->broker, STRINGS); }

static int64_t publish(struct call *c) { return eb_event_publish(c->broker, STRING(0), c->integers[0], STRING(1)); }

static int64_t poll(struct call *c) { return eb_event_poll(c->broker, STRINGS, c->integers[0], c->output, c->cap); }

static int64_t ack(struct call *c) { return eb_event_ack(c->broker, STRINGS, c->integers[0], c->integers[1]); }

static int64_t retry(struct call *c) { return eb_event_retry(c->broker, STRINGS, c->integers[0], c->integers[1]); }

static json_t *partitions(int64_t count, const struct call *c) {
    json_t *list = json_array();
    for (const int32_t *p = c->output, *end = p + count; p < end; p++)
        json_array_append_new(list, json_integer(*p));
    return list;
}

static int64_t records_size(int64_t count, const struct call *c) {
    const eb_event_record *frame = c->output;
    int64_t size = count * (int64_t)sizeof *frame;
    for (int64_t i = 0; i < count && size <= c->cap; i++)
        size += frame[i].payload_len;
    return size;
}

/* A frame does not repeat the topic that was asked for. */
static json_t *records(int64_t count, const struct call *c) {
    json_t *list = json_array();
    const eb_event_record *frame = c->output;
    const char *payload = (const char *)(frame + count);
    for (const eb_event_record *r = frame; r < frame + count; payload += r++->payload_len)
        json_array_append_new(list, json_pack("{s:o, s:i, s:I, s:o}", "topic", text_value(STRING(0)), "partition",
                                              (int)r->partition, "offset", (json_int_t)r->offset, "payload",
                                              text_value(payload, r->payload_len)));
    return list;
}

static const struct operation operations[] = {
    {"create", "si", create, truth, NULL, NULL},         {"join", "sss", join, partitions, NULL, NULL},
    {"leave", "sss", leave, truth, NULL, NULL},          {"publish", "sis", publish, integer, NULL, NULL},
    {"poll", "sssi", poll, records, NULL, records_size}, {"ack", "sssii", ack, truth, NULL, NULL},
    {"retry", "sssii", retry, truth, NULL, NULL},        {0},
};

static json_t *open(const json_t *arguments, uint64_t *broker) {
    int64_t capacity;
    eb_event_options options = {sizeof options, 0};
    json_t *error = read_new(arguments, &capacity, &options.max_payload);
    return error != NULL ? error : opened(eb_event_new(capacity, &options, broker));
}

const struct system event_system = {"event", open, operations, eb_event_close};
