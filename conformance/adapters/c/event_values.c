/* event_values.c - what the EventBroker's operations take and return. */
#include "event.h"

#include <stdlib.h>
#include <string.h>

#include "eventbroker.h"

json_t *partitions(int64_t count, const struct call *c) {
    json_t *list = json_array();
    for (const int32_t *p = c->output, *end = p + count; p < end; p++)
        json_array_append_new(list, json_integer(*p));
    return list;
}

int64_t records_size(int64_t count, const struct call *c) {
    const eb_event_record *frame = c->output;
    int64_t size = count * (int64_t)sizeof *frame;
    for (int64_t i = 0; i < count && size <= c->cap; i++)
        size += frame[i].payload_len;
    return size;
}

/* A frame does not repeat the topic that was asked for. */
json_t *records(int64_t count, const struct call *c) {
    json_t *list = json_array();
    const eb_event_record *frame = c->output;
    const char *payload = (const char *)(frame + count);
    for (const eb_event_record *r = frame; r < frame + count; payload += r++->payload_len)
        json_array_append_new(list, json_pack("{s:o, s:i, s:I, s:o}", "topic", text_value(STRING(0)), "partition",
                                              (int)r->partition, "offset", (json_int_t)r->offset, "payload",
                                              text_value(payload, r->payload_len)));
    return list;
}

static const json_t *batch(const json_t *call) { return json_array_get(call, json_array_size(call) - 1); }

int64_t batch_count(const struct call *c) { return (int64_t)json_array_size(batch(c->json)); }

void *room_for_offsets(struct call *c) {
    return c->output = realloc(c->output, (size_t)(batch_count(c) + 1) * sizeof(int64_t));
}

void *room_for_acked(struct call *c) { return c->output = realloc(c->output, (size_t)batch_count(c) + 1); }

json_t *offsets(int64_t answer, const struct call *c) {
    (void)answer;
    json_t *list = json_array();
    for (const int64_t *offset = c->output, *end = offset + batch_count(c); offset < end; offset++)
        json_array_append_new(list, json_integer(*offset));
    return list;
}

json_t *truths(int64_t answer, const struct call *c) {
    (void)answer;
    json_t *list = json_array();
    for (const uint8_t *acked = c->output, *end = acked + batch_count(c); acked < end; acked++)
        json_array_append_new(list, json_boolean(*acked));
    return list;
}

static void append(struct words *input, const void *data, int64_t len) {
    input->bytes = realloc(input->bytes, (size_t)(input->len + len + 1));
    if (len > 0)
        memcpy(input->bytes + input->len, data, (size_t)len);
    input->len += len;
}

/* Of [[integer, value], ...]: for each pair its integer, and for the value what number makes of it. */
static bool pairs(struct words *input, const json_t *list, bool (*number)(const json_t *value, int64_t *n)) {
    size_t i;
    const json_t *pair;
    bool ok = json_is_array(list);
    append(input, NULL, 0); /* a NULL would be refused */
    json_array_foreach(list, i, pair) {
        int64_t two[2] = {json_integer_value(json_array_get(pair, 0)), 0};
        ok = ok && json_array_size(pair) == 2 && json_is_integer(json_array_get(pair, 0)) &&
             number(json_array_get(pair, 1), &two[1]);
        append(input, two, sizeof two);
    }
    return ok;
}

static bool integer_of(const json_t *value, int64_t *n) {
    *n = json_integer_value(value);
    return json_is_integer(value);
}

static bool length_of(const json_t *value, int64_t *n) {
    struct text text;
    const bool ok = read_text(value, &text);
    *n = text.data == NULL ? -1 : text.len;
    free(text.owned);
    return ok;
}

bool positions(struct words *input, const json_t *call) { return pairs(input, batch(call), integer_of); }

bool messages(struct words *input, const json_t *call) {
    size_t i;
    const json_t *pair;
    if (!pairs(input, batch(call), length_of))
        return false;
    json_array_foreach(batch(call), i, pair) {
        struct text text;
        read_text(json_array_get(pair, 1), &text);
        append(input, text.data, text.data == NULL ? 0 : text.len);
        free(text.owned);
    }
    return true;
}
