package model

import "math"

// MessageRules are the decisions of the contract, as [EventRules] are.
type MessageRules struct {
	MaxAttempts Range // MB-01
	MaxPayload  Range // the option of the constructor
	Offset      Range // MB-11, of ack and nack
	Attempt     Range // MB-11

	Identifier func(name string) bool
	Payload    func(payload string, limit int64) bool

	// Start is where a new group begins (MB-04).
	Start func(*MessageTopic) int64
	// Polled is a group after a poll that found a message (MB-05, MB-07).
	Polled func(MessageGroup) MessageGroup
	// MayAck and MayNack say whether the call is right about the delivery,
	// Acked and Nacked what it makes of the group (MB-06, MB-07).
	MayAck  func(group MessageGroup, offset, attempt int64) bool
	MayNack func(group MessageGroup, offset, attempt int64) bool
	Acked   func(MessageGroup) MessageGroup
	Nacked  func(MessageGroup) MessageGroup
	// GivesUp says whether a nack parks the message, Parked what becomes of
	// the group once it is (MB-08).
	GivesUp func(group MessageGroup, limit int64) bool
	Parked  func(MessageGroup) MessageGroup
}

// CorrectMessageRules are those of the contract.
func CorrectMessageRules() MessageRules {
	return MessageRules{
		MaxAttempts: Range{1, math.MaxInt32},
		MaxPayload:  Range{1, 1 << 20},
		Offset:      Range{0, math.MaxInt64},
		Attempt:     Range{1, math.MaxInt32},
		Identifier:  IsIdentifier,
		Payload:     isPayload,
		Start:       func(*MessageTopic) int64 { return 0 },
		Polled:      deliver,
		MayAck:      isInFlight,
		MayNack:     isInFlight,
		Acked:       moveOn,
		Nacked:      clearFlight,
		GivesUp:     wasLastAttempt,
		Parked:      moveOn,
	}
}

// deliver: what is in flight stays as it is; a delivery is one attempt more
// (MB-05, MB-07).
func deliver(group MessageGroup) MessageGroup {
	if !group.InFlight {
		group.InFlight = true
		group.Attempts++
	}
	return group
}

// isInFlight: exactly this delivery (MB-06).
func isInFlight(group MessageGroup, offset, attempt int64) bool {
	return group.InFlight && group.Offset == offset && group.Attempts == attempt
}

// moveOn: to the next offset, of which no delivery was made (MB-06, MB-08).
func moveOn(group MessageGroup) MessageGroup {
	group.Offset++
	group.Attempts = 0
	group.InFlight = false
	return group
}

// clearFlight: the same offset is delivered again (MB-07).
func clearFlight(group MessageGroup) MessageGroup {
	group.InFlight = false
	return group
}

// wasLastAttempt: the limit counts deliveries, the first one included (MB-08).
func wasLastAttempt(group MessageGroup, limit int64) bool {
	return group.Attempts == limit
}
