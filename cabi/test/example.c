/* The example of the contract, and what each function answers (EB-02 to EB-13). */
#include "check.h"

/* Polls one record and compares all of it. */
static void check_poll(uint64_t broker, int64_t offset, const char *payload, int64_t payload_len) {
    eb_event_record frame[8];
    CHECK_EQ(eb_event_poll(broker, S("orders"), S("billing"), S("m1"), 2, frame, (int64_t)sizeof frame), 1);
    CHECK_EQ(frame[0].partition, 0);
    CHECK_EQ(frame[0].offset, offset);
    CHECK_EQ(frame[0].payload_len, payload_len);
    CHECK(memcmp(&frame[1], payload, (size_t)payload_len) == 0);
}

static void example(void) {
    uint64_t broker = 0;
    int32_t partitions[EB_EVENT_MAX_PARTITIONS];
    CHECK_EQ(eb_event_new(2, NULL, &broker), EB_OK);
    CHECK_EQ(eb_event_create(broker, S("orders"), 1), 1);
    CHECK_EQ(eb_event_create(broker, S("orders"), 2), 0);
    CHECK_EQ(eb_event_publish(broker, S("orders"), 0, S("a")), 0);
    CHECK_EQ(eb_event_publish(broker, S("orders"), 0, S("b")), 1);
    CHECK_EQ(eb_event_publish(broker, S("orders"), 0, S("c")), -1);
    CHECK_EQ(eb_event_join(broker, S("orders"), S("billing"), S("m1"), partitions, 64), 1);
    CHECK_EQ(partitions[0], 0);
    check_poll(broker, 0, S("a"));
    CHECK_EQ(eb_event_retry(broker, S("orders"), S("billing"), S("m1"), 0, 0), 1);
    check_poll(broker, 0, S("a"));
    CHECK_EQ(eb_event_ack(broker, S("orders"), S("billing"), S("m1"), 0, 0), 1);
    CHECK_EQ(eb_event_ack(broker, S("orders"), S("billing"), S("m1"), 0, 0), 0);
    check_poll(broker, 1, S("b"));
    CHECK_EQ(eb_event_leave(broker, S("orders"), S("billing"), S("m1")), 1);
    CHECK_EQ(eb_event_leave(broker, S("orders"), S("billing"), S("m1")), 0);
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

/* Bytes come back as they were: NUL, nothing, UTF-8. */
static void bytes(void) {
    static const struct {
        const char *data;
        int64_t len;
    } payloads[] = {{S("a\0b")}, {S("\0")}, {S("")}, {S("\xc3\xa9 e\xcc\x81 \xf0\x9f\x94\xa5")}};
    uint64_t broker = 0;
    int32_t partitions[1];
    CHECK_EQ(eb_event_new(10, NULL, &broker), EB_OK);
    CHECK_EQ(eb_event_create(broker, S("orders"), 1), 1);
    CHECK_EQ(eb_event_join(broker, S("orders"), S("billing"), S("m1"), partitions, 1), 1);
    for (int64_t i = 0; i < 4; i++) {
        CHECK_EQ(eb_event_publish(broker, S("orders"), 0, payloads[i].data, payloads[i].len), i);
        check_poll(broker, i, payloads[i].data, payloads[i].len);
        CHECK_EQ(eb_event_ack(broker, S("orders"), S("billing"), S("m1"), 0, i), 1);
    }
    CHECK_EQ(eb_event_close(broker), EB_OK);
}

int main(void) {
    example();
    bytes();
    return 0;
}
