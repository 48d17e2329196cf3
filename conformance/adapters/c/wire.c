/* wire.c - values and results as the protocol writes them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapter.h"
#include "eventbroker.h"

static bool read_hex(const char *hex, struct text *text) {
    size_t len = strlen(hex) / 2;
    text->data = text->owned = malloc(len + 1);
    text->len = (int64_t)len;
    for (size_t i = 0; i < len; i++) {
        unsigned byte;
        if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
            return false;
        text->owned[i] = (char)byte;
    }
    return true;
}

bool read_text(const json_t *value, struct text *text) {
    *text = (struct text){json_string_value(value), (int64_t)json_string_length(value), NULL};
    const char *hex = json_string_value(json_object_get(value, "hex"));
    if (hex != NULL)
        return read_hex(hex, text);
    return json_is_string(value) || json_is_null(value);
}

json_t *text_value(const char *data, int64_t len) {
    json_t *string = json_stringn(data, (size_t)len); /* jansson takes nothing but UTF-8 */
    return string != NULL ? string : bytes_value(data, len);
}

json_t *bytes_value(const char *data, int64_t len) {
    char *hex = calloc((size_t)len + 1, 2);
    for (int64_t i = 0; i < len; i++)
        sprintf(hex + 2 * i, "%02x", (unsigned char)data[i]);
    json_t *bytes = json_pack("{s:s}", "hex", hex);
    free(hex);
    return bytes;
}

static const char *status_name(int64_t status) {
    switch (status) {
    case EB_INVALID_ARGUMENT: return "EB_INVALID_ARGUMENT";
    case EB_CLOSED: return "EB_CLOSED";
    case EB_FORKED: return "EB_FORKED";
    case EB_INTERNAL: return "EB_INTERNAL";
    case EB_BUFFER_TOO_SMALL: return "EB_BUFFER_TOO_SMALL";
    case EB_TIMED_OUT: return "EB_TIMED_OUT";
    case EB_IN_USE: return "EB_IN_USE";
    case EB_DAMAGED: return "EB_DAMAGED";
    case EB_DISK_FULL: return "EB_DISK_FULL";
    case EB_STORAGE: return "EB_STORAGE";
    default: return "unknown status";
    }
}

json_t *status_result(int64_t status) {
    char text[1024];
    const int64_t size = sizeof text, len = eb_last_error(text, size);
    json_t *message = json_stringn(text, (size_t)(len < size ? len : size));
    if (message == NULL) /* not UTF-8, which only a broken library says */
        message = json_string(eb_strerror(status));
    return json_pack("{s:s, s:o}", "error", status_name(status), "message", message);
}

json_t *misuse_result(const char *error, const char *message) {
    return json_pack("{s:s, s:s}", "error", error, "message", message);
}
