/* words.h - word frames of the C interface, to and from JSON; see eventbroker.h. */
#ifndef WORDS_H
#define WORDS_H

#include "adapter.h"

/* What a field of a struct is. */
enum kind {
    END,
    NUMBER,
    TEXT,
    TEXT_OR_NULL,
    BYTES_OR_NULL, /* in JSON always {"hex": "ff00"} */
    INT32S,
    TEXTS,
    STRUCTS /* a list of structs with the fields in of */
};

/* A struct is its fields in their order, with an END behind them. */
struct field {
    enum kind kind;
    const char *name;
    const struct field *of;
};

/* A frame that is being built. */
struct words {
    char *bytes; /* to be freed */
    int64_t len;
};

/* These add to a frame; false for JSON that is of another kind. A field that may
 * be null may also be left out. */
void write_number(struct words *w, int64_t number);
bool write_text(struct words *w, const json_t *value);
bool write_struct(struct words *w, const struct field *fields, const json_t *object);
bool write_structs(struct words *w, const struct field *fields, const json_t *list);

/* These read a frame of the library's and move on behind what they have read. */
json_t *read_struct(const char **frame, const struct field *fields);
json_t *read_structs(const char **frame, const struct field *fields);

#endif
