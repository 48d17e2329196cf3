/* frame.h - word frames, built and taken apart by hand, and memory that ends where they do. */
#ifndef EB_FRAME_H
#define EB_FRAME_H

#include <sys/mman.h>

#include "check.h"

struct frame {
    char bytes[2048];
    int64_t len;
};

static inline void put_bytes(struct frame *f, const void *data, int64_t len) {
    CHECK(f->len + len + 8 <= (int64_t)sizeof f->bytes);
    memcpy(f->bytes + f->len, data, (size_t)len);
    memset(f->bytes + f->len + len, 0, 8);
    f->len += (len + 7) / 8 * 8;
}

static inline void put_number(struct frame *f, int64_t number) { put_bytes(f, &number, 8); }

static inline void put_text(struct frame *f, const char *text, int64_t len) {
    put_number(f, len);
    put_bytes(f, text, len);
}

static inline void put_null(struct frame *f) { put_number(f, -1); }

static inline void put_int32s(struct frame *f, const int32_t *numbers, int64_t count) {
    put_number(f, count);
    put_bytes(f, numbers, 4 * count);
}

static inline int same_frame(const struct frame *want, const void *got, int64_t len) {
    return want->len == len && memcmp(want->bytes, got, (size_t)len) == 0;
}

/* A copy behind which the memory ends: reading a byte too many kills the program, in Go code as well. */
static inline const char *at_the_end_of_memory(const void *bytes, int64_t len) {
    static char *pages;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (pages == NULL) {
        pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(pages != MAP_FAILED && mprotect(pages + page, page, PROT_NONE) == 0);
    }
    CHECK(len <= (int64_t)page);
    return memcpy(pages + page - len, bytes, (size_t)len);
}

#endif
