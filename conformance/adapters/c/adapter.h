/* adapter.h - what the protocol loop, the wire's values and a system's file know of each other. */
#ifndef ADAPTER_H
#define ADAPTER_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* A system: how a case's broker is made, called and closed. */
struct system {
    const char *name;
    /* Sets *broker and returns NULL, or returns an error result. */
    json_t *(*open)(const json_t *arguments, uint64_t *broker);
    const struct operation *operations; /* see calls.h */
    int64_t (*close)(uint64_t broker);
};

extern const struct system event_system, event_handle_system, message_system, pubsub_system, assign_system;

/* What the adapter says it is, and its systems, behind which stands a NULL. */
struct surface {
    const char *name;
    const struct system *const *systems;
};

/* The one that the arguments of the program ask for; NULL for wrong ones. */
const struct surface *find_surface(int argc, char **argv);

json_t *hello(const struct surface *surface);

/* Nanoseconds of the process's one monotonic clock. */
int64_t now_ns(void);

/* A string argument as the C interface takes it: null is NULL. */
struct text {
    const char *data;
    int64_t len;
    char *owned; /* to be freed; NULL where the JSON holds the bytes */
};

/* Reads null, a string or {"hex": "ff00"}; false for any other value. */
bool read_text(const json_t *value, struct text *text);

/* Bytes as a string, or as {"hex": "ff00"} where they are not UTF-8. */
json_t *text_value(const char *data, int64_t len);

/* Bytes as {"hex": "ff00"}, whatever they are. */
json_t *bytes_value(const char *data, int64_t len);

/* {"error": the status's name, "message": the library's last error} */
json_t *status_result(int64_t status);

/* The same for what the runner should not have asked. */
json_t *misuse_result(const char *error, const char *message);

#endif
