/* Handles that are zero, made up, closed or stale answer EB_CLOSED and harm nothing. */
#include "check.h"

static void check_closed(uint64_t handle) {
    check_every_call(handle, EB_CLOSED);
    CHECK_EQ(eb_event_close(handle), EB_OK);
    CHECK_EQ(eb_event_topic_close(handle), EB_OK);
    CHECK_EQ(eb_event_consumer_close(handle), EB_OK);
    CHECK_EQ(eb_message_close(handle), EB_OK);
    CHECK_EQ(eb_pubsub_close(handle, 0), EB_OK);
    CHECK_EQ(eb_pubsub_end(handle), EB_OK);
}

/* A broker answers to the functions of its own system alone, close included. */
static void other_system(void) {
    uint64_t event = broker_with_topic(1, 1), message = message_broker_with_topic(1);
    uint64_t pubsub = pubsub_broker_with_topic(EB_PUBSUB_SYNCHRONOUS);
    check_every_event_call(message, EB_CLOSED);
    check_every_message_call(pubsub, EB_CLOSED);
    check_every_pubsub_call(event, EB_CLOSED);
    CHECK_EQ(eb_event_close(pubsub), EB_OK);
    CHECK_EQ(eb_message_close(event), EB_OK);
    CHECK_EQ(eb_pubsub_close(message, 0), EB_OK);
    CHECK_EQ(eb_pubsub_end(pubsub), EB_OK);
    CHECK_EQ(eb_event_publish(event, S("t"), 0, S("x")), 0);
    CHECK_EQ(eb_message_publish(message, S("t"), S("x")), 0);
    CHECK_EQ(eb_pubsub_publish(pubsub, S("t"), S("x")), 0);
    CHECK_EQ(eb_event_close(event), EB_OK);
    CHECK_EQ(eb_message_close(message), EB_OK);
    CHECK_EQ(eb_pubsub_close(pubsub, 0), EB_OK);
}

static void made_up(void) {
    uint64_t broker = broker_with_topic(1, 1);
    const uint64_t handles[] = {0,           UINT64_C(1) << 40, UINT64_MAX,           UINT64_C(1) << 63,  INT64_MAX,
                                0xffffffffU, broker + 1,        broker + (1LL << 32), broker | 1ULL << 63};
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++)
        check_closed(handles[i]);
    CHECK_EQ(eb_event_publish(broker, S("t"), 0, S("x")), 0); /* none of them was ours */
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

/* Also when arguments are wrong: closed says so first, as in every language. */
static void closed_twice(void) {
    uint64_t broker = broker_with_topic(1, 1);
    CHECK_EQ(eb_event_close(broker), EB_OK);
    CHECK_EQ(eb_event_close(broker), EB_OK);
    check_closed(broker);
    CHECK_EQ(eb_event_create(broker, NULL, 0, 1), EB_CLOSED);
    CHECK_EQ(eb_event_create(broker, S("t"), 0), EB_CLOSED);
    CHECK_EQ(eb_event_poll(broker, S("t"), S("g"), S("m"), 1, NULL, 0), EB_CLOSED);
    CHECK(strlen(last_error()) > 0);

    broker = message_broker_with_topic(1);
    CHECK_EQ(eb_message_close(broker), EB_OK);
    check_closed(broker);
    CHECK_EQ(eb_message_create_topic(broker, NULL, 0), EB_CLOSED);
    CHECK_EQ(eb_message_ack(broker, S("t"), S("g"), -1, 0), EB_CLOSED);
    CHECK_EQ(eb_message_poll(broker, S("t"), S("g"), NULL, 0), EB_CLOSED);

    broker = pubsub_broker_with_topic(EB_PUBSUB_LANES);
    CHECK_EQ(eb_pubsub_close(broker, 0), EB_OK);
    CHECK_EQ(eb_pubsub_close(broker, 0), EB_OK);
    check_closed(broker);
    CHECK_EQ(eb_pubsub_create_topic(broker, NULL, 0, -1), EB_CLOSED);
    CHECK_EQ(eb_pubsub_subscribe(broker, S("t"), S("n"), 1, NULL, NULL), EB_CLOSED);
    CHECK_EQ(eb_pubsub_seek(broker, S("t"), S("n"), -1), EB_CLOSED);
    CHECK_EQ(eb_pubsub_next(broker, NULL, 0), EB_CLOSED);
    CHECK_EQ(eb_pubsub_wait(broker, -1, NULL, 0), EB_CLOSED);
    CHECK_EQ(eb_pubsub_settle(broker, 7, NULL, -1), EB_CLOSED);
}

/* Slots are used again, in a way that keeps old handles stale. */
static void reused(void) {
    uint64_t stale[64];
    for (int i = 0; i < 64; i++) {
        stale[i] = broker_with_topic(1, 1);
        CHECK_EQ(eb_event_close(stale[i]), EB_OK);
    }
    uint64_t live = broker_with_topic(1, 1);
    for (int i = 0; i < 64; i++) {
        CHECK(stale[i] != live);
        check_closed(stale[i]);
    }
    CHECK_EQ(eb_event_publish(live, S("t"), 0, S("x")), 0);
    CHECK_EQ(eb_event_close(live), EB_OK);
}

/* Kilobytes that the process keeps in memory. */
static long resident_kib(void) {
    long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    CHECK(statm != NULL && fscanf(statm, "%*d %ld", &pages) == 1);
    fclose(statm);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Opening and closing leaves nothing behind: the rounds hold about 1 GiB in all. */
static void open_close_loop(void) {
    static char payload[EB_EVENT_MAX_PAYLOAD / 2];
    const eb_event_options options = {sizeof options, EB_EVENT_MAX_PAYLOAD};
    memset(payload, 'x', sizeof payload);
    for (int i = 0; i < 2000; i++) {
        uint64_t broker = 0;
        CHECK_EQ(eb_event_new(1000, &options, &broker), EB_OK);
        CHECK_EQ(eb_event_create(broker, S("t"), 64), 1);
        CHECK_EQ(eb_event_publish(broker, S("t"), 0, payload, sizeof payload), 0);
        CHECK_EQ(eb_event_close(broker), EB_OK);
        broker = message_broker_with_topic(1);
        CHECK_EQ(eb_message_publish(broker, S("t"), S("x")), 0);
        CHECK_EQ(eb_message_close(broker), EB_OK);
        broker = pubsub_broker_with_topic(i % 3);
        uint64_t worker = 0;
        CHECK_EQ(eb_pubsub_subscribe(broker, S("t"), S("n"), 1, NULL, &worker), EB_OK);
        CHECK_EQ(eb_pubsub_publish(broker, S("t"), S("x")), 0);
        CHECK_EQ(eb_pubsub_close(broker, 0), EB_OK);
        CHECK_EQ(eb_pubsub_end(worker), EB_OK);
    }
    CHECK(resident_kib() < 256 * 1024);
}

int main(void) {
    made_up();
    other_system();
    closed_twice();
    reused();
    open_close_loop();
    return 0;
}
