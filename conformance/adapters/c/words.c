/* words.c - word frames of the C interface, to and from JSON. */
#include "words.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = 8 };

/* Bytes, filled up with zeros to whole words. */
static void write_bytes(struct words *w, const void *data, int64_t len) {
    const int64_t whole = (len + WORD - 1) / WORD * WORD;
    w->bytes = realloc(w->bytes, (size_t)(w->len + whole + 1));
    memset(w->bytes + w->len, 0, (size_t)whole);
    if (len > 0)
        memcpy(w->bytes + w->len, data, (size_t)len);
    w->len += whole;
}

void write_number(struct words *w, int64_t number) { write_bytes(w, &number, WORD); }

bool write_text(struct words *w, const json_t *value) {
    struct text text;
    const bool ok = read_text(value, &text);
    write_number(w, text.data == NULL ? -1 : text.len);
    write_bytes(w, text.data, text.data == NULL ? 0 : text.len);
    free(text.owned);
    return ok;
}

static bool write_texts(struct words *w, const json_t *list) {
    bool ok = json_is_array(list);
    write_number(w, (int64_t)json_array_size(list));
    for (size_t i = 0; ok && i < json_array_size(list); i++)
        ok = write_text(w, json_array_get(list, i));
    return ok;
}

static bool write_int32s(struct words *w, const json_t *list) {
    const size_t count = json_array_size(list);
    int32_t *numbers = calloc(count + 1, sizeof *numbers);
    bool ok = json_is_array(list);
    for (size_t i = 0; ok && i < count; i++) {
        numbers[i] = (int32_t)json_integer_value(json_array_get(list, i));
        ok = json_is_integer(json_array_get(list, i)) && numbers[i] == json_integer_value(json_array_get(list, i));
    }
    write_number(w, (int64_t)count);
    write_bytes(w, numbers, (int64_t)(count * sizeof *numbers));
    free(numbers);
    return ok;
}

static bool write_field(struct words *w, const struct field *field, const json_t *value) {
    switch (field->kind) {
    case NUMBER: write_number(w, json_integer_value(value)); return json_is_integer(value);
    case TEXT: return write_text(w, value);
    case TEXT_OR_NULL:
    case BYTES_OR_NULL: return write_text(w, value == NULL ? json_null() : value);
    case INT32S: return write_int32s(w, value);
    case TEXTS: return write_texts(w, value);
    case STRUCTS: return write_structs(w, field->of, value);
    default: return false;
    }
}

bool write_struct(struct words *w, const struct field *fields, const json_t *object) {
    bool ok = json_is_object(object);
    for (; ok && fields->kind != END; fields++)
        ok = write_field(w, fields, json_object_get(object, fields->name));
    return ok;
}

bool write_structs(struct words *w, const struct field *fields, const json_t *list) {
    bool ok = json_is_array(list);
    write_number(w, (int64_t)json_array_size(list));
    for (size_t i = 0; ok && i < json_array_size(list); i++)
        ok = write_struct(w, fields, json_array_get(list, i));
    return ok;
}

static const char *read_bytes(const char **frame, int64_t len) {
    const char *bytes = *frame;
    *frame += (len + WORD - 1) / WORD * WORD;
    return bytes;
}

static int64_t read_number(const char **frame) {
    int64_t number;
    memcpy(&number, read_bytes(frame, WORD), WORD);
    return number;
}

static json_t *read_string(const char **frame, json_t *(*value)(const char *data, int64_t len)) {
    const int64_t len = read_number(frame);
    return len < 0 ? json_null() : value(read_bytes(frame, len), len);
}

static json_t *read_texts(const char **frame) {
    json_t *list = json_array();
    for (int64_t left = read_number(frame); left > 0; left--)
        json_array_append_new(list, read_string(frame, text_value));
    return list;
}

static json_t *read_int32s(const char **frame) {
    json_t *list = json_array();
    const int64_t count = read_number(frame);
    const char *bytes = read_bytes(frame, count * (int64_t)sizeof(int32_t));
    for (int64_t i = 0; i < count; i++) {
        int32_t number;
        memcpy(&number, bytes + i * (int64_t)sizeof number, sizeof number);
        json_array_append_new(list, json_integer(number));
    }
    return list;
}

static json_t *read_field(const char **frame, const struct field *field) {
    switch (field->kind) {
    case NUMBER: return json_integer(read_number(frame));
    case BYTES_OR_NULL: return read_string(frame, bytes_value);
    case INT32S: return read_int32s(frame);
    case TEXTS: return read_texts(frame);
    case STRUCTS: return read_structs(frame, field->of);
    default: return read_string(frame, text_value);
    }
}

json_t *read_struct(const char **frame, const struct field *fields) {
    json_t *object = json_object();
    for (; fields->kind != END; fields++)
        json_object_set_new(object, fields->name, read_field(frame, fields));
    return object;
}

json_t *read_structs(const char **frame, const struct field *fields) {
    json_t *list = json_array();
    for (int64_t left = read_number(frame); left > 0; left--)
        json_array_append_new(list, read_struct(frame, fields));
    return list;
}
