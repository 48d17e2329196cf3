/* calls.c - from a call of the protocol to one of the C interface, and back. */
#include "calls.h"

#include <stdlib.h>
#include <string.h>

#include "eventbroker.h"

json_t *truth(int64_t answer, const struct call *c) {
    (void)c;
    return json_boolean(answer == 1);
}

json_t *nothing(int64_t answer, const struct call *c) {
    (void)answer, (void)c;
    return json_null();
}

json_t *integer(int64_t answer, const struct call *c) {
    (void)c;
    return json_integer(answer);
}

static const struct operation *find_operation(const struct operation *operations, const char *name) {
    for (; name != NULL && operations->name != NULL; operations++)
        if (strcmp(operations->name, name) == 0)
            return operations;
    return NULL;
}

static bool read_arguments(const struct operation *operation, const json_t *json, struct call *c) {
    size_t strings = 0, integers = 0, last = strlen(operation->takes);
    if (json_array_size(json) != last + 1 &&
        !(last > 0 && operation->takes[last - 1] == 'm' && json_array_size(json) == last))
        return false;
    for (size_t i = 0; operation->takes[i] != '\0'; i++) {
        const json_t *value = json_array_get(json, i + 1);
        const char kind = operation->takes[i];
        if ((kind == 's' && !read_text(value, &c->strings[strings++])) || (kind == 'i' && !json_is_integer(value)))
            return false;
        if (kind == 'i')
            c->integers[integers++] = json_integer_value(value);
    }
    return operation->frame == NULL || operation->frame(&c->input, json);
}

static int64_t call_with(int64_t cap, const struct operation *operation, struct call *c) {
    free(c->output);
    c->output = malloc((size_t)cap + (cap == 0)); /* a NULL would be refused */
    c->cap = cap;
    return operation->call(c);
}

static int64_t call_until_it_fits(int64_t cap, const struct operation *operation, struct call *c) {
    int64_t answer = call_with(cap, operation, c);
    while (answer == EB_BUFFER_TOO_SMALL)
        answer = call_with(eb_needed(), operation, c);
    return answer;
}

static json_t *make_call(const struct operation *operation, struct call *c, int64_t at[2]) {
    const bool exact = at == NULL && operation->size != NULL;
    if (at != NULL)
        at[0] = now_ns();
    const int64_t answer = call_until_it_fits(exact ? 0 : 256, operation, c);
    if (at != NULL)
        at[1] = now_ns();
    if (answer < -1)
        return status_result(answer);
    if (exact && operation->size(answer, c) != c->cap)
        return misuse_result("wrong size", "the answer does not take as many bytes as eb_needed() said");
    return json_pack("{s:o}", "ok", operation->result(answer, c));
}

json_t *carry_out(const struct operation *operations, uint64_t broker, const json_t *json, int64_t at[2]) {
    const char *name = json_string_value(json_array_get(json, 0));
    const struct operation *operation = find_operation(operations, name);
    if (operation == NULL)
        return misuse_result("unknown operation", name == NULL ? "the call names none" : name);
    struct call c = {.broker = broker, .json = json};
    json_t *result = read_arguments(operation, json, &c)
                         ? make_call(operation, &c, at)
                         : misuse_result("malformed call", "arguments of another number or type than C can say");
    for (int i = 0; i < 3; i++)
        free(c.strings[i].owned);
    free(c.input.bytes);
    free(c.output);
    return result;
}

json_t *read_new(const json_t *arguments, int64_t *integer, int64_t *max_payload) {
    const json_t *first = json_array_get(arguments, 0), *map = json_array_get(arguments, 1);
    const json_t *limit = json_object_get(map, "max_payload");
    *integer = json_integer_value(first);
    *max_payload = json_integer_value(limit);
    if (!json_is_integer(first) || json_object_size(map) != (limit != NULL) ||
        (limit != NULL && !json_is_integer(limit)))
        return misuse_result("malformed call", "takes an integer and a map with the integer max_payload");
    return NULL;
}

json_t *opened(int64_t status) { return status == EB_OK ? NULL : status_result(status); }
