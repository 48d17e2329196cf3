/* Options: the size says which of them the caller knows. Those of the two brokers are alike. */
#include "check.h"

struct system {
    int64_t (*open)(const eb_event_options *options, uint64_t *broker);
    int64_t (*publish)(uint64_t broker, const char *payload, int64_t payload_len);
    int64_t (*close)(uint64_t broker);
};

static int64_t open_event(const eb_event_options *options, uint64_t *broker) {
    const int64_t status = eb_event_new(1, options, broker);
    if (status == EB_OK)
        CHECK_EQ(eb_event_create(*broker, S("t"), 1), 1);
    return status;
}

static int64_t publish_event(uint64_t broker, const char *payload, int64_t payload_len) {
    return eb_event_publish(broker, S("t"), 0, payload, payload_len);
}

static int64_t open_message(const eb_event_options *options, uint64_t *broker) {
    const int64_t status = eb_message_new(1, (const eb_message_options *)options, broker);
    if (status == EB_OK)
        CHECK_EQ(eb_message_create_topic(*broker, S("t")), 1);
    return status;
}

static int64_t publish_message(uint64_t broker, const char *payload, int64_t payload_len) {
    return eb_message_publish(broker, S("t"), payload, payload_len);
}

static const struct system systems[] = {{open_event, publish_event, eb_event_close},
                                        {open_message, publish_message, eb_message_close}};
static const struct system *tested;

/* What a caller built against a later header might pass. */
struct later_options {
    eb_event_options known;
    int64_t unknown[2];
};

static int64_t open_with(int64_t size, int64_t max_payload, int64_t unknown, uint64_t *broker) {
    struct later_options options = {{size, max_payload}, {0, unknown}};
    return tested->open(&options.known, broker);
}

/* The broker takes payloads of that many bytes and no more. */
static void check_limit(uint64_t broker, int64_t limit) {
    static char payload[EB_EVENT_MAX_PAYLOAD + 1];
    memset(payload, 'x', sizeof payload);
    CHECK_REFUSES(tested->publish(broker, payload, limit + 1), "payload");
    CHECK_EQ(tested->publish(broker, payload, limit), 0);
    CHECK_EQ(tested->close(broker), EB_OK);
}

static void check_options(void) {
    const int64_t size = (int64_t)sizeof(eb_event_options);
    uint64_t broker = 0;

    CHECK_EQ(tested->open(NULL, &broker), EB_OK);
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
}

int main(void) {
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        tested = &systems[i];
        check_options();
    }
    return 0;
}
