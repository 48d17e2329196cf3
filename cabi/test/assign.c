/* Range assignment: what each function makes of its input (RA-01 to RA-06). */
#include "frame.h"

#include <stdlib.h>

static int64_t buf[1024];
static const int64_t size = (int64_t)sizeof buf;

/* Version 3 with everything in it, as bytes and as a frame. */
static const char subscription_bytes[] = "\0\3"
                                         "\0\0\0\2\0\1a\0\5pay\xc3\xa9"
                                         "\0\0\0\2\0\xff"
                                         "\0\0\0\1\0\1b\0\0\0\3\0\0\0\0\xff\xff\xff\xff\x7f\xff\xff\xff"
                                         "\0\0\0\7"
                                         "\0\4rack";

static struct frame subscription_frame(void) {
    static const int32_t partitions[] = {0, -1, INT32_MAX};
    struct frame f = {.len = 0};
    put_number(&f, 3);
    put_number(&f, 2);
    put_text(&f, S("a"));
    put_text(&f, S("pay\xc3\xa9"));
    put_text(&f, S("\0\xff"));
    put_number(&f, 1);
    put_text(&f, S("b"));
    put_int32s(&f, partitions, 3);
    put_number(&f, 7);
    put_text(&f, S("rack"));
    return f;
}

static void subscriptions(void) {
    const struct frame frame = subscription_frame();
    int64_t len = eb_assign_decode_subscription(S(subscription_bytes), buf, size);
    CHECK(same_frame(&frame, buf, len));
    len = eb_assign_encode_subscription(frame.bytes, frame.len, buf, size);
    CHECK_EQ(len, sizeof subscription_bytes - 1);
    CHECK(memcmp(buf, subscription_bytes, (size_t)len) == 0);
}

/* What is absent is empty, -1 and null; what a version lacks is not written. */
static void absent(void) {
    static const char bytes[] = "\0\0\0\0\0\0\xff\xff\xff\xff";
    struct frame f = {.len = 0};
    put_number(&f, 0);
    put_number(&f, 0);
    put_null(&f);
    put_number(&f, 0);
    put_number(&f, -1);
    put_null(&f);
    int64_t len = eb_assign_decode_subscription(S(bytes), buf, size);
    CHECK(same_frame(&f, buf, len));
    len = eb_assign_encode_subscription(f.bytes, f.len, buf, size);
    CHECK_EQ(len, sizeof bytes - 1);
    CHECK(memcmp(buf, bytes, (size_t)len) == 0);

    struct frame older = subscription_frame();
    memset(older.bytes, 0, 8); /* its version */
    CHECK_EQ(eb_assign_encode_subscription(older.bytes, older.len, buf, size), 2 + 4 + 3 + 7 + 4 + 2);
}

static void assignments(void) {
    static const char bytes[] = "\0\1\0\0\0\1\0\1t\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0\0";
    static const int32_t partitions[] = {0, 1};
    struct frame f = {.len = 0};
    put_number(&f, 1);
    put_number(&f, 1);
    put_text(&f, S("t"));
    put_int32s(&f, partitions, 2);
    put_text(&f, S(""));
    int64_t len = eb_assign_decode_assignment(S(bytes), buf, size);
    CHECK(same_frame(&f, buf, len));
    len = eb_assign_encode_assignment(f.bytes, f.len, buf, size);
    CHECK_EQ(len, sizeof bytes - 1);
    CHECK(memcmp(buf, bytes, (size_t)len) == 0);
}

static void put_member(struct frame *f, const char *id, const char *instance, const char *topic) {
    put_text(f, id, (int64_t)strlen(id));
    if (instance == NULL)
        put_null(f);
    else
        put_text(f, instance, (int64_t)strlen(instance));
    put_number(f, topic != NULL);
    if (topic != NULL)
        put_text(f, topic, (int64_t)strlen(topic));
}

/* The static member comes first, the idle one is there. */
static void range(void) {
    static const int32_t partitions[] = {0, 1, 2, 3, 4};
    struct frame f = {.len = 0}, want = {.len = 0};
    put_number(&f, 1);
    put_text(&f, S("t"));
    put_number(&f, 5);
    put_number(&f, 3);
    put_member(&f, "a", NULL, "t");
    put_member(&f, "b", NULL, NULL);
    put_member(&f, "c", "i", "t");

    put_number(&want, 3);
    put_text(&want, S("c"));
    put_number(&want, 1);
    put_text(&want, S("t"));
    put_int32s(&want, partitions, 3);
    put_text(&want, S("a"));
    put_number(&want, 1);
    put_text(&want, S("t"));
    put_int32s(&want, partitions + 3, 2);
    put_text(&want, S("b"));
    put_number(&want, 0);
    int64_t len = eb_assign_range(f.bytes, f.len, buf, size);
    CHECK(same_frame(&want, buf, len));

    static const int64_t nobody[2] = {0, 0};
    CHECK_EQ(eb_assign_range(nobody, sizeof nobody, buf, size), 8);
    CHECK_EQ(buf[0], 0);
}

/* RA-06: what is wrong is named. */
static void refused_groups(void) {
    static const struct {
        const char *ids[2], *instances[2], *argument;
        int64_t counts[2];
    } groups[] = {
        {{"a", "a"}, {NULL, NULL}, "members", {1, 1}},
        {{"a", ""}, {NULL, NULL}, "members", {1, 1}},
        {{"a", "b"}, {"i", "i"}, "members", {1, 1}},
        {{"a", "b"}, {"i", ""}, "members", {1, 1}},
        {{"a", "\xff"}, {NULL, NULL}, "members", {1, 1}},
        {{"a", "b"}, {NULL, NULL}, "partitions_by_topic", {1, -1}},
        {{"a", "b"}, {NULL, NULL}, "partitions_by_topic", {1, 10000000}},
        {{"a", "b"}, {NULL, NULL}, "partitions_by_topic", {INT64_MAX, INT64_MAX}},
    };
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        struct frame f = {.len = 0};
        put_number(&f, 2);
        put_text(&f, S("t"));
        put_number(&f, groups[i].counts[0]);
        put_text(&f, S("u"));
        put_number(&f, groups[i].counts[1]);
        put_number(&f, 2);
        for (int m = 0; m < 2; m++)
            put_member(&f, groups[i].ids[m], groups[i].instances[m], "t");
        CHECK_REFUSES(eb_assign_range(f.bytes, f.len, buf, size), groups[i].argument);
    }
    struct frame twice = {.len = 0};
    put_number(&twice, 2);
    for (int i = 0; i < 2; i++) {
        put_text(&twice, S("t"));
        put_number(&twice, 1);
    }
    put_number(&twice, 0);
    CHECK_REFUSES(eb_assign_range(twice.bytes, twice.len, buf, size), "partitions_by_topic");
}

/* RA-02: cut anywhere it is an error, or a subscription whose writer stopped there, and no byte too many is read. */
static void cut_bytes(void) {
    static const int64_t ends[] = {22, 45, 49}; /* behind the user data, the owned partitions, the generation */
    for (int64_t len = 0; len < (int64_t)sizeof subscription_bytes - 1; len++) {
        const char *bytes = at_the_end_of_memory(subscription_bytes, len);
        if (len == ends[0] || len == ends[1] || len == ends[2])
            CHECK(eb_assign_decode_subscription(bytes, len, buf, size) > 0);
        else
            CHECK_REFUSES(eb_assign_decode_subscription(bytes, len, buf, size), "bytes");
    }
    static const char assignment[] = "\0\0\0\0\0\1\0\1t\0\0\0\1\0\0\0\0\0\0\0\1x";
    for (int64_t len = 0; len < (int64_t)sizeof assignment - 1; len++)
        CHECK_REFUSES(eb_assign_decode_assignment(at_the_end_of_memory(assignment, len), len, buf, size), "bytes");
    CHECK_FAILS(eb_assign_decode_subscription(S("\0\0\x7f\xff\xff\xff"), buf, size), EB_INVALID_ARGUMENT,
                "invalid argument: bytes: topics count 2147483647 at byte 2 needs 4294967294 bytes or more but has 0");
}

int main(void) {
    subscriptions();
    absent();
    assignments();
    range();
    refused_groups();
    cut_bytes();
    return 0;
}
