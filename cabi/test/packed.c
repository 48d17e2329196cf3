/* The packed calls of a topic and a consumer do what the others do. */
#include "check.h"

int main(void) {
    uint64_t broker, topic, consumer;
    int32_t partitions[1];
    int64_t frame[16]; /* aligned to 8, as a frame has to be */
    CHECK_EQ(eb_event_new(2, NULL, &broker), EB_OK);
    CHECK_EQ(eb_event_create(broker, S("t"), 1), 1);
    CHECK_EQ(eb_event_topic(broker, S("t"), &topic), EB_OK);
    CHECK_EQ(eb_event_consumer(topic, S("g"), S("m"), &consumer), EB_OK);
    CHECK_EQ(eb_event_consumer_join(consumer, partitions, 1), 1);

    eb_event_publish_call publish = {topic, 0, 3};
    CHECK_EQ(eb_event_topic_publish_packed(&publish, "a\0b"), 0);
    CHECK_EQ(eb_event_topic_publish_packed(&publish, "cde"), 1);
    CHECK_EQ(eb_event_topic_publish_packed(&publish, "fgh"), -1);

    eb_event_poll_call poll = {consumer, 1, (uintptr_t)frame, 18};
    CHECK_EQ(eb_event_consumer_poll_packed(&poll), EB_BUFFER_TOO_SMALL);
    CHECK_EQ(eb_needed(), 19);
    poll.cap = sizeof frame;
    CHECK_EQ(eb_event_consumer_poll_packed(&poll), 1);
    const eb_event_record *record = (const eb_event_record *)frame;
    CHECK(record->offset == 0 && record->partition == 0 && record->payload_len == 3);
    CHECK(memcmp(record + 1, "a\0b", 3) == 0);

    eb_event_settle_call settle = {consumer, 0, INT64_C(1) << 32};
    CHECK_EQ(eb_event_consumer_ack_packed(&settle), 0);
    settle.offset = 0;
    CHECK_EQ(eb_event_consumer_retry_packed(&settle), 1);
    CHECK_EQ(eb_event_consumer_poll_packed(&poll), 1);
    CHECK_EQ(eb_event_consumer_ack_packed(&settle), 1);

    CHECK_REFUSES(eb_event_topic_publish_packed(NULL, "x"), "call");
    CHECK_REFUSES(eb_event_topic_publish_packed(&publish, NULL), "payload");
    CHECK_REFUSES(eb_event_consumer_poll_packed(NULL), "call");
    CHECK_REFUSES(eb_event_consumer_ack_packed(NULL), "call");
    CHECK_REFUSES(eb_event_consumer_retry_packed((const void *)((char *)&settle + 1)), "call");
    poll.buf = 0;
    CHECK_REFUSES(eb_event_consumer_poll_packed(&poll), "buf");
    publish.payload_len = -1;
    CHECK_REFUSES(eb_event_topic_publish_packed(&publish, "x"), "payload");

    CHECK_EQ(eb_event_close(broker), EB_OK);
    publish.payload_len = 3;
    poll.buf = (uintptr_t)frame;
    CHECK_EQ(eb_event_topic_publish_packed(&publish, "abc"), EB_CLOSED);
    CHECK_EQ(eb_event_consumer_poll_packed(&poll), EB_CLOSED);
    CHECK_EQ(eb_event_consumer_ack_packed(&settle), EB_CLOSED);
    CHECK_EQ(eb_event_consumer_retry_packed(&settle), EB_CLOSED);
    CHECK_EQ(eb_event_topic_close(topic), EB_OK);
    CHECK_EQ(eb_event_consumer_close(consumer), EB_OK);
    return 0;
}
