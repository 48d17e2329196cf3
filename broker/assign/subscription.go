package assign

// MaxVersion is the newest version of the consumer protocol that is written,
// and as which a newer one is read.
const MaxVersion = 3

// NoGeneration is the generation of a subscription that tells none.
const NoGeneration = -1

// A Subscription is what a member tells its group when it joins: Kafka's
// ConsumerProtocolSubscription.
type Subscription struct {
	Version  int16
	Topics   []string
	UserData []byte // nil for null, which is not the same as empty

	// From version 1: what the member owned before the rebalance.
	OwnedPartitions []TopicPartitions
	// From version 2: the generation in which it owned them, or [NoGeneration].
	GenerationID int32
	// From version 3: nil for null.
	RackID *string
}

// TopicPartitions are partitions of one topic, in the order of the message.
type TopicPartitions struct {
	Topic      string
	Partitions []int32
}

// DecodeSubscription reads a subscription (RA-01, RA-02). The writer may have
// stopped before the owned partitions, the generation or the rack; what is
// absent is nil, [NoGeneration] and nil. A version above [MaxVersion] is kept
// in the result and read as MaxVersion, and if that fails after the user data,
// all three are absent. Bytes left over are ignored. Empty lists are nil.
//
// The error of a message that is malformed names the field and its byte offset:
//
//	invalid argument: bytes: owned_partitions[0].partitions count -5 at byte 20 is negative
func DecodeSubscription(bytes []byte) (Subscription, error) {
	r := reader{left: bytes}
	s := Subscription{
		Version:      r.version(),
		Topics:       r.strings("topics"),
		UserData:     r.nullableBytes(whole("user_data")),
		GenerationID: NoGeneration,
	}
	if r.err != nil {
		return Subscription{}, r.err
	}
	full := s
	full.readTail(&r)
	switch {
	case r.err == nil:
		return full, nil
	case s.Version > MaxVersion: // A version to come may have put anything here.
		return s, nil
	default:
		return Subscription{}, r.err
	}
}

// readTail reads what the version added, as far as the writer went.
func (s *Subscription) readTail(r *reader) {
	if s.Version >= 1 && !r.ended() {
		s.OwnedPartitions = r.topicPartitions("owned_partitions")
	}
	if s.Version >= 2 && !r.ended() {
		s.GenerationID = r.int32(whole("generation_id"))
	}
	if s.Version >= 3 && !r.ended() {
		s.RackID = r.nullableString(whole("rack_id"))
	}
}

// EncodeSubscription writes a subscription in its version, from 0 through
// [MaxVersion], leaving out what that version lacks (RA-03). Strings are valid
// UTF-8 of at most 32,767 bytes; what is left out is not judged.
func EncodeSubscription(subscription Subscription) ([]byte, error) {
	w := writer{argument: "subscription"}
	w.version(subscription.Version)
	w.strings("topics", subscription.Topics)
	w.nullableBytes(whole("user_data"), subscription.UserData)
	if subscription.Version >= 1 {
		w.topicPartitions("owned_partitions", subscription.OwnedPartitions)
	}
	if subscription.Version >= 2 {
		w.int32(subscription.GenerationID)
	}
	if subscription.Version >= 3 {
		w.nullableString(whole("rack_id"), subscription.RackID)
	}
	return w.bytes()
}
