/* The pub-sub broker, driven by hand with the synchronous dispatcher: a drain, and what each function
 * answers (PS-01 to PS-17). */
#include "check.h"

enum { BILLING = 1, EMAIL = 2 }; /* cookies: the host's own numbers for its handlers */

/* The handlers, as many as the program has. Returns how the call went. */
static int64_t call_handler(uint64_t cookie, int64_t offset, const char *payload, int64_t payload_len,
                            const char **why) {
    if (cookie == BILLING && payload_len == 3 && memcmp(payload, "bad", 3) == 0) {
        *why = "no such order";
        return EB_PUBSUB_FAILED;
    }
    return cookie == EMAIL && offset == 0 ? EB_PUBSUB_FILTERED : EB_PUBSUB_CONFIRMED;
}

/* A drain: takes what waits, calls the handlers, settles. Returns how many were confirmed. */
static int64_t drain(uint64_t broker) {
    struct delivery d;
    uint64_t walk = 0;
    int64_t taken, confirmed = 0;
    CHECK_EQ(eb_pubsub_drain(broker, &walk), EB_OK);
    while ((taken = eb_pubsub_next(walk, &d, sizeof d)) == 1) {
        const char *payload = d.text + d.header.topic_len, *why = "";
        int64_t outcome = call_handler(d.header.cookie, d.header.offset, payload, d.header.payload_len, &why);
        CHECK_EQ(eb_pubsub_settle(d.header.token, outcome, why, (int64_t)strlen(why)), 1);
        confirmed += outcome == EB_PUBSUB_CONFIRMED;
    }
    CHECK_EQ(taken, 0);
    return confirmed;
}

static void subscribe(uint64_t broker, const char *name, int64_t name_len, uint64_t cookie, int64_t filtered) {
    const eb_pubsub_subscription options = {.size = sizeof options, .filtered = filtered};
    CHECK_EQ(eb_pubsub_subscribe(broker, S("t"), name, name_len, cookie, &options, NULL), EB_OK);
}

static void check_standing(uint64_t broker, int64_t offset, int64_t attempts) {
    eb_pubsub_standing standing;
    CHECK_EQ(eb_pubsub_status(broker, S("t"), S("billing"), &standing, sizeof standing), 1);
    CHECK_EQ(standing.offset, offset);
    CHECK_EQ(standing.attempts, attempts);
    CHECK_EQ(standing.lost, 0);
    CHECK_EQ(standing.reason_len, 0);
}

static void check_letter(uint64_t broker) {
    struct {
        eb_pubsub_letter header;
        char text[64];
    } letter;
    CHECK_EQ(eb_pubsub_dead_letters(broker, S("t"), S("billing"), &letter, sizeof letter), 1);
    CHECK_EQ(letter.header.offset, 1);
    CHECK_EQ(letter.header.attempts, 3);
    CHECK_EQ(letter.header.payload_len, 3);
    CHECK_EQ(letter.header.error_len, 13);
    CHECK(memcmp(letter.text, "badno such order", 16) == 0);
}

static void example(void) {
    uint64_t broker = pubsub_broker_with_topic(EB_PUBSUB_SYNCHRONOUS);
    CHECK_EQ(eb_pubsub_create_topic(broker, S("t"), 0), 0);
    subscribe(broker, S("billing"), BILLING, 0);
    subscribe(broker, S("email"), EMAIL, 1);
    CHECK_EQ(drain(broker), 0);
    CHECK_EQ(eb_pubsub_publish(broker, S("t"), S("good")), 0);
    CHECK_EQ(eb_pubsub_publish_wait(broker, S("t"), S("bad"), -1), 1);
    CHECK_EQ(drain(broker), 2); /* billing took one, e-mail the other */
    check_standing(broker, 1, 1);
    CHECK_EQ(drain(broker), 0);
    check_standing(broker, 1, 2);
    CHECK_EQ(drain(broker), 0);
    check_standing(broker, 2, 0);
    check_letter(broker);
    CHECK_EQ(eb_pubsub_redeliver(broker, S("t"), S("billing")), 1);
    CHECK_EQ(eb_pubsub_redeliver(broker, S("t"), S("billing")), 0);
    CHECK_EQ(eb_pubsub_offset(broker, S("t"), S("billing")), 2);
    CHECK_EQ(eb_pubsub_seek(broker, S("t"), S("email"), 1), 1);
    CHECK_EQ(drain(broker), 1);
    CHECK_EQ(eb_pubsub_unsubscribe(broker, S("t"), S("email")), 1);
    CHECK_EQ(eb_pubsub_unsubscribe(broker, S("t"), S("email")), 0);
    CHECK_EQ(eb_pubsub_close(broker, 0), EB_OK);
}

static void absent(void) {
    uint64_t broker = pubsub_broker_with_topic(EB_PUBSUB_SYNCHRONOUS), worker = 7;
    eb_pubsub_standing standing;
    CHECK_EQ(eb_pubsub_publish(broker, S("orders"), S("x")), -1);
    CHECK_EQ(eb_pubsub_publish_wait(broker, S("orders"), S("x"), 1000000), -1);
    CHECK_EQ(eb_pubsub_seek(broker, S("t"), S("n"), 0), 0);
    CHECK_EQ(eb_pubsub_offset(broker, S("t"), S("n")), -1);
    CHECK_EQ(eb_pubsub_dead_letters(broker, S("t"), S("n"), &standing, sizeof standing), 0);
    CHECK_EQ(eb_pubsub_redeliver(broker, S("t"), S("n")), 0);
    CHECK_EQ(eb_pubsub_status(broker, S("t"), S("n"), &standing, sizeof standing), 0);
    CHECK_EQ(standing.offset, -1);
    CHECK_EQ(eb_pubsub_pool(broker, &worker), 0);
    CHECK_EQ(worker, 0);
    CHECK_EQ(eb_pubsub_close(broker, 0), EB_OK);
}

/* Takes the walk's next delivery, which has to be of that offset. */
static uint64_t take(uint64_t walk, int64_t offset) {
    struct delivery d;
    CHECK_EQ(eb_pubsub_next(walk, &d, sizeof d), 1);
    CHECK_EQ(d.header.offset, offset);
    return d.header.token;
}

/* A walk gives its next delivery when the one before is settled, once. */
static void walks(void) {
    struct delivery d;
    uint64_t broker = pubsub_broker_with_topic(EB_PUBSUB_SYNCHRONOUS), outer = 0, inner = 0;
    subscribe(broker, S("n"), BILLING, 0);
    for (int i = 0; i < 3; i++)
        CHECK_EQ(eb_pubsub_publish(broker, S("t"), S("x")), i);
    CHECK_EQ(eb_pubsub_drain(broker, &outer), EB_OK);
    uint64_t token = take(outer, 0);
    CHECK_REFUSES(eb_pubsub_next(outer, &d, sizeof d), "walk");
    CHECK_EQ(eb_pubsub_drain(broker, &inner), EB_OK);
    CHECK_EQ(eb_pubsub_next(inner, &d, sizeof d), 0); /* somebody else serves it (PS-10) */
    CHECK_EQ(eb_pubsub_next(inner, &d, sizeof d), EB_CLOSED);
    CHECK_REFUSES(eb_pubsub_settle(token, 3, NULL, 0), "outcome");
    CHECK_EQ(eb_pubsub_settle(token, EB_PUBSUB_CONFIRMED, NULL, 0), 1);
    CHECK_EQ(eb_pubsub_settle(token, EB_PUBSUB_CONFIRMED, NULL, 0), EB_CLOSED);
    token = take(outer, 1);
    CHECK_EQ(eb_pubsub_end(outer), EB_OK);
    CHECK_EQ(eb_pubsub_end(outer), EB_OK);
    CHECK_EQ(eb_pubsub_next(outer, &d, sizeof d), EB_CLOSED);
    CHECK_EQ(eb_pubsub_settle(token, EB_PUBSUB_CONFIRMED, NULL, 0), 1);
    CHECK_EQ(eb_pubsub_drain(broker, &outer), EB_OK);
    token = take(outer, 2);
    CHECK_EQ(eb_pubsub_close(broker, 1000000), EB_OK); /* inside a handler, so it does not wait (PS-08) */
    CHECK_EQ(eb_pubsub_settle(token, EB_PUBSUB_CONFIRMED, NULL, 0), 1);
    CHECK_EQ(eb_pubsub_next(outer, &d, sizeof d), EB_CLOSED);
    CHECK_EQ(eb_pubsub_close(broker, 0), EB_OK);
}

/* Too little room takes nothing, and says how much does. */
static void room(void) {
    static struct delivery d;
    static char small[128];
    uint64_t broker = pubsub_broker_with_topic(EB_PUBSUB_SYNCHRONOUS), walk = 0;
    subscribe(broker, S("n"), BILLING, 0);
    CHECK_EQ(eb_pubsub_publish(broker, S("t"), small, sizeof small), 0);
    CHECK_EQ(eb_pubsub_drain(broker, &walk), EB_OK);
    for (int64_t cap = 0; cap < 56 + 1 + 128; cap++) {
        CHECK_EQ(eb_pubsub_next(walk, &d, cap), EB_BUFFER_TOO_SMALL);
        CHECK_EQ(eb_needed(), 56 + 1 + 128);
    }
    CHECK_EQ(eb_pubsub_next(walk, &d, 56 + 1 + 128), 1);
    CHECK_EQ(d.header.attempt, 1);
    CHECK_EQ(eb_pubsub_settle(d.header.token, EB_PUBSUB_FAILED, NULL, 0), 1);
    CHECK_EQ(eb_pubsub_end(walk), EB_OK);
    CHECK_EQ(eb_pubsub_status(broker, S("t"), S("n"), &d, 31), EB_BUFFER_TOO_SMALL);
    CHECK_EQ(eb_needed(), 32);
    CHECK_EQ(drain(broker), 1);
    CHECK_EQ(eb_pubsub_close(broker, 0), EB_OK);
}

int main(void) {
    example();
    absent();
    walks();
    room();
    return 0;
}
