/* event.c - EventBroker: from a call of the protocol to one of the C interface, and back. */
#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "eventbroker.h"

/* A call: its arguments, strings and integers each in the order in which they
 * stand, and what the library wrote. */
struct call {
    uint64_t broker;
    struct text strings[3];
    int64_t integers[2];
    int32_t partitions[EB_EVENT_MAX_PARTITIONS];
    eb_event_record *frame;
};

#define STRING(i) c->strings[i].data, c->strings[i].len
#define STRINGS STRING(0), STRING(1), STRING(2)

static int64_t create(struct call *c) { return eb_event_create(c->broker, STRING(0), c->integers[0]); }

static int64_t join(struct call *c) {
    return eb_event_join(c->broker, STRINGS, c->partitions, EB_EVENT_MAX_PARTITIONS);
}

static int64_t leave(struct call *c) { return eb_event_leave(c->broker, STRINGS); }

static int64_t publish(struct call *c) { return eb_event_publish(c->broker, STRING(0), c->integers[0], STRING(1)); }

static int64_t poll(struct call *c) {
    int64_t cap = 256, count = EB_BUFFER_TOO_SMALL;
    for (; count == EB_BUFFER_TOO_SMALL; cap = eb_needed()) {
        free(c->frame);
        c->frame = malloc((size_t)cap);
        count = eb_event_poll(c->broker, STRINGS, c->integers[0], c->frame, cap);
    }
    return count;
}

static int64_t ack(struct call *c) { return eb_event_ack(c->broker, STRINGS, c->integers[0], c->integers[1]); }

static int64_t retry(struct call *c) { return eb_event_retry(c->broker, STRINGS, c->integers[0], c->integers[1]); }

static json_t *truth(int64_t answer, const struct call *c) {
    (void)c;
    return json_boolean(answer == 1);
}

static json_t *integer(int64_t answer, const struct call *c) {
    (void)c;
    return json_integer(answer);
}

static json_t *partitions(int64_t count, const struct call *c) {
    json_t *list = json_array();
    for (int64_t i = 0; i < count; i++)
        json_array_append_new(list, json_integer(c->partitions[i]));
    return list;
}

/* A frame does not repeat the topic that was asked for. */
static json_t *records(int64_t count, const struct call *c) {
    json_t *list = json_array();
    const char *payload = (const char *)(c->frame + count);
    for (const eb_event_record *r = c->frame; r < c->frame + count; payload += r++->payload_len)
        json_array_append_new(list, json_pack("{s:o, s:i, s:I, s:o}", "topic", text_value(STRING(0)), "partition",
                                              (int)r->partition, "offset", (json_int_t)r->offset, "payload",
                                              text_value(payload, r->payload_len)));
    return list;
}

static const struct operation {
    const char *name;
    const char *takes; /* s a string, i an integer */
    int64_t (*call)(struct call *c);
    json_t *(*result)(int64_t answer, const struct call *c);
} operations[] = {
    {"create", "si", create, truth},      {"join", "sss", join, partitions}, {"leave", "sss", leave, truth},
    {"publish", "sis", publish, integer}, {"poll", "sssi", poll, records},   {"ack", "sssii", ack, truth},
    {"retry", "sssii", retry, truth},
};

static const struct operation *find_operation(const char *name) {
    for (size_t i = 0; name != NULL && i < sizeof operations / sizeof *operations; i++)
        if (strcmp(operations[i].name, name) == 0)
            return &operations[i];
    return NULL;
}

static bool read_arguments(const char *takes, const json_t *json, struct call *c) {
    size_t strings = 0, integers = 0;
    if (json_array_size(json) != strlen(takes) + 1)
        return false;
    for (size_t i = 0; takes[i] != '\0'; i++) {
        const json_t *value = json_array_get(json, i + 1);
        if (takes[i] == 's' ? !read_text(value, &c->strings[strings++]) : !json_is_integer(value))
            return false;
        if (takes[i] == 'i')
            c->integers[integers++] = json_integer_value(value);
    }
    return true;
}

static json_t *carry_out(const struct operation *operation, struct call *c, int64_t at[2]) {
    at[0] = now_ns();
    int64_t answer = operation->call(c);
    at[1] = now_ns();
    return answer < -1 ? status_result(answer) : json_pack("{s:o}", "ok", operation->result(answer, c));
}

static json_t *event_call(uint64_t broker, const json_t *json, int64_t at[2]) {
    const char *name = json_string_value(json_array_get(json, 0));
    const struct operation *operation = find_operation(name);
    if (operation == NULL)
        return misuse_result("unknown operation", name == NULL ? "the call names none" : name);
    struct call c = {.broker = broker};
    json_t *result = read_arguments(operation->takes, json, &c)
                         ? carry_out(operation, &c, at)
                         : misuse_result("malformed call", "arguments of another number or type than C can say");
    for (int i = 0; i < 3; i++)
        free(c.strings[i].owned);
    free(c.frame);
    return result;
}

static json_t *event_open(const json_t *arguments, uint64_t *broker) {
    const json_t *capacity = json_array_get(arguments, 0), *map = json_array_get(arguments, 1);
    const json_t *max_payload = json_object_get(map, "max_payload");
    const eb_event_options options = {sizeof options, json_integer_value(max_payload)};
    if (!json_is_integer(capacity) || json_object_size(map) != (max_payload != NULL) ||
        (max_payload != NULL && !json_is_integer(max_payload)))
        return misuse_result("malformed call", "takes a capacity and a map with max_payload, integers both");
    int64_t status = eb_event_new(json_integer_value(capacity), map == NULL ? NULL : &options, broker);
    return status == EB_OK ? NULL : status_result(status);
}

const struct system event_system = {"event", event_open, event_call, eb_event_close};
