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
 * takes effect at one point between its call and its return (EB-15, MB-11, PS-16). The same
 * handle works in every language of the process.
 *
 * fork. A child made by fork() or clone() gets EB_FORKED from every function
 * (0 from the close functions, which then do nothing), because the Go runtime
 * inside does not survive fork. exec, spawn and posix_spawn are fine.
 *
 * Signals. Loading the library installs handlers for SIGSEGV, SIGBUS, SIGFPE and
 * SIGPIPE, which pass what did not arise in the library on to the handler they
 * found, and for SIGURG, which does not. It adds SA_ONSTACK to the other handlers
 * it finds and leaves them as they are. A handler installed later needs
 * SA_ONSTACK: a signal may find its thread within a call, on a stack too small.
 */
#ifndef EVENTBROKER_H
#define EVENTBROKER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the project: everything else that tells it reads it here, or is compared with it by a test. */
#define EB_VERSION "0.1.0"

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
    EB_OUTCOME_UNKNOWN = -12, /* the call may or may not have taken effect */
    EB_STORAGE = -13          /* the system refused to write or sync a file */
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
/* EventBroker: bounded partitioned logs with consumer groups (EB-01..EB-18) */

#define EB_EVENT_MAX_CAPACITY 1000    /* records a partition retains */
#define EB_EVENT_MAX_PARTITIONS 64    /* partitions of a topic */
#define EB_EVENT_MAX_RECORDS 64       /* records of one poll */
#define EB_EVENT_MAX_BATCH 1024       /* elements of one batch */
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

/* One message of a batch, in front of all payloads; see eb_event_publish_many. */
typedef struct eb_event_message {
    int64_t partition;
    int64_t payload_len; /* bytes; -1 is the null string, which is refused */
} eb_event_message;

/* Where a record stands. */
typedef struct eb_event_position {
    int64_t partition;
    int64_t offset;
} eb_event_position;

/*
 * eb_event_publish_many: does what eb_event_publish would do with each of count
 * messages in turn, at one point (EB-17). messages is a frame of messages_len
 * bytes, aligned to 8: first count eb_event_message headers, then their payloads
 * in the same order with nothing between and nothing behind. All messages are
 * judged before anything happens. Writes to offsets, which has room for count,
 * the offset that each got, or -1 where its partition was full. With count 0
 * nothing is read or written; the pointers must not be NULL then either.
 *
 *   EB_OK                 offsets is written
 *   EB_INVALID_ARGUMENT   unknown topic, count out of 0 through EB_EVENT_MAX_BATCH, a message's
 *                         partition out of range, its payload null, too long or not UTF-8, a frame
 *                         of another size than its headers say, messages or offsets NULL or not
 *                         aligned to 8
 */
int64_t eb_event_publish_many(uint64_t broker, const char *topic, int64_t topic_len, const void *messages,
                              int64_t messages_len, int64_t count, int64_t *offsets);

/*
 * eb_event_ack_many: does what eb_event_ack would do with each of count
 * positions in turn, at one point (EB-17). All are judged before anything
 * happens. Writes to acked, which has room for count, 1 for each record that was
 * committed and 0 for the others. With count 0 nothing is read or written; the
 * pointers must not be NULL then either.
 *
 *   EB_OK                 acked is written
 *   EB_INVALID_ARGUMENT   unknown topic, malformed identifier, count out of 0 through
 *                         EB_EVENT_MAX_BATCH, a partition out of range, a negative offset,
 *                         positions NULL or not aligned to 8, acked NULL
 */
int64_t eb_event_ack_many(uint64_t broker, const char *topic, int64_t topic_len, const char *group, int64_t group_len,
                          const char *member, int64_t member_len, const eb_event_position *positions, int64_t count,
                          uint8_t *acked);

/*
 * Handles for names that are used again and again (EB-18). A topic's handle
 * stands for the topic, a consumer's for a topic, a group and a member; that
 * member need not have joined, and may leave and join again. Each call does what
 * the plain call of the same name does. When its broker is closed, a handle
 * answers EB_CLOSED, and must be closed nevertheless: until then it holds what
 * the broker retained. Closing it changes nothing in the broker.
 */

/*
 * eb_event_topic: writes a handle for the topic to *handle.
 *
 *   EB_OK                 *handle is set; close it with eb_event_topic_close
 *   EB_INVALID_ARGUMENT   unknown topic, or handle is NULL
 */
int64_t eb_event_topic(uint64_t broker, const char *topic, int64_t topic_len, uint64_t *handle);

/*
 * eb_event_topic_close: frees the handle, not the topic, nor its consumers'
 * handles. Closing one that is closed already, or 0, is fine.
 *
 *   EB_OK                 always
 */
int64_t eb_event_topic_close(uint64_t topic);

/* eb_event_topic_publish: see eb_event_publish. */
int64_t eb_event_topic_publish(uint64_t topic, int64_t partition, const char *payload, int64_t payload_len);

/* eb_event_topic_publish_many: see eb_event_publish_many. */
int64_t eb_event_topic_publish_many(uint64_t topic, const void *messages, int64_t messages_len, int64_t count,
                                    int64_t *offsets);

/*
 * eb_event_consumer: writes a handle for the member of the group to *handle. It
 * does not join.
 *
 *   EB_OK                 *handle is set; close it with eb_event_consumer_close
 *   EB_INVALID_ARGUMENT   malformed identifier, or handle is NULL
 */
int64_t eb_event_consumer(uint64_t topic, const char *group, int64_t group_len, const char *member, int64_t member_len,
                          uint64_t *handle);

/*
 * eb_event_consumer_close: frees the handle; the member does not leave. Closing
 * one that is closed already, or 0, is fine.
 *
 *   EB_OK                 always
 */
int64_t eb_event_consumer_close(uint64_t consumer);

/* eb_event_consumer_join: see eb_event_join. */
int64_t eb_event_consumer_join(uint64_t consumer, int32_t *partitions, int64_t cap);

/* eb_event_consumer_leave: see eb_event_leave. */
int64_t eb_event_consumer_leave(uint64_t consumer);

/* eb_event_consumer_poll: see eb_event_poll. */
int64_t eb_event_consumer_poll(uint64_t consumer, int64_t max_records, void *buf, int64_t cap);

/* eb_event_consumer_ack: see eb_event_ack. */
int64_t eb_event_consumer_ack(uint64_t consumer, int64_t partition, int64_t offset);

/* eb_event_consumer_ack_many: see eb_event_ack_many. */
int64_t eb_event_consumer_ack_many(uint64_t consumer, const eb_event_position *positions, int64_t count,
                                   uint8_t *acked);

/* eb_event_consumer_retry: see eb_event_retry. */
int64_t eb_event_consumer_retry(uint64_t consumer, int64_t partition, int64_t offset);

/*
 * The calls above that are made most, with their arguments in one place: for a
 * language to which each argument that crosses costs more than the call, as
 * ctypes of Python. Each does and answers what the call without packed does;
 * call must not be NULL and must be aligned to 8.
 */
typedef struct eb_event_publish_call {
    uint64_t topic;
    int64_t partition;
    int64_t payload_len; /* bytes */
} eb_event_publish_call;

typedef struct eb_event_poll_call {
    uint64_t consumer;
    int64_t max_records;
    uint64_t buf; /* the address */
    int64_t cap;
} eb_event_poll_call;

typedef struct eb_event_settle_call {
    uint64_t consumer;
    int64_t partition;
    int64_t offset;
} eb_event_settle_call;

/* eb_event_topic_publish_packed: see eb_event_topic_publish. */
int64_t eb_event_topic_publish_packed(const eb_event_publish_call *call, const char *payload);

/* eb_event_consumer_poll_packed: see eb_event_consumer_poll. */
int64_t eb_event_consumer_poll_packed(const eb_event_poll_call *call);

/* eb_event_consumer_ack_packed: see eb_event_consumer_ack. */
int64_t eb_event_consumer_ack_packed(const eb_event_settle_call *call);

/* eb_event_consumer_retry_packed: see eb_event_consumer_retry. */
int64_t eb_event_consumer_retry_packed(const eb_event_settle_call *call);

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
/* Pub-sub: handlers with an offset each (PS-01..PS-17)                       */

/*
 * No callback crosses the border. A handler is known here by a cookie, a number
 * that the host chose; the host's own threads take deliveries, call the handler
 * that the cookie stands for, and settle:
 *
 *   synchronous   eb_pubsub_drain opens a walk; eb_pubsub_next takes its
 *                 deliveries one by one until it answers 0
 *   lanes         eb_pubsub_subscribe gives each subscription a worker of its
 *                 own, and the host a thread that loops over eb_pubsub_wait
 *   pool          eb_pubsub_pool gives the one worker of the broker, and says
 *                 how many threads loop over eb_pubsub_wait on it
 *
 * A broker with a file keeps a change before the call that makes it returns.
 * Where it cannot, the call answers EB_DISK_FULL, EB_STORAGE or EB_DAMAGED and
 * has changed nothing; below, EB_DISK_FULL stands for the three.
 *
 * A call begins when its delivery is taken and ends when it is settled. While a
 * thread holds a delivery it is inside a handler: then neither
 * eb_pubsub_publish_wait nor eb_pubsub_close waits. A delivery may be settled by
 * any thread.
 */

#define EB_PUBSUB_MAX_IDENTIFIER 64     /* bytes of a topic, name or group */
#define EB_PUBSUB_DEFAULT_PAYLOAD 1024  /* bytes of a payload, unless max_payload says otherwise */
#define EB_PUBSUB_MAX_PAYLOAD 1048576   /* the most that max_payload may say */
#define EB_PUBSUB_MAX_WORKERS 1024      /* the most that workers may say */
#define EB_PUBSUB_MAX_TIMEOUT 86400000  /* the most that a time-out may say, in milliseconds */
#define EB_PUBSUB_NO_LIMIT 2147483647   /* max_attempts: a message is tried for ever */
#define EB_PUBSUB_MAX_RETAIN 2147483647 /* the most that retain may say */

enum eb_pubsub_dispatcher { EB_PUBSUB_SYNCHRONOUS = 0, EB_PUBSUB_LANES = 1, EB_PUBSUB_POOL = 2 };
enum eb_pubsub_policy { EB_PUBSUB_DROP = 0, EB_PUBSUB_DISCONNECT = 1, EB_PUBSUB_BLOCK = 2 };
enum eb_pubsub_outcome { EB_PUBSUB_CONFIRMED = 0, EB_PUBSUB_FAILED = 1, EB_PUBSUB_FILTERED = 2 };

/* Options of eb_pubsub_new. Set size to sizeof(eb_pubsub_options) and what you
 * do not use to 0. */
typedef struct eb_pubsub_options {
    int64_t size;
    int64_t dispatcher;      /* enum eb_pubsub_dispatcher (PS-11) */
    int64_t workers;         /* pool: 1 through 1,024; 0 is the default of 4; with another dispatcher 0 */
    int64_t handler_timeout; /* pool: milliseconds that a call may take, 1 through 86,400,000; 0 is no limit;
                                with another dispatcher 0 */
    int64_t max_attempts;  /* tries of a message, from 1; 0 is the default of 3, EB_PUBSUB_NO_LIMIT no limit (PS-07) */
    int64_t block_timeout; /* milliseconds that eb_pubsub_publish_wait waits where its timeout is -1, 1 through
                              86,400,000; 0 is the default of 1,000 (PS-13) */
    int64_t max_payload;   /* bytes a payload may have, 1 through 1,048,576; 0 is the default of 1,024 */
    const char *path;      /* file that keeps topics, messages and offsets, UTF-8 (PS-15); NULL keeps nothing */
    int64_t path_len;      /* bytes of path */
    int64_t sync;          /* with a path: 1 survives loss of power, 0 the death of the process */
} eb_pubsub_options;

/*
 * eb_pubsub_new: makes a broker, empty or as the file at path has it, and writes
 * its handle to *broker. options may be NULL. Close it with eb_pubsub_close.
 *
 *   EB_OK                 *broker is set
 *   EB_INVALID_ARGUMENT   an option or its size is out of range, the path cannot be opened, or broker is NULL
 *   EB_IN_USE             the path is open elsewhere, in this process or another
 *   EB_DAMAGED            the file is not one of ours, or is damaged; it is left as it is
 *   EB_DISK_FULL          there is no room to make the file
 */
int64_t eb_pubsub_new(const eb_pubsub_options *options, uint64_t *broker);

/*
 * eb_pubsub_close: from now on no handler call begins and every other function
 * answers EB_CLOSED; threads that wait wake. Then it waits, at most timeout_ms
 * milliseconds, for the deliveries taken before to be settled, except where the
 * calling thread holds one itself, and for those past their time-out (PS-08,
 * PS-11). Call it again to wait longer. Settling still works. Closing a handle
 * that is closed already, or 0, is fine.
 *
 *   EB_OK                 closed and, unless inside a handler, nothing is left
 *   EB_TIMED_OUT          closed, but a delivery is not settled yet
 *   EB_INVALID_ARGUMENT   timeout_ms is negative; nothing happened
 */
int64_t eb_pubsub_close(uint64_t broker, int64_t timeout_ms);

/*
 * eb_pubsub_create_topic: makes an empty topic that keeps its last retain
 * messages, or all where retain is 0 (PS-01, PS-13).
 *
 *   1                     made
 *   0                     the topic exists already and is left as it was
 *   EB_INVALID_ARGUMENT   topic is no identifier, retain is out of range
 *   EB_DISK_FULL          nothing was made
 */
int64_t eb_pubsub_create_topic(uint64_t broker, const char *topic, int64_t topic_len, int64_t retain);

/* Options of eb_pubsub_subscribe. Set size to sizeof(eb_pubsub_subscription)
 * and what you do not use to 0. */
typedef struct eb_pubsub_subscription {
    int64_t size;
    const char *group; /* NULL for none (PS-14) */
    int64_t group_len; /* bytes of group */
    int64_t policy;    /* enum eb_pubsub_policy (PS-13) */
    int64_t filtered;  /* 1 where the host filters its messages (PS-12) */
} eb_pubsub_subscription;

/*
 * eb_pubsub_subscribe: adds a subscription at the end of the topic's log, or
 * where its group or the broker's file has it already (PS-02, PS-14, PS-15).
 * Every delivery to it carries the cookie. options may be NULL. With lanes it
 * writes the handle of the subscription's worker to *worker, else 0; close it
 * with eb_pubsub_end when its thread ends. worker may be NULL without lanes.
 *
 *   EB_OK                 subscribed
 *   EB_INVALID_ARGUMENT   unknown topic, malformed name or group, name in use on the topic, an option out of range,
 *                         a filter in a group, another policy than the group's, block without workers
 *   EB_DISK_FULL          nothing was subscribed
 */
int64_t eb_pubsub_subscribe(uint64_t broker, const char *topic, int64_t topic_len, const char *name, int64_t name_len,
                            uint64_t cookie, const eb_pubsub_subscription *options, uint64_t *worker);

/*
 * eb_pubsub_unsubscribe: ends the subscription. No delivery to it is handed out
 * after this returned; one taken before may still be settled and counts (PS-08).
 *
 *   1                     ended
 *   0                     no such topic or subscription
 *   EB_INVALID_ARGUMENT   malformed topic or name
 *   EB_DISK_FULL          nothing was ended
 */
int64_t eb_pubsub_unsubscribe(uint64_t broker, const char *topic, int64_t topic_len, const char *name,
                              int64_t name_len);

/*
 * eb_pubsub_publish: appends the payload, valid UTF-8, to the topic's log. It
 * never waits (PS-01, PS-13).
 *
 *   >= 0                  the offset it got
 *   -1                    no such topic
 *   EB_TIMED_OUT          the topic is full and a subscription with the policy block has not taken its earliest
 *                         message; no offset was used up
 *   EB_INVALID_ARGUMENT   malformed topic, payload too long or not UTF-8
 *   EB_DISK_FULL          nothing was appended
 */
int64_t eb_pubsub_publish(uint64_t broker, const char *topic, int64_t topic_len, const char *payload,
                          int64_t payload_len);

/*
 * eb_pubsub_publish_wait: as eb_pubsub_publish, but waits for room, at most
 * timeout_ms milliseconds; -1 stands for the broker's block_timeout. Inside a
 * handler it does not wait.
 *
 *   >= 0                  the offset it got
 *   -1                    no such topic
 *   EB_TIMED_OUT          there was no room in time; no offset was used up
 *   EB_INVALID_ARGUMENT   malformed topic, payload too long or not UTF-8, timeout_ms below -1
 *   EB_DISK_FULL          nothing was appended
 */
int64_t eb_pubsub_publish_wait(uint64_t broker, const char *topic, int64_t topic_len, const char *payload,
                               int64_t payload_len, int64_t timeout_ms);

/*
 * eb_pubsub_drain: with the synchronous dispatcher, opens a walk over what
 * waits now (PS-05) and writes its handle to *walk. With lanes and pool it wakes
 * every subscription, also one in back-off, and writes 0 (PS-11).
 *
 *   EB_OK                 *walk is set
 *   EB_INVALID_ARGUMENT   walk is NULL
 */
int64_t eb_pubsub_drain(uint64_t broker, uint64_t *walk);

/* One delivery. Behind it stand the topic and then the payload, with nothing
 * between. It takes 56 bytes and both; 56 + 64 + max_payload do, unless the
 * broker's file has messages from under a larger max_payload. A host that cannot
 * start the thread that start_worker asks for lets the next one go on to which
 * eb_pubsub_settle answers that it is one too many. */
typedef struct eb_pubsub_delivery {
    uint64_t token;       /* settles it */
    uint64_t cookie;      /* of the subscription */
    int64_t offset;       /* of the message */
    int64_t attempt;      /* which try of the message it is, from 1 */
    int64_t start_worker; /* 1: pool: start another thread on the worker before you call the handler */
    int64_t topic_len;    /* bytes */
    int64_t payload_len;  /* bytes */
} eb_pubsub_delivery;

/*
 * eb_pubsub_next: takes the walk's next delivery and writes it to buf, which has
 * cap bytes and must be aligned to 8. The delivery before it has to be settled:
 * its outcome decides how the walk goes on.
 *
 *   1                     a delivery was written
 *   0                     the walk is at its end, and closed
 *   EB_BUFFER_TOO_SMALL   nothing was taken; eb_needed() bytes do
 *   EB_CLOSED             no such walk, or its broker was closed: then eb_pubsub_end is still to be called
 *   EB_DISK_FULL          where a subscription that fell behind stands could not be kept (PS-13): its turn ended, and
 *                         the next call goes on with the others
 *   EB_INVALID_ARGUMENT   the delivery before is not settled; buf is NULL or not aligned, or cap negative
 */
int64_t eb_pubsub_next(uint64_t walk, void *buf, int64_t cap);

/*
 * eb_pubsub_pool: writes the handle of the pool's worker to *worker. The host
 * starts as many threads as the answer says, each of which loops over
 * eb_pubsub_wait on it; close it with eb_pubsub_end when the last has ended.
 *
 *   >= 1                  threads to start: workers, and with a handler_timeout one more, which stands by
 *   0                     the dispatcher is not a pool; *worker is 0
 *   EB_INVALID_ARGUMENT   worker is NULL
 */
int64_t eb_pubsub_pool(uint64_t broker, uint64_t *worker);

/*
 * eb_pubsub_wait: waits at most timeout_ms milliseconds for a delivery to this
 * worker and writes it to buf as eb_pubsub_next does. A publish, the end of a
 * back-off, unsubscribing and closing wake it.
 *
 *   1                     a delivery was written
 *   0                     none came
 *   EB_CLOSED             the broker was closed, or the lane's subscription has ended: the thread ends
 *   EB_BUFFER_TOO_SMALL   nothing was taken; eb_needed() bytes do
 *   EB_INVALID_ARGUMENT   timeout_ms is negative; buf is NULL or not aligned, or cap negative
 */
int64_t eb_pubsub_wait(uint64_t worker, int64_t timeout_ms, void *buf, int64_t cap);

/*
 * eb_pubsub_settle: ends a delivery with its outcome: confirmed, failed, or
 * filtered (PS-03, PS-07, PS-12). text says why it failed and is kept with the
 * message once it is a dead letter, the first 1,024 bytes of it; it is not read
 * for the other outcomes and may be NULL.
 *
 *   1                     settled
 *   0                     settled, and this thread of the pool is one too many: it ends
 *   EB_CLOSED             no such delivery, or it is settled already
 *   EB_INVALID_ARGUMENT   outcome is unknown or text_len negative; the delivery is not settled
 *   EB_DISK_FULL          the outcome could not be kept: the message stays where it is and is offered again
 */
int64_t eb_pubsub_settle(uint64_t token, int64_t outcome, const char *text, int64_t text_len);

/*
 * eb_pubsub_end: closes a walk before its end, or a worker. A delivery taken
 * from it may still be settled. Closing a handle that is closed already, or 0,
 * is fine.
 *
 *   EB_OK                 always
 */
int64_t eb_pubsub_end(uint64_t walk_or_worker);

/*
 * eb_pubsub_seek: moves the subscription's place, or its group's, to an offset
 * from the earliest message kept through the end, and clears its failed tries
 * (PS-09).
 *
 *   1                     moved
 *   0                     no such topic or subscription
 *   EB_INVALID_ARGUMENT   malformed topic or name; offset negative, no longer kept or past the end
 *   EB_DISK_FULL          nothing was moved
 */
int64_t eb_pubsub_seek(uint64_t broker, const char *topic, int64_t topic_len, const char *name, int64_t name_len,
                       int64_t offset);

/*
 * eb_pubsub_offset: the offset of the message that the subscription, or its
 * group, is to be offered next (PS-04).
 *
 *   >= 0                  the offset
 *   -1                    no such topic or subscription
 *   EB_INVALID_ARGUMENT   malformed topic or name
 */
int64_t eb_pubsub_offset(uint64_t broker, const char *topic, int64_t topic_len, const char *name, int64_t name_len);

/* One letter in the frame that eb_pubsub_dead_letters writes: first all
 * headers, then for each its payload and its error with nothing between. */
typedef struct eb_pubsub_letter {
    int64_t offset;
    int64_t attempts;    /* failed tries */
    int32_t payload_len; /* bytes */
    int32_t error_len;   /* bytes of what the last try failed with */
} eb_pubsub_letter;

/*
 * eb_pubsub_dead_letters: writes the messages that the subscription, or its
 * group, gave up, in the order in which it did (PS-07, PS-16). buf has cap bytes
 * and must be aligned to 8.
 *
 *   >= 0                  how many were written; 0 as well for an unknown topic or subscription
 *   EB_BUFFER_TOO_SMALL   eb_needed() bytes do
 *   EB_INVALID_ARGUMENT   malformed topic or name, buf NULL or not aligned, or cap negative
 */
int64_t eb_pubsub_dead_letters(uint64_t broker, const char *topic, int64_t topic_len, const char *name,
                               int64_t name_len, void *buf, int64_t cap);

/*
 * eb_pubsub_redeliver: offers all dead letters of the subscription, or of its
 * group, again, in the order of parking and before anything else that waits,
 * with their tries counted afresh (PS-17).
 *
 *   >= 0                  how many they are; 0 as well for an unknown topic or subscription
 *   EB_INVALID_ARGUMENT   malformed topic or name
 *   EB_DISK_FULL          nothing was changed
 */
int64_t eb_pubsub_redeliver(uint64_t broker, const char *topic, int64_t topic_len, const char *name, int64_t name_len);

/* How a subscription stands. Behind it stands the reason. */
typedef struct eb_pubsub_standing {
    int64_t offset;     /* of the message to be offered next; -1 when there is no such subscription */
    int64_t attempts;   /* failed tries of that message */
    int64_t lost;       /* messages that were no longer kept when they would have been offered (PS-13) */
    int64_t reason_len; /* bytes of why it was disconnected; 0 when it was not */
} eb_pubsub_standing;

/*
 * eb_pubsub_status: writes how the subscription stands (PS-13, PS-17). The
 * reason of a disconnection is kept until the name subscribes or unsubscribes.
 * buf has cap bytes and must be aligned to 8.
 *
 *   1                     it is subscribed
 *   0                     it is not: the broker's file has it and it waits to be subscribed anew (PS-15), or there is
 *                         no such topic or subscription, and then offset is -1 and the rest 0, but for reason_len
 *   EB_BUFFER_TOO_SMALL   eb_needed() bytes do
 *   EB_INVALID_ARGUMENT   malformed topic or name, buf NULL or not aligned, or cap negative
 */
int64_t eb_pubsub_status(uint64_t broker, const char *topic, int64_t topic_len, const char *name, int64_t name_len,
                         void *buf, int64_t cap);

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
