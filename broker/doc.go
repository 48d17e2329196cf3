// Package broker is the vocabulary that the brokers share: errors, identifiers
// and payloads. The brokers themselves are separate packages that do not know
// each other:
//
//	broker/event      EventBroker: bounded partitioned logs with consumer groups
//	broker/message    one retained log a topic, a cursor a group, dead letters
//	broker/pubsub     handlers that are given what is published, each at its own pace
//	broker/assign     Kafka's range assignor and its binary subscriptions
//
// # Invariants of the EventBroker
//
// These hold between any two calls, and a test walks a whole broker to check
// them after every step of its model tests. The names are those of
// cases/CONTRACT.md.
//
//  1. A topic's partitions are fixed when it is made and retain at most the
//     broker's capacity (EB-02, EB-05).
//  2. In a group with members every partition has exactly one owner: the member
//     at p mod n of the members sorted by byte (EB-08).
//  3. A delivery in flight has an owner, and its offset is the group's committed
//     offset of that partition, where a record is retained (EB-12, EB-13).
//  4. A partition is ready for a group exactly when a record is retained at the
//     group's committed offset.
//  5. Each retained record counts the groups that stand at it, and the partition
//     lists those that stand at its end; together they are all groups of the topic.
//  6. With groups, the earliest retained record has a group standing at it, or
//     nothing is retained (EB-14).
//
// # Invariants of the message broker
//
// A test walks the broker for these too.
//
//  1. A group's position is an offset of the log or its end.
//  2. A group's delivery in flight is of the message at its position, with its
//     attempt from 1 through the broker's limit (MB-01, MB-05).
//  3. With nothing in flight, the message at the position was delivered less
//     often than the limit allows (MB-07, MB-08).
//  4. The dead letters lie before the group's position, in the order of their
//     offsets and each once, and were delivered as often as the limit allows
//     (MB-08).
//
// # Invariants of the pub-sub broker
//
// A test walks the engine of the broker for these. A cursor is the place of a
// subscription, or the one that a group shares; a letter is a message that it
// gave up.
//
//  1. A cursor's place is an offset of the log, kept or not, or its end. The
//     failed tries there are fewer than the limit, and none at the end (PS-04,
//     PS-07).
//  2. A cursor's letters lie in the order of parking, those to be offered again
//     before those parked since. A dead one failed as often as the limit allows,
//     one to be offered again less often (PS-07, PS-17).
//  3. Every subscription is found by its name and is a member of one cursor:
//     alone, or in a group in the order in which they subscribed. The turn is
//     that of a member (PS-02, PS-14).
//  4. A topic keeps at most its last n messages, and counts the subscriptions
//     that let no publisher remove what they need (PS-13).
//  5. A cursor is busy exactly while one call of it runs, timed out or not, or a
//     drain is about to go on with it (PS-10).
//  6. With lanes and pool, a cursor with members is in exactly one of four
//     states: busy; once in the queue of the worker whose turn it is; resting
//     after a failure; or, exactly while nothing waits for it, on the list of
//     those that the next message wakes. With the synchronous dispatcher it is
//     busy or in none (PS-11).
//  7. As many calls run as were handed out and have neither ended nor timed out,
//     in a pool at most as many as it has workers. With a time-out, at least one
//     thread of the pool stands by (PS-11).
//  8. A reason is kept only of names that are not subscribed (PS-17).
//  9. What the journal kept is what is in memory: topics, messages, places, tries
//     and letters (PS-15).
//
// # Locks
//
// A topic has one mutex, which guards everything below it. The EventBroker's
// table of topics has one for its writers, and none for readers; those of the
// message broker and of the pub-sub broker have a reader-writer lock. Nothing of
// the user's is called while a lock is held. Range assignment has no state.
//
// In the EventBroker and the message broker a goroutine holds at most one of
// them. The pub-sub broker has more, which are taken in this order: that of the
// goroutines it runs; that of the table of topics; that of a topic; then that of
// a queue of workers, or that of the count of calls. Its journal is called with
// the lock of a topic held, or with that of the table where a topic is made.
package broker
