/* Wrong arguments of the pub-sub broker: refused, named, and without effect. */
#include "check.h"

#define WIDE (INT64_C(1) << 32)

static struct delivery buf;
static const int64_t size = (int64_t)sizeof buf;

static int64_t subscribe(uint64_t broker, eb_pubsub_subscription options) {
    options.size = sizeof options;
    return eb_pubsub_subscribe(broker, S("t"), S("n"), 1, &options, NULL);
}

/* A wrong (pointer, length) in the place of every string that is not an option. */
static void strings(uint64_t broker, const char *ptr, int64_t len) {
#define BAD ptr, len
    CHECK_REFUSES(eb_pubsub_create_topic(broker, BAD, 0), "topic");
    CHECK_REFUSES(eb_pubsub_subscribe(broker, BAD, S("n"), 1, NULL, NULL), "topic");
    CHECK_REFUSES(eb_pubsub_subscribe(broker, S("t"), BAD, 1, NULL, NULL), "name");
    CHECK_REFUSES(eb_pubsub_unsubscribe(broker, BAD, S("n")), "topic");
    CHECK_REFUSES(eb_pubsub_unsubscribe(broker, S("t"), BAD), "name");
    CHECK_REFUSES(eb_pubsub_publish(broker, BAD, S("x")), "topic");
    CHECK_REFUSES(eb_pubsub_publish(broker, S("t"), BAD), "payload");
    CHECK_REFUSES(eb_pubsub_publish_wait(broker, BAD, S("x"), 0), "topic");
    CHECK_REFUSES(eb_pubsub_publish_wait(broker, S("t"), BAD, 0), "payload");
    CHECK_REFUSES(eb_pubsub_seek(broker, BAD, S("n"), 0), "topic");
    CHECK_REFUSES(eb_pubsub_seek(broker, S("t"), BAD, 0), "name");
    CHECK_REFUSES(eb_pubsub_offset(broker, BAD, S("n")), "topic");
    CHECK_REFUSES(eb_pubsub_offset(broker, S("t"), BAD), "name");
    CHECK_REFUSES(eb_pubsub_dead_letters(broker, BAD, S("n"), &buf, size), "topic");
    CHECK_REFUSES(eb_pubsub_dead_letters(broker, S("t"), BAD, &buf, size), "name");
    CHECK_REFUSES(eb_pubsub_redeliver(broker, BAD, S("n")), "topic");
    CHECK_REFUSES(eb_pubsub_redeliver(broker, S("t"), BAD), "name");
    CHECK_REFUSES(eb_pubsub_status(broker, BAD, S("n"), &buf, size), "topic");
    CHECK_REFUSES(eb_pubsub_status(broker, S("t"), BAD, &buf, size), "name");
#undef BAD
}

static void outputs(uint64_t broker) {
    uint64_t walk = 0;
    CHECK_REFUSES(eb_pubsub_new(NULL, NULL), "broker");
    CHECK_REFUSES(eb_pubsub_drain(broker, NULL), "walk");
    CHECK_REFUSES(eb_pubsub_pool(broker, NULL), "worker");
    CHECK_EQ(eb_pubsub_drain(broker, &walk), EB_OK);
    static const int64_t caps[] = {-1, INT64_MIN};
    for (int i = 0; i < 2; i++) {
        CHECK_REFUSES(eb_pubsub_next(walk, &buf, caps[i]), "cap");
        CHECK_REFUSES(eb_pubsub_dead_letters(broker, S("t"), S("n"), &buf, caps[i]), "cap");
        CHECK_REFUSES(eb_pubsub_status(broker, S("t"), S("n"), &buf, caps[i]), "cap");
    }
    for (int misaligned = 0; misaligned < 8; misaligned++) {
        char *wrong = misaligned == 0 ? NULL : (char *)&buf + misaligned;
        CHECK_REFUSES(eb_pubsub_next(walk, wrong, 512), "buf");
        CHECK_REFUSES(eb_pubsub_dead_letters(broker, S("t"), S("n"), wrong, 512), "buf");
        CHECK_REFUSES(eb_pubsub_status(broker, S("t"), S("n"), wrong, 512), "buf");
    }
    CHECK_EQ(eb_pubsub_next(walk, &buf, size), 1);
    CHECK_REFUSES(eb_pubsub_settle(buf.header.token, EB_PUBSUB_FILTERED + 1, NULL, 0), "outcome");
    CHECK_REFUSES(eb_pubsub_settle(buf.header.token, -1, NULL, 0), "outcome");
    CHECK_REFUSES(eb_pubsub_settle(buf.header.token, WIDE, NULL, 0), "outcome");
    CHECK_REFUSES(eb_pubsub_settle(buf.header.token, EB_PUBSUB_FAILED, "x", -1), "text_len");
    CHECK_EQ(eb_pubsub_settle(buf.header.token, EB_PUBSUB_FAILED, NULL, 5), 1);
    CHECK_EQ(eb_pubsub_end(walk), EB_OK);
}

static void check_option(eb_pubsub_options options, const char *argument) {
    uint64_t broker = 99;
    options.size = sizeof options;
    CHECK_REFUSES(eb_pubsub_new(&options, &broker), argument);
    CHECK_EQ(broker, 99);
}

/* Every limit from both sides; no integer is cut to 32 bits, where some of these would be in range. */
static void options_of_new(void) {
    enum { POOL = EB_PUBSUB_POOL };
    static const int64_t wrong[] = {-1, INT64_MIN, INT64_MAX, WIDE * 1000000 + 1};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        check_option((eb_pubsub_options){.dispatcher = wrong[i]}, "dispatcher");
        check_option((eb_pubsub_options){.dispatcher = POOL, .workers = wrong[i]}, "workers");
        check_option((eb_pubsub_options){.dispatcher = POOL, .handler_timeout = wrong[i]}, "handler_timeout");
        check_option((eb_pubsub_options){.max_attempts = wrong[i]}, "max_attempts");
        check_option((eb_pubsub_options){.block_timeout = wrong[i]}, "block_timeout");
        check_option((eb_pubsub_options){.max_payload = wrong[i]}, "max_payload");
        check_option((eb_pubsub_options){.path = "x", .path_len = 1, .sync = wrong[i]}, "sync");
    }
    check_option((eb_pubsub_options){.dispatcher = EB_PUBSUB_POOL + 1}, "dispatcher");
    check_option((eb_pubsub_options){.workers = 1}, "workers");
    check_option((eb_pubsub_options){.dispatcher = EB_PUBSUB_LANES, .handler_timeout = 1}, "handler_timeout");
    check_option((eb_pubsub_options){.dispatcher = POOL, .workers = EB_PUBSUB_MAX_WORKERS + 1}, "workers");
    check_option((eb_pubsub_options){.dispatcher = POOL, .handler_timeout = EB_PUBSUB_MAX_TIMEOUT + 1},
                 "handler_timeout");
    check_option((eb_pubsub_options){.max_attempts = (int64_t)EB_PUBSUB_NO_LIMIT + 1}, "max_attempts");
    check_option((eb_pubsub_options){.block_timeout = EB_PUBSUB_MAX_TIMEOUT + 1}, "block_timeout");
    check_option((eb_pubsub_options){.max_payload = EB_PUBSUB_MAX_PAYLOAD + 1}, "max_payload");
    check_option((eb_pubsub_options){.sync = 1}, "sync");
    check_option((eb_pubsub_options){.path = "", .path_len = 0}, "path");
    check_option((eb_pubsub_options){.path = "x", .path_len = -1}, "path");
    check_option((eb_pubsub_options){.path = "a\0b", .path_len = 3}, "path");
    check_option((eb_pubsub_options){.path = "/nowhere/to/be/found", .path_len = 20}, "path");
}

static void most_is_accepted(void) {
    const eb_pubsub_options options = {.size = sizeof options,
                                       .dispatcher = EB_PUBSUB_POOL,
                                       .workers = EB_PUBSUB_MAX_WORKERS,
                                       .handler_timeout = EB_PUBSUB_MAX_TIMEOUT,
                                       .max_attempts = EB_PUBSUB_NO_LIMIT,
                                       .block_timeout = EB_PUBSUB_MAX_TIMEOUT,
                                       .max_payload = EB_PUBSUB_MAX_PAYLOAD};
    uint64_t broker = 0, worker = 0;
    CHECK_EQ(eb_pubsub_new(&options, &broker), EB_OK);
    CHECK_EQ(eb_pubsub_pool(broker, &worker), EB_PUBSUB_MAX_WORKERS + 1); /* one for the first to be late */
    CHECK_EQ(eb_pubsub_create_topic(broker, S("t"), EB_PUBSUB_MAX_RETAIN), 1);
    CHECK_REFUSES(eb_pubsub_wait(worker, -1, &buf, size), "timeout_ms");
    CHECK_REFUSES(eb_pubsub_wait(worker, 0, NULL, size), "buf");
    CHECK_REFUSES(eb_pubsub_wait(worker, 0, &buf, -1), "cap");
    CHECK_EQ(eb_pubsub_wait(worker, 0, &buf, size), 0);
    CHECK_EQ(eb_pubsub_close(broker, INT64_MAX), EB_OK);
    CHECK_EQ(eb_pubsub_end(worker), EB_OK);
}

/* The size says which options the caller knows. */
static void sizes(uint64_t broker) {
    struct {
        eb_pubsub_options known;
        int64_t unknown;
    } later = {{.size = sizeof later, .max_payload = -1}, 0};
    uint64_t other = 0;
    static const int64_t wrong[] = {0, 7, -1, INT64_MAX};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        eb_pubsub_options options = {.size = wrong[i]};
        eb_pubsub_subscription subscription = {.size = wrong[i]};
        CHECK_REFUSES(eb_pubsub_new(&options, &other), "options");
        CHECK_REFUSES(eb_pubsub_subscribe(broker, S("t"), S("other"), 1, &subscription, NULL), "options");
    }
    CHECK_REFUSES(eb_pubsub_new(&later.known, &other), "max_payload");
    later.known.size = 8; /* an earlier caller: the rest is not even read */
    CHECK_EQ(eb_pubsub_new(&later.known, &other), EB_OK);
    CHECK_EQ(eb_pubsub_close(other, 0), EB_OK);
    later.known = (eb_pubsub_options){.size = sizeof later};
    later.unknown = 1;
    CHECK_REFUSES(eb_pubsub_new(&later.known, &other), "options");
}

static void subscriptions(uint64_t broker) {
    char longest[EB_PUBSUB_MAX_IDENTIFIER + 1];
    memset(longest, 'n', sizeof longest);
    CHECK_REFUSES(eb_pubsub_subscribe(broker, S("t"), longest, sizeof longest, 1, NULL, NULL), "name");
    CHECK_EQ(eb_pubsub_subscribe(broker, S("t"), longest, EB_PUBSUB_MAX_IDENTIFIER, 1, NULL, NULL), EB_OK);
    CHECK_REFUSES(eb_pubsub_subscribe(broker, S("t"), longest, EB_PUBSUB_MAX_IDENTIFIER, 1, NULL, NULL), "name");
    CHECK_FAILS(eb_pubsub_subscribe(broker, S("orders"), S("n"), 1, NULL, NULL), EB_INVALID_ARGUMENT,
                "invalid argument: topic: \"orders\" does not exist");
    CHECK_REFUSES(subscribe(broker, (eb_pubsub_subscription){.group = "", .group_len = 0}), "group");
    CHECK_REFUSES(subscribe(broker, (eb_pubsub_subscription){.group = "g", .group_len = -1}), "group");
    CHECK_REFUSES(subscribe(broker, (eb_pubsub_subscription){.policy = EB_PUBSUB_BLOCK}), "policy");
    CHECK_REFUSES(subscribe(broker, (eb_pubsub_subscription){.policy = EB_PUBSUB_BLOCK + 1}), "policy");
    CHECK_REFUSES(subscribe(broker, (eb_pubsub_subscription){.policy = WIDE}), "policy");
    CHECK_REFUSES(subscribe(broker, (eb_pubsub_subscription){.filtered = 2}), "filtered");
    CHECK_REFUSES(subscribe(broker, (eb_pubsub_subscription){.group = "g", .group_len = 1, .filtered = 1}), "filter");
    uint64_t lanes = pubsub_broker_with_topic(EB_PUBSUB_LANES);
    CHECK_REFUSES(eb_pubsub_subscribe(lanes, S("t"), S("n"), 1, NULL, NULL), "worker");
    CHECK_EQ(eb_pubsub_offset(lanes, S("t"), S("n")), -1);
    CHECK_EQ(eb_pubsub_close(lanes, 0), EB_OK);
}

static void integers(uint64_t broker) {
    static const int64_t retains[] = {-1, INT64_MIN, (int64_t)EB_PUBSUB_MAX_RETAIN + 1, WIDE + 1, INT64_MAX};
    for (size_t i = 0; i < sizeof retains / sizeof *retains; i++)
        CHECK_REFUSES(eb_pubsub_create_topic(broker, S("u"), retains[i]), "retain");
    static const int64_t offsets[] = {-1, INT64_MIN, 2, WIDE, WIDE + 1, INT64_MAX};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++)
        CHECK_REFUSES(eb_pubsub_seek(broker, S("t"), S("n"), offsets[i]), "offset");
    CHECK_REFUSES(eb_pubsub_publish_wait(broker, S("t"), S("x"), -2), "timeout_ms");
    CHECK_REFUSES(eb_pubsub_publish_wait(broker, S("t"), S("\xff"), -1), "payload");
    CHECK_REFUSES(eb_pubsub_publish(broker, S("t"), S("\xff")), "payload");
    CHECK_REFUSES(eb_pubsub_create_topic(broker, S("a\0b"), 0), "topic"); /* a NUL cuts nothing off */
    CHECK_EQ(eb_pubsub_create_topic(broker, S("a"), 0), 1);
}

int main(void) {
    uint64_t broker = pubsub_broker_with_topic(EB_PUBSUB_SYNCHRONOUS);
    CHECK_EQ(eb_pubsub_subscribe(broker, S("t"), S("n"), UINT64_MAX, NULL, NULL), EB_OK);
    CHECK_EQ(eb_pubsub_publish(broker, S("t"), S("x")), 0);
    strings(broker, NULL, 0);
    strings(broker, NULL, 5);
    strings(broker, NULL, -1);
    strings(broker, "t", -1);
    strings(broker, "t", INT64_MIN);
    outputs(broker);
    CHECK_EQ(buf.header.cookie, UINT64_MAX);
    options_of_new();
    most_is_accepted();
    sizes(broker);
    subscriptions(broker);
    integers(broker);
    CHECK_EQ(eb_pubsub_publish(broker, S("t"), S("y")), 1);
    CHECK_EQ(eb_pubsub_close(broker, 0), EB_OK);
    return 0;
}
