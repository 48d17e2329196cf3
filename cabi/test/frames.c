/* Word frames that are wrong, and wrong pointers: refused and named, never a crash. */
#include "frame.h"

#include <stdlib.h>

typedef int64_t function(const void *, int64_t, void *, int64_t);

static int64_t decode_subscription(const void *bytes, int64_t len, void *buf, int64_t cap) {
    return eb_assign_decode_subscription(bytes, len, buf, cap);
}

static int64_t decode_assignment(const void *bytes, int64_t len, void *buf, int64_t cap) {
    return eb_assign_decode_assignment(bytes, len, buf, cap);
}

static int64_t buf[1024];
static const int64_t size = (int64_t)sizeof buf;
static const int32_t partitions[] = {0, 1, 2};

static void put_partitions(struct frame *f) {
    put_number(f, 2);
    put_text(f, S("a topic"));
    put_int32s(f, partitions, 3);
    put_text(f, S(""));
    put_int32s(f, partitions, 0);
}

static struct frame subscription(void) {
    struct frame f = {.len = 0};
    put_number(&f, 3);
    put_number(&f, 2);
    put_text(&f, S("a"));
    put_text(&f, S("eightbyt"));
    put_text(&f, S("data"));
    put_partitions(&f);
    put_number(&f, 1);
    put_text(&f, S("rack"));
    return f;
}

static struct frame assignment(void) {
    struct frame f = {.len = 0};
    put_number(&f, 0);
    put_partitions(&f);
    put_null(&f);
    return f;
}

static struct frame group(void) {
    struct frame f = {.len = 0};
    put_number(&f, 1);
    put_text(&f, S("t"));
    put_number(&f, 3);
    put_number(&f, 2);
    for (int i = 0; i < 2; i++) {
        put_text(&f, i == 0 ? "a" : "b", 1);
        if (i == 0)
            put_null(&f);
        else
            put_text(&f, S("i"));
        put_number(&f, 1);
        put_text(&f, S("t"));
    }
    return f;
}

static void cut_and_longer(function *call, const struct frame *f) {
    CHECK(call(at_the_end_of_memory(f->bytes, f->len), f->len, buf, size) > 0);
    for (int64_t len = 0; len < f->len; len++)
        CHECK_REFUSES(call(at_the_end_of_memory(f->bytes, len), len, buf, size), "frame");
    for (int64_t more = 1; more <= 16; more++) {
        struct frame longer = *f;
        memset(longer.bytes + longer.len, 0, 16);
        CHECK_REFUSES(call(at_the_end_of_memory(longer.bytes, f->len + more), f->len + more, buf, size), "frame");
    }
}

/* Every word in turn is a number that no count or length can be;
 * what then stands behind it may be anything. */
static void hostile_words(function *call, const struct frame *f) {
    static const int64_t lies[] = {
        -2,           INT64_MIN, INT64_MAX, INT64_C(1) << 62, INT64_C(1) << 32, INT32_MAX, 100000, -INT64_C(2147483649),
        INT64_MAX - 6};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        for (int64_t at = 0; at < f->len; at += 8) {
            struct frame liar = *f;
            memcpy(liar.bytes + at, &lies[i], 8);
            int64_t answer = call(at_the_end_of_memory(liar.bytes, liar.len), liar.len, buf, size);
            CHECK(answer > 0 || answer == EB_INVALID_ARGUMENT || answer == EB_BUFFER_TOO_SMALL);
        }
    }
}

/* The word there is a count. */
static void hostile_counts(function *call, const struct frame *f, int64_t at) {
    static const int64_t lies[] = {-1, -2, INT64_MIN, INT64_MAX, INT64_C(1) << 61, INT64_C(1) << 32, 1000};
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct frame liar = *f;
        memcpy(liar.bytes + at, &lies[i], 8);
        CHECK_REFUSES(call(at_the_end_of_memory(liar.bytes, liar.len), liar.len, buf, size), "frame");
    }
}

/* In the place of the input, and of the output. */
static void pointers(function *call, const struct frame *f, const char *input) {
    CHECK_REFUSES(call(NULL, 0, buf, size), input);
    CHECK_REFUSES(call(NULL, 8, buf, size), input);
    CHECK_REFUSES(call(f->bytes, -1, buf, size), input);
    CHECK_REFUSES(call(f->bytes, INT64_MIN, buf, size), input);
    CHECK_REFUSES(call(f->bytes, f->len, NULL, size), "buf");
    CHECK_REFUSES(call(f->bytes, f->len, NULL, 0), "buf");
    CHECK_REFUSES(call(f->bytes, f->len, buf, -1), "cap");
    CHECK_REFUSES(call(f->bytes, f->len, buf, INT64_MIN), "cap");
    for (int misaligned = 1; misaligned < 8; misaligned++)
        CHECK_REFUSES(call(f->bytes, f->len, (char *)buf + misaligned, 64), "buf");
}

/* A buffer too small is left alone, and eb_needed is exactly what does. */
static void too_small(function *call, const void *input, int64_t len) {
    const int64_t needed = call(input, len, buf, size);
    CHECK(needed > 0);
    for (int64_t cap = 0; cap < needed; cap++) {
        char *small = malloc((size_t)cap + (cap == 0));
        memset(small, '#', (size_t)cap);
        CHECK_EQ(call(input, len, small, cap), EB_BUFFER_TOO_SMALL);
        CHECK_EQ(eb_needed(), needed);
        for (int64_t i = 0; i < cap; i++)
            CHECK_EQ(small[i], '#');
        free(small);
    }
    void *exact = malloc((size_t)needed);
    CHECK_EQ(call(input, len, exact, needed), needed);
    CHECK(memcmp(exact, buf, (size_t)needed) == 0);
    free(exact);
}

/* The number at that word is what is wrong. */
static void wrong_word(function *call, const struct frame *f, int64_t word, int64_t value, const char *argument) {
    struct frame wrong = *f;
    memcpy(wrong.bytes + 8 * word, &value, 8);
    CHECK_REFUSES(call(wrong.bytes, wrong.len, buf, size), argument);
}

static void values(const struct frame *s, const struct frame *a) {
    wrong_word(eb_assign_encode_subscription, s, 0, 4, "subscription");
    wrong_word(eb_assign_encode_subscription, s, 0, -1, "subscription");
    wrong_word(eb_assign_encode_subscription, s, 0, 65536, "subscription"); /* would be 0, were it cut */
    wrong_word(eb_assign_encode_subscription, s, s->len / 8 - 3, INT64_C(1) << 32, "subscription");
    wrong_word(eb_assign_encode_assignment, a, 0, 4, "assignment");
    wrong_word(eb_assign_encode_assignment, a, 0, INT64_C(1) << 32, "assignment");

    /* Strings of length -1 where null is not allowed. */
    static const int64_t topic[] = {0, 1, -1, -1, 0, -1, -1}, owned[] = {1, 0, -1, 1, -1, 0, -1, -1};
    static const int64_t assigned[] = {0, 1, -1, 0, -1}, counted[] = {1, -1, 1, 0};
    static const int64_t id[] = {0, 1, -1, -1, 0}, wanted[] = {0, 1, 1, 'a', -1, 1, -1};
    CHECK_REFUSES(eb_assign_encode_subscription(topic, sizeof topic, buf, size), "subscription");
    CHECK_REFUSES(eb_assign_encode_subscription(owned, sizeof owned, buf, size), "subscription");
    CHECK_REFUSES(eb_assign_encode_assignment(assigned, sizeof assigned, buf, size), "assignment");
    CHECK_REFUSES(eb_assign_range(counted, sizeof counted, buf, size), "partitions_by_topic");
    CHECK_REFUSES(eb_assign_range(id, sizeof id, buf, size), "members");
    CHECK_REFUSES(eb_assign_range(wanted, sizeof wanted, buf, size), "members");
}

int main(void) {
    const struct frame s = subscription(), a = assignment(), g = group();
    function *const calls[] = {eb_assign_encode_subscription, eb_assign_encode_assignment, eb_assign_range};
    const struct frame *const frames[] = {&s, &a, &g};
    static const int64_t first_count[] = {8, 8, 0};
    for (int i = 0; i < 3; i++) {
        cut_and_longer(calls[i], frames[i]);
        hostile_words(calls[i], frames[i]);
        hostile_counts(calls[i], frames[i], first_count[i]);
        pointers(calls[i], frames[i], "frame");
        too_small(calls[i], frames[i]->bytes, frames[i]->len);
    }
    pointers(decode_subscription, &s, "bytes");
    pointers(decode_assignment, &a, "bytes");
    too_small(decode_subscription, "\0\0\0\0\0\1\0\1a\xff\xff\xff\xff", 13);
    too_small(decode_assignment, "\0\0\0\0\0\1\0\1a\0\0\0\0\xff\xff\xff\xff", 17);
    values(&s, &a);
    return 0;
}
