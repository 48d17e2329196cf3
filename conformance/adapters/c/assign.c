/* assign.c - range assignment: its operations, which need no broker. */
#include "calls.h"
#include "eventbroker.h"

static const struct field partitions[] = {{TEXT, "topic", NULL}, {INT32S, "partitions", NULL}, {0}};

static const struct field subscription[] = {{NUMBER, "version", NULL},
                                            {TEXTS, "topics", NULL},
                                            {BYTES_OR_NULL, "user_data", NULL},
                                            {STRUCTS, "owned_partitions", partitions},
                                            {NUMBER, "generation_id", NULL},
                                            {TEXT_OR_NULL, "rack_id", NULL},
                                            {0}};

static const struct field assignment[] = {
    {NUMBER, "version", NULL}, {STRUCTS, "partitions", partitions}, {BYTES_OR_NULL, "user_data", NULL}, {0}};

static const struct field member[] = {
    {TEXT, "id", NULL}, {TEXT_OR_NULL, "instance_id", NULL}, {TEXTS, "topics", NULL}, {0}};

static const struct field assigned[] = {{TEXT, "id", NULL}, {STRUCTS, "owned", partitions}, {0}};

#define INPUT c->input.bytes, c->input.len
#define OUTPUT c->output, c->cap

static int64_t decode_subscription(struct call *c) { return eb_assign_decode_subscription(STRING(0), OUTPUT); }

static int64_t encode_subscription(struct call *c) { return eb_assign_encode_subscription(INPUT, OUTPUT); }

static int64_t decode_assignment(struct call *c) { return eb_assign_decode_assignment(STRING(0), OUTPUT); }

static int64_t encode_assignment(struct call *c) { return eb_assign_encode_assignment(INPUT, OUTPUT); }

static int64_t range_assign(struct call *c) { return eb_assign_range(INPUT, OUTPUT); }

static bool subscription_frame(struct words *input, const json_t *call) {
    return write_struct(input, subscription, json_array_get(call, 1));
}

static bool assignment_frame(struct words *input, const json_t *call) {
    return write_struct(input, assignment, json_array_get(call, 1));
}

static bool group_frame(struct words *input, const json_t *call) {
    json_t *counts = json_array_get(call, 1);
    const char *topic;
    json_t *count;
    bool ok = json_is_object(counts);
    write_number(input, (int64_t)json_object_size(counts));
    json_object_foreach(counts, topic, count) {
        json_t *text = json_string(topic);
        ok = ok && write_text(input, text) && json_is_integer(count);
        write_number(input, json_integer_value(count));
        json_decref(text);
    }
    return ok && write_structs(input, member, json_array_get(call, 2));
}

static json_t *subscription_value(int64_t size, const struct call *c) {
    const char *frame = c->output;
    (void)size;
    return read_struct(&frame, subscription);
}

static json_t *assignment_value(int64_t size, const struct call *c) {
    const char *frame = c->output;
    (void)size;
    return read_struct(&frame, assignment);
}

static json_t *encoded(int64_t size, const struct call *c) { return bytes_value(c->output, size); }

/* Keys are strings of the library's, with a NUL inside or not. */
static void set(json_t *object, const json_t *key, json_t *value) {
    json_object_setn_new(object, json_string_value(key), json_string_length(key), value);
}

static json_t *partitions_by_topic(const json_t *owned) {
    json_t *object = json_object();
    for (size_t i = 0; i < json_array_size(owned); i++) {
        const json_t *topic = json_array_get(owned, i);
        set(object, json_object_get(topic, "topic"), json_incref(json_object_get(topic, "partitions")));
    }
    return object;
}

static json_t *assigned_value(int64_t size, const struct call *c) {
    const char *frame = c->output;
    json_t *object = json_object(), *members = read_structs(&frame, assigned);
    (void)size;
    for (size_t i = 0; i < json_array_size(members); i++) {
        const json_t *m = json_array_get(members, i);
        set(object, json_object_get(m, "id"), partitions_by_topic(json_object_get(m, "owned")));
    }
    json_decref(members);
    return object;
}

static const struct operation operations[] = {
    {"decode_subscription", "s", decode_subscription, subscription_value, NULL, NULL},
    {"encode_subscription", "v", encode_subscription, encoded, subscription_frame, NULL},
    {"decode_assignment", "s", decode_assignment, assignment_value, NULL, NULL},
    {"encode_assignment", "v", encode_assignment, encoded, assignment_frame, NULL},
    {"range_assign", "vv", range_assign, assigned_value, group_frame, NULL},
    {0},
};

static json_t *open_nothing(const json_t *arguments, uint64_t *broker) {
    *broker = 0;
    return json_array_size(arguments) == 0 ? NULL : misuse_result("malformed call", "the constructor takes nothing");
}

static int64_t close_nothing(uint64_t broker) {
    (void)broker;
    return EB_OK;
}

const struct system assign_system = {"assign", open_nothing, operations, close_nothing};
