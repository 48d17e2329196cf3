/*
 * shim.h - the C side of the border: what the public functions check before Go,
 * and what Go calls. The version script hides all names that do not begin with
 * eb_.
 */
#ifndef EB_SHIM_H
#define EB_SHIM_H

#include <stddef.h>

#include "eventbroker.h"

/* What Go calls: both speak of the calling thread. */
void shim_set_error(const char *message, int64_t len);
void shim_set_needed(int64_t bytes);

/* Whether this is a forked child, and the status that says so. */
int shim_forked(void);
int64_t shim_refuse_forked(void);

/* Refuses an argument. */
int64_t shim_refuse_argument(const char *argument, const char *reason);

/* What is wrong with a string, an output buffer, its capacity, or options of
 * which this library knows the first bytes; NULL when nothing is. */
const char *shim_wrong_string(const char *ptr, int64_t len);
const char *shim_wrong_buffer(const void *buf);
const char *shim_wrong_capacity(int64_t cap);
const char *shim_wrong_options(const void *options, int64_t known);

/* These return from the function they stand in, with what is wrong. SHIM_CHECK
 * is for a call with a broker, SHIM_CHECK_ON for one with another handle: one
 * that is closed says so first, as in every language. SHIM_OPEN, which a
 * system's file defines, asks whether it is. */
#define SHIM_NOT_FORKED()                \
    do {                                 \
        if (shim_forked())               \
            return shim_refuse_forked(); \
    } while (0)
#define SHIM_CHECK(argument, problem) SHIM_CHECK_ON(broker, argument, problem)
#define SHIM_CHECK_ON(handle, argument, problem)                                     \
    do {                                                                             \
        const char *wrong = (problem);                                               \
        if (__builtin_expect(wrong != NULL, 0)) {                                    \
            int64_t status = SHIM_OPEN(handle);                                      \
            return status == EB_OK ? shim_refuse_argument(argument, wrong) : status; \
        }                                                                            \
    } while (0)
#define SHIM_CHECK_ARGUMENT(argument, problem)            \
    do {                                                  \
        const char *wrong = (problem);                    \
        if (__builtin_expect(wrong != NULL, 0))           \
            return shim_refuse_argument(argument, wrong); \
    } while (0)
#define SHIM_STRING(name) SHIM_CHECK(#name, shim_wrong_string(name, name##_len))
#define SHIM_BUFFER(buf, cap) SHIM_BUFFER_ON(broker, buf, cap)
#define SHIM_BUFFER_ON(handle, buf, cap)                        \
    do {                                                        \
        SHIM_CHECK_ON(handle, "buf", shim_wrong_buffer(buf));   \
        SHIM_CHECK_ON(handle, "cap", shim_wrong_capacity(cap)); \
    } while (0)

/* For constructors: options may be NULL, the place for the handle may not. */
#define SHIM_NEW(options, broker)                                                                              \
    do {                                                                                                       \
        SHIM_CHECK_ARGUMENT("broker", broker == NULL ? "is null" : NULL);                                      \
        SHIM_CHECK_ARGUMENT("options", options == NULL ? NULL : shim_wrong_options(options, sizeof *options)); \
    } while (0)

/* An option's value, or 0 where the caller did not give it or did not know it. */
#define SHIM_OPTION(options, name)                                                                              \
    (options != NULL && options->size >= (int64_t)(offsetof(__typeof__(*options), name) + sizeof options->name) \
         ? options->name                                                                                        \
         : 0)

#endif
