/* Options: the size says which of them the caller knows. */
#include "check.h"

/* What a caller built against a later header might pass. */
struct later_options {
    eb_event_options known;
    int64_t unknown[2];
};

static int64_t open_with(int64_t size, int64_t max_payload, int64_t unknown, uint64_t *broker) {
    struct later_options options = {{size, max_payload}, {0, unknown}};
    return eb_event_new(1, &options.known, broker);
}

/* The broker takes payloads of that many bytes and no more. */
static void check_limit(uint64_t broker, int64_t limit) {
    static char payload[EB_EVENT_MAX_PAYLOAD + 1];
    memset(payload, 'x', sizeof payload);
    CHECK_EQ(eb_event_create(broker, S("t"), 1), 1);
    CHECK_REFUSES(eb_event_publish(broker, S("t"), 0, payload, limit + 1), "payload");
    CHECK_EQ(eb_event_publish(broker, S("t"), 0, payload, limit), 0);
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

int main(void) {
    const int64_t size = (int64_t)sizeof(eb_event_options);
    uint64_t broker = 0;

    CHECK_EQ(eb_event_new(1, NULL, &broker), EB_OK);
    check_limit(broker, EB_EVENT_DEFAULT_PAYLOAD);
    CHECK_EQ(open_with(size, 0, 0, &broker), EB_OK);
    check_limit(broker, EB_EVENT_DEFAULT_PAYLOAD);
    CHECK_EQ(open_with(size, 1, 0, &broker), EB_OK);
    check_limit(broker, 1);
    CHECK_EQ(open_with(size, EB_EVENT_MAX_PAYLOAD, 0, &broker), EB_OK);
    check_limit(broker, EB_EVENT_MAX_PAYLOAD);
    CHECK_REFUSES(open_with(size, -1, 0, &broker), "max_payload");
    CHECK_REFUSES(open_with(size, EB_EVENT_MAX_PAYLOAD + 1, 0, &broker), "max_payload");
    CHECK_REFUSES(open_with(size, INT64_C(1) << 32, 0, &broker), "max_payload");

    CHECK_REFUSES(open_with(0, 5, 0, &broker), "options");
    CHECK_REFUSES(open_with(7, 5, 0, &broker), "options");
    CHECK_REFUSES(open_with(-1, 5, 0, &broker), "options");
    CHECK_REFUSES(open_with(INT64_MAX, 5, 0, &broker), "options");
    /* An earlier caller knows fewer options: the rest is not even read. */
    CHECK_EQ(open_with(8, 5, 0, &broker), EB_OK);
    check_limit(broker, EB_EVENT_DEFAULT_PAYLOAD);
    /* A later one knows more, which is fine as long as it does not use them. */
    CHECK_EQ(open_with(size + 16, 5, 0, &broker), EB_OK);
    check_limit(broker, 5);
    CHECK_REFUSES(open_with(size + 16, 5, 1, &broker), "options");
    return 0;
}
