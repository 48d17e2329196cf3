#include <eventbroker.h>

#include <inttypes.h>
#include <stdio.h>

#define TEXT(literal) literal, sizeof(literal) - 1

/* Prints the record that it publishes, and confirms it. */
int main(void) {
    uint64_t broker;
    int32_t owned[EB_EVENT_MAX_PARTITIONS];
    struct {
        eb_event_record header;
        char payload[EB_EVENT_DEFAULT_PAYLOAD];
    } frame;
    if (eb_event_new(2, NULL, &broker) != EB_OK) {
        return 1;
    }
    eb_event_create(broker, TEXT("orders"), 1);
    eb_event_publish(broker, TEXT("orders"), 0, TEXT("a"));
    eb_event_join(broker, TEXT("orders"), TEXT("billing"), TEXT("m1"), owned, EB_EVENT_MAX_PARTITIONS);
    if (eb_event_poll(broker, TEXT("orders"), TEXT("billing"), TEXT("m1"), 1, &frame, sizeof frame) != 1) {
        return 1;
    }
    printf("%" PRId32 " %" PRId64 " %.*s\n", frame.header.partition, frame.header.offset, (int)frame.header.payload_len,
           frame.payload);
    if (eb_event_ack(broker, TEXT("orders"), TEXT("billing"), TEXT("m1"), 0, frame.header.offset) != 1) {
        return 1;
    }
    return eb_event_close(broker) == EB_OK ? 0 : 1;
}
