/*
 * eventbroker.h - the C interface of libeventbroker: the contract of the border.
 *
 * C99 and C++17, nothing but <stdint.h>. Each function's comment says what it
 * does and returns; clause names such as EB-12 point into cases/CONTRACT.md.
 *
 * Results. Every call answers with one int64_t: 0 or more is the answer, -1 is
 * the contract's own "no" (a full partition), and -2 and below are statuses
 * (enum eb_status). After a status, eb_last_error() has the sentence that says
 * which argument was wrong and how. A call that fails has changed nothing.
 *
 * Strings are (pointer, length in bytes), never NUL-terminated; a NUL inside is
 * an ordinary byte. NULL is the null string, whatever its length, and is an
 * invalid argument; the empty string is any other pointer with length 0.
 * Inputs are copied before a call returns and nothing is kept of the caller's.
 *
 * Integers are int64_t throughout and are judged, never cut: 2^32 is not 0.
 *
 * Handles are numbers. 0 is never one; a handle that was closed, is stale, was
 * made up or belongs to another system answers EB_CLOSED. All functions may be
 * called from any number of threads at once, on the same handle too, and each
 * takes effect at one point between its call and its return (EB-15, MB-11). The same
 * handle works in every language of the process.
 *
 * fork. A child made by fork() or clone() gets EB_FORKED from every function
 * (0 from the close functions, which then do nothing), because the Go runtime
 * inside does not survive fork. exec, spawn and posix_spawn are fine.
 */
#ifndef EVENTBROKER_H
#define EVENTBROKER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of this interface: major * 65536 + minor. Another major is another,
 * incompatible library; a higher minor only adds. */
#define EB_ABI_MAJOR 1
#define EB_ABI_MINOR 0

/* Statuses. The numbers are fixed for ever; new ones are added at the end. */
enum eb_status {
    EB_OK = 0,
    EB_INVALID_ARGUMENT = -2, /* an argument is null, malformed or out of its range */
    EB_CLOSED = -3,           /* the handle is closed, stale or never was one */
    EB_FORKED = -4,           /* this process is a forked child of the one that loaded the library */
    EB_INTERNAL = -5,         /* a defect of the library; the broker answers nothing else from now on */
    EB_BUFFER_TOO_SMALL = -6, /* eb_needed() says how many bytes do; nothing was consumed */
    EB_TIMED_OUT = -7,        /* a deadline passed */
    EB_IN_USE = -8,           /* the path is open elsewhere */
    EB_DAMAGED = -9,          /* the file is damaged */
    EB_DISK_FULL = -10,       /* no room on the disk */
    EB_UNREACHABLE = -11,     /* the cluster cannot be reached */
    EB_OUTCOME_UNKNOWN = -12  /* the call may or may not have taken effect */
};

/*
 * eb_abi_version: the version of the library that was loaded, as
 * major * 65536 + minor. Never fails, also not in a forked child.
 */
int64_t eb_abi_version(void);

/*
 * eb_strerror: a short fixed English name of a status, "invalid argument" say.
 * Never NULL; the string is static and NUL-terminated. Never fails.
 */
const char *eb_strerror(int64_t status);

/*
 * eb_last_error: copies into buf, at most cap bytes and without a NUL, the
 * message of the last call that failed on this thread, UTF-8. A call that
 * succeeds leaves it as it is. NULL or a cap below 1 only asks for the length.
 *
 *   >= 0   the length of the whole message in bytes, 0 when nothing failed yet
 */
int64_t eb_last_error(char *buf, int64_t cap);

/*
 * eb_needed: the buffer size in bytes that the last call on this thread that
 * answered EB_BUFFER_TOO_SMALL would have needed; 0 when none did yet.
 * The state may move on between two calls, so repeat until it fits.
 */
int64_t eb_needed(void);

/* ------------------------------------------------------------------------ */
/* EventBroker: bounded partitioned logs with consumer groups (EB-01..EB-16) */

#define EB_EVENT_MAX_CAPACITY 1000    /* records a partition retains */
#define EB_EVENT_MAX_PARTITIONS 64    /* partitions of a topic */
#define EB_EVENT_MAX_RECORDS 64       /* records of one poll */
#define EB_EVENT_MAX_IDENTIFIER 64    /* bytes of a topic, group or member */
#define EB_EVENT_DEFAULT_PAYLOAD 1024 /* bytes of a payload, unless max_payload says otherwise */
#define EB_EVENT_MAX_PAYLOAD 1048576  /* the most that max_payload may say */

/* Options of eb_event_new. Set size to sizeof(eb_event_options) and what you
 * do not use to 0. */
typedef struct eb_event_options {
    int64_t size;
    int64_t max_payload; /* bytes a payload may have, 1 through 1,048,576; 0 is the default of 1,024 */
} eb_event_options;

/*
 * eb_event_new: makes an empty broker whose partitions retain at most
 * capacity_per_partition records each, 1 through 1,000 (EB-01), and writes its
 * handle to *broker. options may be NULL. Close it with eb_event_close.
 *
 *   EB_OK                 *broker is set
 *   EB_INVALID_ARGUMENT   capacity, an option or its size is out of range, or broker is NULL
 */
int64_t eb_event_new(int64_t capacity_per_partition, const eb_event_options *options, uint64_t *broker);

/*
 * eb_event_close: frees the broker; calls under way on other threads finish.
 * Closing a handle that is closed already, or 0, is fine.
 *
 *   EB_OK                 always
 */
int64_t eb_event_close(uint64_t broker);

/*
 * eb_event_create: makes a topic of 1 through 64 empty partitions (EB-02).
 *
 *   1                     made
 *   0                     the topic exists already and is left as it was
 *   EB_INVALID_ARGUMENT   topic is no identifier or partition_count out of range
 */
int64_t eb_event_create(uint64_t broker, const char *topic, int64_t topic_len, int64_t partition_count);

/*
 * eb_event_join: adds the member to the group, making the group if it is new,
 * and rebalances (EB-07 to EB-10). Writes the member's partitions in ascending
 * order to partitions, which has room for cap of them; room for as many as the
 * topic has partitions, or EB_EVENT_MAX_PARTITIONS, always does.
 *
 *   >= 0                  how many partitions were written
 *   EB_BUFFER_TOO_SMALL   nothing happened; eb_needed() / 4 partitions must fit
 *   EB_INVALID_ARGUMENT   unknown topic, malformed identifier, partitions is NULL or cap negative
 */
int64_t eb_event_join(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                      const char *member, int64_t member_len, int32_t *partitions, int64_t cap);

/*
 * eb_event_leave: removes the member from the group and rebalances. The group
 * and its progress stay, also when it is empty (EB-11).
 *
 *   1                     removed
 *   0                     no such group or member
 *   EB_INVALID_ARGUMENT   unknown topic, malformed identifier
 */
int64_t eb_event_leave(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                       const char *member, int64_t member_len);

/*
 * eb_event_publish: appends the payload, valid UTF-8, to the partition (EB-05).
 *
 *   >= 0                  the offset it got
 *   -1                    the partition retains capacity records already; no offset was used up
 *   EB_INVALID_ARGUMENT   unknown topic, partition out of range, payload too long or not UTF-8
 */
int64_t eb_event_publish(uint64_t broker, const char *topic, int64_t topic_len, int64_t partition, const char *payload,
                         int64_t payload_len);

/* One record in the frame that eb_event_poll writes. */
typedef struct eb_event_record {
    int64_t offset;
    int32_t partition;
    int32_t payload_len; /* bytes */
} eb_event_record;

/*
 * eb_event_poll: reserves for the member at most max_records records (1 through
 * 64), one from each of its partitions that has none in flight, in ascending
 * order of partition (EB-12), and writes them to buf: first all their
 * eb_event_record headers, then their payloads in the same order with nothing
 * between. buf has cap bytes and must be aligned to 8. A frame takes 16 bytes a
 * record and its payload.
 *
 *   >= 0                  how many records were written; 0 as well for an absent group or member
 *   EB_BUFFER_TOO_SMALL   nothing was reserved; eb_needed() bytes do
 *   EB_INVALID_ARGUMENT   unknown topic, malformed identifier, max_records out of range,
 *                         buf NULL or not aligned, or cap negative
 */
int64_t eb_event_poll(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                      const char *member, int64_t member_len, int64_t max_records, void *buf, int64_t cap);

/*
 * eb_event_ack: commits the record in flight: the group's committed offset of
 * the partition moves by one and the delivery ends; a record that every group
 * has acknowledged is removed in the same instant (EB-13, EB-14).
 *
 *   1                     committed
 *   0                     the member does not own the partition, or exactly this offset is not in flight
 *   EB_INVALID_ARGUMENT   unknown topic, malformed identifier, partition out of range, negative offset
 */
int64_t eb_event_ack(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                     const char *member, int64_t member_len, int64_t partition, int64_t offset);

/*
 * eb_event_retry: ends the delivery of the record in flight without committing
 * it, so that the next poll delivers it again (EB-13). Answers as eb_event_ack.
 */
int64_t eb_event_retry(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                       const char *member, int64_t member_len, int64_t partition, int64_t offset);

/* ------------------------------------------------------------------------ */
/* Message broker: one retained log a topic, a cursor a group (MB-01..MB-11) */

#define EB_MESSAGE_MAX_ATTEMPTS 2147483647 /* the most that max_attempts may be */
#define EB_MESSAGE_MAX_IDENTIFIER 64       /* bytes of a topic or group */
#define EB_MESSAGE_DEFAULT_PAYLOAD 1024    /* bytes of a payload, unless max_payload says otherwise */
#define EB_MESSAGE_MAX_PAYLOAD 1048576     /* the most that max_payload may say */

/* Options of eb_message_new. Set size to sizeof(eb_message_options) and what
 * you do not use to 0. */
typedef struct eb_message_options {
    int64_t size;
    int64_t max_payload; /* bytes a payload may have, 1 through 1,048,576; 0 is the default of 1,024 */
} eb_message_options;

/*
 * eb_message_new: makes an empty broker that delivers a message to a group at
 * most max_attempts times, the first time included, from 1 through
 * 2,147,483,647 (MB-01), and writes its handle to *broker. options may be NULL.
 * Close it with eb_message_close.
 *
 *   EB_OK                 *broker is set
 *   EB_INVALID_ARGUMENT   max_attempts, an option or its size is out of range, or broker is NULL
 */
int64_t eb_message_new(int64_t max_attempts, const eb_message_options *options, uint64_t *broker);

/*
 * eb_message_close: frees the broker; calls under way on other threads finish.
 * Closing a handle that is closed already, or 0, is fine.
 *
 *   EB_OK                 always
 */
int64_t eb_message_close(uint64_t broker);

/*
 * eb_message_create_topic: makes an empty topic (MB-02).
 *
 *   1                     made
 *   0                     the topic exists already and is left as it was
 *   EB_INVALID_ARGUMENT   topic is no identifier
 */
int64_t eb_message_create_topic(uint64_t broker, const char *topic, int64_t topic_len);

/*
 * eb_message_publish: appends the payload, valid UTF-8, to the topic's log,
 * which keeps it for good (MB-03).
 *
 *   >= 0                  the offset it got
 *   EB_INVALID_ARGUMENT   unknown topic, payload too long or not UTF-8
 */
int64_t eb_message_publish(uint64_t broker, const char *topic, int64_t topic_len, const char *payload,
                           int64_t payload_len);

/* One message in the frames that eb_message_poll and eb_message_dead_letters
 * write: first all headers, then the payloads in the same order with nothing
 * between. A message takes 16 bytes and its payload. */
typedef struct eb_message_header {
    int64_t offset;
    int32_t attempts;    /* deliveries of it to the group so far, that of this poll included */
    int32_t payload_len; /* bytes */
} eb_message_header;

/*
 * eb_message_poll: writes the group's delivery in flight or, where there is
 * none, delivers the message at the group's place (MB-04, MB-05). It makes the
 * group if it is new. buf has cap bytes and must be aligned to 8.
 *
 *   1                     a delivery was written
 *   0                     nothing waits
 *   EB_BUFFER_TOO_SMALL   nothing was delivered; eb_needed() bytes do
 *   EB_INVALID_ARGUMENT   unknown topic, malformed group, buf NULL or not aligned, or cap negative
 */
int64_t eb_message_poll(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                        void *buf, int64_t cap);

/*
 * eb_message_ack: ends the delivery of exactly this offset and attempt and moves
 * the group on to the next message (MB-06).
 *
 *   1                     acknowledged
 *   0                     that delivery is not the one in flight
 *   EB_INVALID_ARGUMENT   unknown topic, malformed group, negative offset, attempt outside 1 through 2,147,483,647
 */
int64_t eb_message_ack(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                       int64_t offset, int64_t attempt);

/*
 * eb_message_nack: ends the delivery of exactly this offset and attempt; the
 * next poll delivers the message again with the next attempt. The nack of
 * attempt max_attempts adds it to the group's dead letters instead and moves the
 * group on (MB-07, MB-08). Answers as eb_message_ack.
 */
int64_t eb_message_nack(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                        int64_t offset, int64_t attempt);

/*
 * eb_message_dead_letters: writes the messages that the group gave up, in the
 * order in which it did (MB-10). buf has cap bytes and must be aligned to 8.
 *
 *   >= 0                  how many were written; 0 as well for an unknown group
 *   EB_BUFFER_TOO_SMALL   eb_needed() bytes do
 *   EB_INVALID_ARGUMENT   unknown topic, malformed group, buf NULL or not aligned, or cap negative
 */
int64_t eb_message_dead_letters(uint64_t broker, const char *topic, int64_t topic_len, const char *group,
                                int64_t group_len, void *buf, int64_t cap);

/* ------------------------------------------------------------------------ */
/* Kafka's range assignment and its binary subscriptions (RA-01..RA-06)       */

/*
 * Word frames. These functions have no handle, and take and give structured
 * values as a sequence of little-endian 8-byte words:
 *
 *   number       one word, an int64_t
 *   string       its length in bytes, one word, and the bytes, filled up with
 *                zeros to a multiple of 8; a length of -1 is null
 *   int32s       how many there are, one word, and the int32_t themselves,
 *                filled up to a multiple of 8
 *   list of T    how many there are, one word, and each T
 *
 *   partitions   = { string topic; int32s partitions; }
 *   subscription = { number version; list of string topics; string user_data;
 *                    list of partitions owned_partitions; number generation_id;
 *                    string rack_id; }             user_data and rack_id may be null
 *   assignment   = { number version; list of partitions partitions;
 *                    string user_data; }           user_data may be null
 *   group        = { list of { string topic; number partition_count; }
 *                        partitions_by_topic;
 *                    list of { string id; string instance_id; list of string topics; }
 *                        members; }                instance_id may be null: it has none
 *   assigned     = list of { string id; list of partitions owned; }
 *
 * An input frame must be exactly as long as what it says; it need not be
 * aligned. An output frame goes to buf, which has cap bytes and must be aligned
 * to 8.
 */

/*
 * eb_assign_decode_subscription: reads a ConsumerProtocolSubscription (RA-01,
 * RA-02) and writes it as a frame, a subscription.
 *
 *   > 0                   bytes written
 *   EB_BUFFER_TOO_SMALL   eb_needed() bytes do
 *   EB_INVALID_ARGUMENT   the bytes are malformed: the message names the field and the byte
 */
int64_t eb_assign_decode_subscription(const char *bytes, int64_t bytes_len, void *buf, int64_t cap);

/*
 * eb_assign_encode_subscription: reads a frame, a subscription, and writes the
 * bytes of a ConsumerProtocolSubscription of its version, 0 through 3 (RA-03).
 *
 *   > 0                   bytes written
 *   EB_BUFFER_TOO_SMALL   eb_needed() bytes do
 *   EB_INVALID_ARGUMENT   the frame is malformed, the version is another, a string is null, longer than 32,767
 *                         bytes or not UTF-8
 */
int64_t eb_assign_encode_subscription(const void *frame, int64_t frame_len, void *buf, int64_t cap);

/* eb_assign_decode_assignment: the same for a ConsumerProtocolAssignment. */
int64_t eb_assign_decode_assignment(const char *bytes, int64_t bytes_len, void *buf, int64_t cap);

/* eb_assign_encode_assignment: the same for a ConsumerProtocolAssignment. */
int64_t eb_assign_encode_assignment(const void *frame, int64_t frame_len, void *buf, int64_t cap);

/*
 * eb_assign_range: reads a frame, a group, divides the partitions of each topic
 * among its subscribers as Kafka's range assignor does without racks (RA-04,
 * RA-05), and writes a frame, assigned: every member in Kafka's order, with the
 * topics it got in the order of their bytes.
 *
 *   > 0                   bytes written
 *   EB_BUFFER_TOO_SMALL   eb_needed() bytes do
 *   EB_INVALID_ARGUMENT   the frame is malformed; a topic twice; a member id or instance id that is empty or used
 *                         twice; a partition count that is negative, or more than 10,000,000 partitions in all; a
 *                         string that is null or not UTF-8 (RA-06)
 */
int64_t eb_assign_range(const void *frame, int64_t frame_len, void *buf, int64_t cap);

#ifdef __cplusplus
}
#endif

#endif /* EVENTBROKER_H */
