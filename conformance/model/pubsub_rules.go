package model

import (
	"iter"
	"math"
	"slices"
)

// PubSubRules are the decisions of the contract, as [EventRules] are.
type PubSubRules struct {
	Workers     Range // PS-11, of a pool
	MaxAttempts Range // PS-07; 0 is no limit
	MaxPayload  Range // the option of the constructor
	Retain      Range // PS-13
	Offset      Range // PS-16, of seek

	Identifier func(name string) bool
	Payload    func(payload string, limit int64) bool
	// MayJoin says whether a group takes a member with this policy (PS-14).
	MayJoin func(group *PubSubCursor, policy string) bool
	// FilterInGroup and BlockSynchronous allow what does not go together
	// (PS-13, PS-14).
	FilterInGroup, BlockSynchronous bool

	// Earliest is the offset of the first message that is kept (PS-13).
	Earliest func(*PubSubTopic) int64
	// HoldsUp says whether a publisher has to wait (PS-13).
	HoldsUp func(*PubSubTopic) bool
	// Start is where a new subscription or group begins (PS-02, PS-14).
	Start func(*PubSubTopic) int64
	// Leave takes a member from its cursor (PS-08).
	Leave func(*PubSubCursor, *PubSubSubscription)
	// SeekTo are the offsets that a seek may name (PS-09).
	SeekTo func(p *PubSub, t *PubSubTopic) Range
	// Seek moves a cursor (PS-09), Redeliver offers its dead letters again and
	// says how many they were (PS-17).
	Seek      func(c *PubSubCursor, offset int64)
	Redeliver func(*PubSubCursor) int64

	// Topics and Cursors are what a drain walks (PS-05).
	Topics  func(*PubSub) iter.Seq[*PubSubTopic]
	Cursors func(*PubSubTopic) iter.Seq[*PubSubCursor]
	// MayServe says whether a drain may serve a cursor (PS-10).
	MayServe func(*PubSubCursor) bool
	// Waits says whether there is a message to offer, and a member to offer it
	// to.
	Waits func(*PubSubTopic, *PubSubCursor) bool
	// Drop and Disconnect do what the policy says of a cursor whose next
	// message is no longer kept (PS-13).
	Drop       func(c *PubSubCursor, earliest int64)
	Disconnect func(*PubSubTopic, *PubSubCursor)

	// Filter says what a filter makes of a payload (PS-12), Outcome what the
	// answer of a handler means (PS-03).
	Filter  func(f *PubSubFilter, payload string) PubSubOutcome
	Outcome func(ret any) PubSubOutcome
	// Rotate gives the next call to another member (PS-14).
	Rotate func(c *PubSubCursor, had *PubSubSubscription)

	// Take moves past a message (PS-04). Of a failure, Overruled says whether a
	// seek was made meanwhile (PS-09), GivesUp whether it was the last try
	// (PS-07); Miss counts it, Park keeps the message.
	Take      func(*PubSubDelivery)
	Overruled func(*PubSubDelivery) bool
	GivesUp   func(d *PubSubDelivery, limit int64) bool
	Miss      func(*PubSubDelivery)
	Park      func(*PubSubDelivery)
	// Counts says whether the drain counts the call, GoesOn whether the turn
	// goes on behind it (PS-05, PS-06).
	Counts func(*PubSubDelivery, PubSubEnd) bool
	GoesOn func(*PubSubDelivery, PubSubEnd) bool
}

// CorrectPubSubRules are those of the contract.
func CorrectPubSubRules() PubSubRules {
	return PubSubRules{
		Workers:     Range{1, 1024},
		MaxAttempts: Range{0, math.MaxInt32},
		MaxPayload:  Range{1, 1 << 20},
		Retain:      Range{1, math.MaxInt32},
		Offset:      Range{0, math.MaxInt64},
		Identifier:  IsIdentifier,
		Payload:     isPayload,
		MayJoin:     hasPolicy,
		Earliest:    earliestKept,
		HoldsUp:     isHeldUp,
		Start:       (*PubSubTopic).End,
		Leave:       leave,
		SeekTo:      keptAndEnd,
		Seek:        seek,
		Redeliver:   redeliver,
		Topics:      topicsNow,
		Cursors:     cursorsNow,
		MayServe:    isFree,
		Waits:       waits,
		Drop:        dropLost,
		Disconnect:  disconnect,
		Filter:      filtered,
		Outcome:     onlyTrueConfirms,
		Rotate:      rotate,
		Take:        take,
		Overruled:   soughtMeanwhile,
		GivesUp:     wasLastTry,
		Miss:        miss,
		Park:        park,
		Counts:      wasConfirmed,
		GoesOn:      isDealtWith,
	}
}

// hasPolicy: all members of a group have the same (PS-14).
func hasPolicy(group *PubSubCursor, policy string) bool { return group.Policy == policy }

// earliestKept: offsets stay absolute (PS-13).
func earliestKept(t *PubSubTopic) int64 {
	if t.Retain == 0 {
		return 0
	}
	return max(0, t.End()-t.Retain)
}

// isHeldUp: the topic has no room, and a subscription with the policy block has
// still to take the earliest message. A group without members is none (PS-13,
// PS-14).
func isHeldUp(t *PubSubTopic) bool {
	earliest := earliestKept(t)
	return t.Retain > 0 && t.End()-earliest == t.Retain &&
		slices.ContainsFunc(t.Subscriptions, func(s *PubSubSubscription) bool {
			return s.Cursor.Policy == Block && s.Cursor.Next <= earliest
		})
}

// keptAndEnd: from the earliest kept through the end (PS-09, PS-16).
func keptAndEnd(p *PubSub, t *PubSubTopic) Range { return Range{p.Rules.Earliest(t), t.End()} }

// topicsNow: those that exist when the drain begins, as they were created
// (PS-05).
func topicsNow(p *PubSub) iter.Seq[*PubSubTopic] { return slices.Values(slices.Clone(p.Topics)) }

// cursorsNow: those that exist when their topic's turn comes, as they
// subscribed, a group at the place of its first member (PS-05, PS-14).
func cursorsNow(t *PubSubTopic) iter.Seq[*PubSubCursor] {
	var cursors []*PubSubCursor
	for _, s := range t.Subscriptions {
		if !slices.Contains(cursors, s.Cursor) {
			cursors = append(cursors, s.Cursor)
		}
	}
	return slices.Values(cursors)
}

// isFree: never two calls at once (PS-10).
func isFree(c *PubSubCursor) bool { return !c.Busy }

func waits(t *PubSubTopic, c *PubSubCursor) bool {
	return len(c.Members) > 0 && (len(c.Again) > 0 || c.Next < t.End())
}

// leave: whoever stands behind the one that left moves up, also where it had
// the turn (PS-08, PS-14).
func leave(c *PubSubCursor, s *PubSubSubscription) {
	place := slices.Index(c.Members, s)
	c.Members = without(c.Members, s)
	if c.Turn > place {
		c.Turn--
	}
	if c.Turn >= len(c.Members) {
		c.Turn = 0
	}
}

// rotate: to the member behind the one that had the call. If that one is gone,
// another has taken its place and its turn (PS-14).
func rotate(c *PubSubCursor, had *PubSubSubscription) {
	if place := slices.Index(c.Members, had); place >= 0 {
		c.Turn = (place + 1) % len(c.Members)
	}
}

// dropLost: to the earliest kept one, which was not tried yet (PS-13).
func dropLost(c *PubSubCursor, earliest int64) {
	c.Lost += earliest - c.Next
	c.Next, c.Attempts = earliest, 0
}

// disconnect: all members end, with the reason kept, and so does their group
// (PS-13, PS-14).
func disconnect(t *PubSubTopic, c *PubSubCursor) {
	for _, s := range c.Members {
		t.Subscriptions = without(t.Subscriptions, s)
		t.Disconnected[s.Name] = true
	}
	for name, group := range t.Groups {
		if group == c {
			delete(t.Groups, name)
		}
	}
	c.Members = nil
}

// onlyTrueConfirms (PS-03).
func onlyTrueConfirms(ret any) PubSubOutcome {
	if ret == true {
		return Confirmed
	}
	return Failed
}

// take: a dead letter offered again is gone (PS-17). From the log, to the next
// message, which was not tried yet, unless a seek was made meanwhile (PS-04,
// PS-09).
func take(d *PubSubDelivery) {
	switch {
	case d.Letter != nil:
		d.Cursor.Again = without(d.Cursor.Again, d.Letter)
	case !soughtMeanwhile(d):
		d.Cursor.Next, d.Cursor.Attempts = d.Offset+1, 0
	}
}

// soughtMeanwhile: since the call began (PS-09).
func soughtMeanwhile(d *PubSubDelivery) bool { return d.Seeks != d.Cursor.Seeks }

// wasLastTry: the failure that reaches the limit (PS-07).
func wasLastTry(d *PubSubDelivery, limit int64) bool { return limit > 0 && d.Attempt >= limit }

// miss counts a failed try (PS-07).
func miss(d *PubSubDelivery) {
	if d.Letter != nil {
		d.Letter.Attempts = d.Attempt
		return
	}
	d.Cursor.Attempts = d.Attempt
}

// park: behind those that are parked already (PS-07, PS-17).
func park(d *PubSubDelivery) {
	d.Cursor.Parked = append(d.Cursor.Parked, &PubSubLetter{d.Offset, d.Payload, d.Attempt})
}

// wasConfirmed: nothing else counts, and a seek or having left takes nothing off
// (PS-05, PS-08, PS-09).
func wasConfirmed(_ *PubSubDelivery, end PubSubEnd) bool { return end == ByConfirming }

// isDealtWith: a failure ends the turn unless it parks the message (PS-06,
// PS-07).
func isDealtWith(_ *PubSubDelivery, end PubSubEnd) bool {
	return end != ByFailing && end != ByFailingAfterSeek
}

// seek clears the failed tries, and a call under way moves nothing (PS-09).
func seek(c *PubSubCursor, offset int64) {
	c.Next, c.Attempts = offset, 0
	c.Seeks++
}

// redeliver: in the order of parking, with their tries counted afresh (PS-17).
func redeliver(c *PubSubCursor) int64 {
	n := len(c.Parked)
	for _, l := range c.Parked {
		l.Attempts = 0
		c.Again = append(c.Again, l)
	}
	c.Parked = nil
	return int64(n)
}
