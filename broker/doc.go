// Package broker is the vocabulary that the brokers share: errors, identifiers
// and payloads. The brokers themselves are separate packages that do not know
// each other:
//
//	broker/event      EventBroker: bounded partitioned logs with consumer groups
//	broker/message    one retained log a topic, a cursor a group, dead letters
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
// # Locks
//
// A topic has one mutex, which guards everything below it. The EventBroker's
// table of topics has one for its writers, and none for readers; that of the
// message broker has a reader-writer lock. A goroutine holds at most one of
// them, and calls nothing of the user's while it does. Range assignment has no
// state.
package broker
