// Package assign does the work of a Kafka consumer group's leader: it reads
// what every member says it wants to consume and decides which member owns
// which partition, with the answer of Kafka's default range assignor.
//
// [DecodeSubscription], [EncodeSubscription], [DecodeAssignment] and
// [EncodeAssignment] speak Kafka's consumer protocol, versions 0 to 3, byte for
// byte. [Range] divides the partitions. All are functions of their arguments
// alone and may be called from any number of goroutines; what they return
// shares no memory with what they were given.
//
// A call that fails returns a [*broker.ArgumentError], for which
// errors.Is(err, broker.ErrInvalidArgument) holds.
//
// # Hostile input
//
// A decoder trusts no length before it has checked it against the bytes that
// are left, so that the memory it takes stays below ten times the input,
// whatever the input claims (RA-02).
//
// # Where this is not Kafka
//
//   - Racks are read and written but not looked at by [Range] (RA-04). Kafka
//     does as [Range] does where the brokers tell it no racks.
//   - A topic that a member names twice counts once (RA-05). That rule is ours:
//     Kafka's document says nothing, its assignor of 4.4 does the same, and
//     franz-go's of 1.22 counts the member twice.
//   - A writer may stop before the owned partitions, the generation or the rack
//     of a subscription, as some clients do, and a version to come may put
//     something else there (RA-01). Kafka refuses both.
//   - Text that is not UTF-8 and lengths below -1 are refused (RA-02). Kafka
//     replaces the characters, and takes such a length for null.
package assign
