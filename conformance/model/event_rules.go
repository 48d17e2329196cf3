package model

import (
	"math"
	"slices"
	"unicode/utf8"
)

// EventRules are the decisions of the contract on which the rest of the model
// is bookkeeping. A fault replaces one of them.
type EventRules struct {
	Capacity       Range                 // EB-01
	MaxPayload     Range                 // the option of the constructor
	PartitionCount Range                 // EB-02
	MaxRecords     Range                 // EB-12
	Offset         Range                 // EB-13, of ack and retry
	Batch          Range                 // EB-17, of elements
	Partition      func(count int) Range // EB-13, among so many partitions

	Identifier func(name string) bool
	Payload    func(payload string, limit int64) bool

	// Start is where a new group stands in a partition (EB-07).
	Start func(*EventPartition) int64
	// Sort puts the members of a group in the order of ownership (EB-08).
	Sort func(members []string)
	// Assign names the owner of each partition, "" for nobody (EB-08).
	Assign func(*EventGroup) []string
	// HandOver is a cursor after a change of membership gave it this owner,
	// perhaps the one it had (EB-10).
	HandOver func(cursor EventCursor, owner string, log *EventPartition) EventCursor

	// IsFull says whether a partition has no room (EB-05).
	IsFull func(e *Event, topic *EventTopic, partition int) bool
	// Reserve names the partitions that a poll takes a record from (EB-12).
	Reserve func(topic *EventTopic, group *EventGroup, member string, limit int64) []int
	// MayAck and MayRetry say whether the call is right about the delivery,
	// Acked and Retried what it makes of the cursor (EB-13).
	MayAck   func(cursor EventCursor, member string, offset int64) bool
	MayRetry func(cursor EventCursor, member string, offset int64) bool
	Acked    func(EventCursor) EventCursor
	Retried  func(EventCursor) EventCursor
	// Removable says whether retention lets go of a record (EB-14).
	Removable func(topic *EventTopic, partition int, offset int64) bool
}

// CorrectEventRules are those of the contract.
func CorrectEventRules() EventRules {
	return EventRules{
		Capacity:       Range{1, 1000},
		MaxPayload:     Range{1, 1 << 20},
		PartitionCount: Range{1, 64},
		MaxRecords:     Range{1, 64},
		Offset:         Range{0, math.MaxInt64},
		Batch:          Range{0, 1024},
		Partition:      func(count int) Range { return Range{0, int64(count) - 1} },
		Identifier:     IsIdentifier,
		Payload:        isPayload,
		Start:          earliestRetained,
		Sort:           slices.Sort[[]string],
		Assign:         modulo,
		HandOver:       cancelWhereMoved,
		IsFull:         atCapacity,
		Reserve:        readyPartitions,
		MayAck:         holdsDelivery,
		MayRetry:       holdsDelivery,
		Acked:          commit,
		Retried:        clearDelivery,
		Removable:      acknowledgedByAll,
	}
}

// IsIdentifier says whether a name is 1 to 64 bytes out of A-Z a-z 0-9 _ -.
func IsIdentifier(name string) bool {
	for _, b := range []byte(name) {
		letter := 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z'
		digit := '0' <= b && b <= '9'
		if !letter && !digit && b != '_' && b != '-' {
			return false
		}
	}
	return 1 <= len(name) && len(name) <= 64
}

// isPayload: valid UTF-8 within the limit, which counts bytes.
func isPayload(payload string, limit int64) bool {
	return utf8.ValidString(payload) && int64(len(payload)) <= limit
}

// earliestRetained: or the next offset where nothing is retained (EB-07).
func earliestRetained(p *EventPartition) int64 {
	if len(p.Retained) == 0 {
		return p.Next
	}
	return p.Retained[0].Offset
}

// modulo: partition p belongs to the member with index p mod members (EB-08).
func modulo(group *EventGroup) []string {
	owners := make([]string, len(group.Cursors))
	if len(group.Members) == 0 {
		return owners
	}
	for p := range owners {
		owners[p] = group.Members[p%len(group.Members)]
	}
	return owners
}

// cancelWhereMoved: a partition that changed hands loses its delivery, one that
// did not keeps it, and both keep their progress. Nobody counts as an owner
// (EB-10).
func cancelWhereMoved(cursor EventCursor, owner string, _ *EventPartition) EventCursor {
	if owner != cursor.Owner {
		cursor.InFlight = NoDelivery
	}
	cursor.Owner = owner
	return cursor
}

// atCapacity: partitions fill independently (EB-05).
func atCapacity(e *Event, topic *EventTopic, partition int) bool {
	return int64(len(topic.Partitions[partition].Retained)) >= e.Capacity
}

// readyPartitions: ascending, the member's own, nothing in flight, a record at
// the committed offset, until so many are found (EB-12).
func readyPartitions(topic *EventTopic, group *EventGroup, member string, limit int64) []int {
	var ready []int
	for p, cursor := range group.Cursors {
		if int64(len(ready)) == limit {
			break
		}
		_, waiting := topic.Partitions[p].At(cursor.Committed)
		if cursor.Owner == member && cursor.InFlight == NoDelivery && waiting {
			ready = append(ready, p)
		}
	}
	return ready
}

// holdsDelivery: the current owner, and exactly the offset in flight (EB-13).
func holdsDelivery(cursor EventCursor, member string, offset int64) bool {
	return cursor.Owner == member && cursor.InFlight == offset
}

// commit advances progress by one and clears the delivery (EB-13).
func commit(cursor EventCursor) EventCursor {
	cursor.Committed++
	return clearDelivery(cursor)
}

// clearDelivery ends the delivery (EB-13).
func clearDelivery(cursor EventCursor) EventCursor {
	cursor.InFlight = NoDelivery
	return cursor
}

// acknowledgedByAll: by every existing group, empty ones too. With no groups
// nothing is removed (EB-14).
func acknowledgedByAll(topic *EventTopic, partition int, offset int64) bool {
	for _, group := range topic.Groups {
		if offset >= group.Cursors[partition].Committed {
			return false
		}
	}
	return len(topic.Groups) > 0
}
