/* calls.h - what the systems share: a table of operations and how one is carried out. */
#ifndef CALLS_H
#define CALLS_H

#include "adapter.h"
#include "words.h"

/* A call: its arguments, strings and integers each in the order in which they
 * stand, and room for what the library writes. */
struct call {
    uint64_t broker;
    const json_t *json; /* ["operation", argument...] */
    struct text strings[3];
    int64_t integers[2];
    struct words input;
    void *output;
    int64_t cap; /* bytes */
};

#define STRING(i) c->strings[i].data, c->strings[i].len

struct operation {
    const char *name;
    const char *takes; /* s a string, i an integer, v another value, m at the end a map that may be left out */
    /* Calls the library; is called again with more room when it says that there is too little. */
    int64_t (*call)(struct call *c);
    json_t *(*result)(int64_t answer, const struct call *c);
    /* Builds the input frame from ["operation", value...]; NULL where there is none. */
    bool (*frame)(struct words *input, const json_t *call);
    /* How many bytes its answer takes, of a call that writes exactly as many as
     * it says are needed; NULL for others. */
    int64_t (*size)(int64_t answer, const struct call *c);
};

/* Results that are nothing, a yes or no, and a number. */
json_t *nothing(int64_t answer, const struct call *c);
json_t *truth(int64_t answer, const struct call *c);
json_t *integer(int64_t answer, const struct call *c);

/* Carries out ["operation", argument...] of a table that ends with a NULL name,
 * and says in at when the library was called and answered. With at NULL nothing
 * runs beside it, and what it says it needs is held to it. */
json_t *carry_out(const struct operation *operations, uint64_t broker, const json_t *json, int64_t at[2]);

/* Reads the constructor's integer and, behind it, the map with max_payload,
 * which is 0 where there is none. Returns NULL, or an error result. */
json_t *read_new(const json_t *arguments, int64_t *integer, int64_t *max_payload);

/* What a constructor answered: NULL, or an error result. */
json_t *opened(int64_t status);

#endif
