/* message.c - MessageBroker: its operations. */
#include "calls.h"
#include "eventbroker.h"

#define STRINGS STRING(0), STRING(1)

static int64_t create_topic(struct call *c) { return eb_message_create_topic(c->broker, STRING(0)); }

static int64_t publish(struct call *c) { return eb_message_publish(c->broker, STRINGS); }

static int64_t poll(struct call *c) { return eb_message_poll(c->broker, STRINGS, c->output, c->cap); }

static int64_t ack(struct call *c) { return eb_message_ack(c->broker, STRINGS, c->integers[0], c->integers[1]); }

static int64_t nack(struct call *c) { return eb_message_nack(c->broker, STRINGS, c->integers[0], c->integers[1]); }

static int64_t dead_letters(struct call *c) { return eb_message_dead_letters(c->broker, STRINGS, c->output, c->cap); }

static int64_t messages_size(int64_t count, const struct call *c) {
    const eb_message_header *frame = c->output;
    int64_t size = count * (int64_t)sizeof *frame;
    for (int64_t i = 0; i < count && size <= c->cap; i++)
        size += frame[i].payload_len;
    return size;
}

/* A frame does not repeat the topic that was asked for. */
static json_t *message(const eb_message_header *header, const char *payload, const char *attempts,
                       const struct call *c) {
    return json_pack("{s:o, s:I, s:o, s:i}", "topic", text_value(STRING(0)), "offset", (json_int_t)header->offset,
                     "payload", text_value(payload, header->payload_len), attempts, (int)header->attempts);
}

static json_t *delivery(int64_t count, const struct call *c) {
    const eb_message_header *header = c->output;
    return count == 0 ? json_null() : message(header, (const char *)(header + 1), "attempt", c);
}

static json_t *letters(int64_t count, const struct call *c) {
    json_t *list = json_array();
    const eb_message_header *frame = c->output;
    const char *payload = (const char *)(frame + count);
    for (const eb_message_header *h = frame; h < frame + count; payload += h++->payload_len)
        json_array_append_new(list, message(h, payload, "attempts", c));
    return list;
}

static const struct operation operations[] = {
    {"create_topic", "s", create_topic, truth, NULL, NULL},
    {"publish", "ss", publish, integer, NULL, NULL},
    {"poll", "ss", poll, delivery, NULL, messages_size},
    {"ack", "ssii", ack, truth, NULL, NULL},
    {"nack", "ssii", nack, truth, NULL, NULL},
    {"dead_letters", "ss", dead_letters, letters, NULL, messages_size},
    {0},
};

static json_t *open(const json_t *arguments, uint64_t *broker) {
    int64_t max_attempts;
    eb_message_options options = {sizeof options, 0};
    json_t *error = read_new(arguments, &max_attempts, &options.max_payload);
    return error != NULL ? error : opened(eb_message_new(max_attempts, &options, broker));
}

const struct system message_system = {"message", open, operations, eb_message_close};
