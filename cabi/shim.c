/*
 * shim.c - what all public functions check before they call into Go.
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
    case EB_STORAGE: return "storage failed";
    default: return "unknown status";
    }
}

/* ---- fork ---------------------------------------------------------------- */

/* The kernel empties this page in every child that has memory of its own, also
 * in those of a raw clone(), which runs no atfork handler; the handler is for
 * kernels that cannot do so. */
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

int shim_forked(void) { return __builtin_expect(*alive == 0 || forked_flag, 0); }

int64_t shim_refuse_forked(void) {
    static const char message[] = "used in a forked child: the library does not survive fork; "
                                  "open it anew in a process that was spawned or exec'd";
    shim_set_error(message, (int64_t)sizeof message - 1);
    return EB_FORKED;
}

/* ---- arguments ----------------------------------------------------------- */

int64_t shim_refuse_argument(const char *argument, const char *reason) {
    char message[160];
    int len = snprintf(message, sizeof message, "invalid argument: %s: %s", argument, reason);
    shim_set_error(message, len);
    return EB_INVALID_ARGUMENT;
}

/* Go reads names in place, which AddressSanitizer does not see: where the library is
 * built for it, an over-read of the caller's is seen here or nowhere. */
static void read_name(const char *ptr, int64_t len) {
#ifdef __SANITIZE_ADDRESS__
    for (int64_t i = 0; i < len && len <= EB_EVENT_MAX_IDENTIFIER; i++) /* a longer one nobody reads */
        (void)((const volatile char *)ptr)[i];
#else
    (void)ptr, (void)len;
#endif
}

const char *shim_wrong_string(const char *ptr, int64_t len) {
    if (ptr == NULL || len < 0)
        return ptr == NULL ? "is null" : "has a negative length";
    read_name(ptr, len);
    return NULL;
}

const char *shim_wrong_buffer(const void *buf) {
    return buf == NULL ? "is null" : (uintptr_t)buf % 8 != 0 ? "is not aligned to 8" : NULL;
}

const char *shim_wrong_capacity(int64_t cap) { return cap < 0 ? "is negative" : NULL; }

/* A caller built against a later header may know options that this library
 * does not: they are fine as long as they are not used, that is zero. */
const char *shim_wrong_options(const void *options, int64_t known) {
    int64_t size = *(const int64_t *)options;
    if (size < (int64_t)sizeof size || size > 4096)
        return "size is not that of the options";
    for (int64_t i = known; i < size; i++)
        if (((const char *)options)[i] != 0)
            return "sets an option that this version of the library does not have";
    return NULL;
}
