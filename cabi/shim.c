/*
 * shim.c - the public functions: checks that need no Go, then one call into it.
 *
 * A forked child and a bad pointer must not reach Go: the runtime does not
 * survive a fork, and a fault inside Go cannot be turned into an answer.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "_cgo_export.h"
#include "shim.h"

/* ---- the calling thread's last failure ---------------------------------- */

/* One pointer is all that is thread-local: static TLS is scarce, and a library
 * that takes much of it cannot be opened at run time. */
struct failure {
    int64_t needed;
    int64_t len;
    char message[4096]; /* an internal error brings its stack along */
};

static __thread struct failure *last;
static pthread_key_t free_at_thread_exit;

static struct failure *failure(void) {
    if (last == NULL) {
        last = calloc(1, sizeof *last);
        pthread_setspecific(free_at_thread_exit, last);
    }
    return last;
}

/* Another destructor of the ending thread may still call: it starts afresh. */
static void forget(void *f) {
    last = NULL;
    free(f);
}

/* A message too long is cut before a character, never inside one. */
void shim_set_error(const char *message, int64_t len) {
    struct failure *f = failure();
    if (f == NULL)
        return;
    if (len > (int64_t)sizeof f->message)
        for (len = (int64_t)sizeof f->message; len > 0 && (message[len] & 0xC0) == 0x80;)
            len--;
    memcpy(f->message, message, (size_t)len);
    f->len = len;
}

void shim_set_needed(int64_t bytes) {
    struct failure *f = failure();
    if (f != NULL)
        f->needed = bytes;
}

int64_t eb_last_error(char *buf, int64_t cap) {
    if (last == NULL)
        return 0;
    if (buf != NULL && cap > 0)
        memcpy(buf, last->message, (size_t)(cap < last->len ? cap : last->len));
    return last->len;
}

int64_t eb_needed(void) { return last == NULL ? 0 : last->needed; }

int64_t eb_abi_version(void) { return EB_ABI_MAJOR * 65536 + EB_ABI_MINOR; }

const char *eb_strerror(int64_t status) {
    switch (status) {
    case EB_OK: return "ok";
    case EB_INVALID_ARGUMENT: return "invalid argument";
    case EB_CLOSED: return "closed";
    case EB_FORKED: return "used in a forked child";
    case EB_INTERNAL: return "internal error";
    case EB_BUFFER_TOO_SMALL: return "buffer too small";
    case EB_TIMED_OUT: return "timed out";
    case EB_IN_USE: return "in use";
    case EB_DAMAGED: return "damaged";
    case EB_DISK_FULL: return "disk full";
    case EB_UNREACHABLE: return "unreachable";
    case EB_OUTCOME_UNKNOWN: return "outcome unknown";
    default: return "unknown status";
    }
}

/* ---- fork ---------------------------------------------------------------- */

/* The kernel empties this page in every child, also in those of clone() and
 * vfork-like calls that run no atfork handler; the handler is for kernels that
 * cannot do so. */
static volatile char *alive;
static volatile char forked_flag;

static void in_child(void) { forked_flag = 1; }

__attribute__((constructor)) static void start(void) {
    static char fallback = 1;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    void *p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    alive = &fallback;
    if (p != MAP_FAILED && madvise(p, page, MADV_WIPEONFORK) == 0)
        alive = p;
    *alive = 1;
    pthread_atfork(NULL, NULL, in_child);
    pthread_key_create(&free_at_thread_exit, forget);
}

static int forked(void) { return __builtin_expect(*alive == 0 || forked_flag, 0); }

static int64_t refuse_forked(void) {
    static const char message[] = "used in a forked child: the library does not survive fork; "
                                  "open it anew in a process that was spawned or exec'd";
    shim_set_error(message, (int64_t)sizeof message - 1);
    return EB_FORKED;
}

/* ---- arguments ----------------------------------------------------------- */

/* A closed broker says so before it judges arguments, as in every language. */
static int64_t refuse(uint64_t broker, const char *argument, const char *reason) {
    int64_t status = shim_go_check(broker);
    if (status != EB_OK)
        return status;
    char message[128];
    int len = snprintf(message, sizeof message, "invalid argument: %s: %s", argument, reason);
    shim_set_error(message, len);
    return EB_INVALID_ARGUMENT;
}

static const char *wrong_string(const char *ptr, int64_t len) {
    return ptr == NULL ? "is null" : len < 0 ? "has a negative length" : NULL;
}

/* Both return from the function they stand in, with what is wrong. */
#define NOT_FORKED()                \
    do {                            \
        if (forked())               \
            return refuse_forked(); \
    } while (0)
#define STRING(name)                                        \
    do {                                                    \
        const char *wrong = wrong_string(name, name##_len); \
        if (__builtin_expect(wrong != NULL, 0))             \
            return refuse(broker, #name, wrong);            \
    } while (0)

/* ---- EventBroker --------------------------------------------------------- */

static int64_t refuse_new(const char *reason) {
    shim_set_error(reason, (int64_t)strlen(reason));
    return EB_INVALID_ARGUMENT;
}

/* A caller built against a later header may know options that this library
 * does not: they are fine as long as they are not used, that is zero. */
static const char *wrong_options(const eb_event_options *options) {
    if (options->size < (int64_t)sizeof(int64_t) || options->size > 4096)
        return "invalid argument: options: size is not that of an eb_event_options";
    for (int64_t i = (int64_t)sizeof *options; i < options->size; i++)
        if (((const char *)options)[i] != 0)
            return "invalid argument: options: sets an option that this version of the library does not have";
    return NULL;
}

int64_t eb_event_new(int64_t capacity_per_partition, const eb_event_options *options, uint64_t *broker) {
    NOT_FORKED();
    if (broker == NULL)
        return refuse_new("invalid argument: broker: is null");
    int64_t max_payload = 0;
    if (options != NULL) {
        const char *wrong = wrong_options(options);
        if (wrong != NULL)
            return refuse_new(wrong);
        if (options->size >= (int64_t)sizeof *options)
            max_payload = options->max_payload;
    }
    return shim_go_event_new(capacity_per_partition, max_payload, broker);
}

int64_t eb_event_close(uint64_t broker) { return forked() ? EB_OK : shim_go_event_close(broker); }

int64_t eb_event_create(uint64_t broker, const char *topic, int64_t topic_len, int64_t partition_count) {
    NOT_FORKED();
    STRING(topic);
    return shim_go_event_create(broker, (char *)topic, topic_len, partition_count);
}

int64_t eb_event_join(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                      const char *member, int64_t member_len, int32_t *partitions, int64_t cap) {
    NOT_FORKED();
    STRING(topic);
    STRING(group);
    STRING(member);
    if (partitions == NULL)
        return refuse(broker, "partitions", "is null");
    if (cap < 0)
        return refuse(broker, "cap", "is negative");
    return shim_go_event_join(broker, (char *)topic, topic_len, (char *)group, group_len, (char *)member, member_len,
                              partitions, cap);
}

int64_t eb_event_leave(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                       const char *member, int64_t member_len) {
    NOT_FORKED();
    STRING(topic);
    STRING(group);
    STRING(member);
    return shim_go_event_leave(broker, (char *)topic, topic_len, (char *)group, group_len, (char *)member, member_len);
}

int64_t eb_event_publish(uint64_t broker, const char *topic, int64_t topic_len, int64_t partition, const char *payload,
                         int64_t payload_len) {
    NOT_FORKED();
    STRING(topic);
    STRING(payload);
    return shim_go_event_publish(broker, (char *)topic, topic_len, partition, (char *)payload, payload_len);
}

int64_t eb_event_poll(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                      const char *member, int64_t member_len, int64_t max_records, void *buf, int64_t cap) {
    NOT_FORKED();
    STRING(topic);
    STRING(group);
    STRING(member);
    if (buf == NULL)
        return refuse(broker, "buf", "is null");
    if ((uintptr_t)buf % 8 != 0)
        return refuse(broker, "buf", "is not aligned to 8");
    if (cap < 0)
        return refuse(broker, "cap", "is negative");
    return shim_go_event_poll(broker, (char *)topic, topic_len, (char *)group, group_len, (char *)member, member_len,
                              max_records, buf, cap);
}

int64_t eb_event_ack(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                     const char *member, int64_t member_len, int64_t partition, int64_t offset) {
    NOT_FORKED();
    STRING(topic);
    STRING(group);
    STRING(member);
    return shim_go_event_ack(broker, (char *)topic, topic_len, (char *)group, group_len, (char *)member, member_len,
                             partition, offset);
}

int64_t eb_event_retry(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                       const char *member, int64_t member_len, int64_t partition, int64_t offset) {
    NOT_FORKED();
    STRING(topic);
    STRING(group);
    STRING(member);
    return shim_go_event_retry(broker, (char *)topic, topic_len, (char *)group, group_len, (char *)member, member_len,
                               partition, offset);
}
