/* event.h - EventBroker: what its operations by names and by handles share. */
#ifndef EVENT_H
#define EVENT_H

#include "calls.h"

/* The table of a file that has a function of each name. */
#define EVENT_OPERATIONS                                                                                             \
    {                                                                                                                \
        {"create", "si", event_create, truth, NULL, NULL}, {"join", "sss", join, partitions, NULL, NULL},            \
            {"leave", "sss", leave, truth, NULL, NULL}, {"publish", "sis", publish, integer, NULL, NULL},            \
            {"publish_many", "sv", publish_many, offsets, messages, NULL},                                           \
            {"poll", "sssi", poll, records, NULL, records_size}, {"ack", "sssii", ack, truth, NULL, NULL},           \
            {"ack_many", "sssv", ack_many, truths, positions, NULL}, {"retry", "sssii", retry, truth, NULL, NULL}, { \
            0                                                                                                        \
        }                                                                                                            \
    }

json_t *event_open(const json_t *arguments, uint64_t *broker);
int64_t event_create(struct call *c);

/* Results. A frame does not repeat the topic that was asked for. */
json_t *partitions(int64_t count, const struct call *c);
json_t *records(int64_t count, const struct call *c);
int64_t records_size(int64_t count, const struct call *c);
json_t *offsets(int64_t answer, const struct call *c);
json_t *truths(int64_t answer, const struct call *c);

/* Batches, which are the last argument: their number, their frame, and room for what is written. */
int64_t batch_count(const struct call *c);
bool messages(struct words *input, const json_t *call);
bool positions(struct words *input, const json_t *call);
void *room_for_offsets(struct call *c);
void *room_for_acked(struct call *c);

#endif
