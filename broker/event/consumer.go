package event

import (
	"math/bits"
	"slices"

	"github.com/eventbroker/eventbroker/broker"
)

// A Consumer is a member's way to its topic, given by [Topic.Consumer] or
// [Topic.Join]. It stands for the names and not for a membership: it may be made
// before the member joined, and used again after it left (EB-18). It may be used
// by any number of goroutines at once, and must not be copied. The zero Consumer
// is one of a closed broker.
type Consumer struct {
	topic         Topic
	group, member string
	seat          *member // where the names were found last; guarded by the topic's lock
}

// A Position is where a record stands.
type Position struct {
	Partition int   // from 0
	Offset    int64 // in its partition, from 0
}

// Join adds the member to the group, which it makes if it is new (EB-06,
// EB-07), divides the partitions anew, and returns the member's own in
// ascending order, possibly none (EB-08). Joining again changes nothing (EB-09).
func (c *Consumer) Join() ([]int, error) {
	partitions, _, err := c.JoinWithin(MaxPartitions)
	return partitions, err
}

// JoinWithin is [Consumer.Join] for a caller that has room for only so many
// partitions: where the topic has more, need says how many, and nothing
// happened. It is what a border with fixed buffers calls.
func (c *Consumer) JoinWithin(room int) (partitions []int, need int, err error) {
	if err := c.topic.checkOpen(); err != nil {
		return nil, 0, err
	}
	if err := checkNames(c.group, c.member); err != nil {
		return nil, 0, err
	}
	t := c.topic.topic
	if need = len(t.partitions); need > room {
		return nil, need, nil
	}
	t.mu.Lock()
	owned := t.join(c.group, c.member)
	t.mu.Unlock()
	return indices(owned), need, nil
}

// Leave removes the member from the group and divides the partitions anew
// among those left. The group stays, with its progress, also when it is empty
// (EB-11). It reports false when the group or the member is absent (EB-06).
func (c *Consumer) Leave() (bool, error) {
	if err := c.topic.checkOpen(); err != nil {
		return false, err
	}
	t := c.topic.topic
	t.mu.Lock()
	m := t.find(c)
	if m != nil {
		m.group.leave(m)
	}
	t.mu.Unlock()
	return m != nil, c.checkMissed(m)
}

// Poll reserves for the member at most maxRecords records, from 1 through 64:
// one from each of its partitions that has none in flight and has a record at
// the group's committed offset, in ascending order of partition (EB-12). It
// returns nothing for a group or member that is absent (EB-06).
func (c *Consumer) Poll(maxRecords int) ([]Record, error) { return c.AppendPoll(nil, maxRecords) }

// AppendPoll is [Consumer.Poll], appending to dst, which it returns as it was
// with an error: it allocates nothing when dst has room for the records.
func (c *Consumer) AppendPoll(dst []Record, maxRecords int) ([]Record, error) {
	dst, _, err := c.AppendPollWithin(dst, maxRecords, noLimit)
	return dst, err
}

// AppendPollWithin is [Consumer.AppendPoll] for a caller with a buffer of only
// room bytes, 0 or more, in which each record takes its payload and
// [RecordOverhead]. It returns what the records need; where that is more than
// room, nothing was reserved. It is what a border with fixed buffers calls.
func (c *Consumer) AppendPollWithin(dst []Record, maxRecords, room int) (records []Record, need int, err error) {
	if err := c.topic.checkOpen(); err != nil {
		return dst, 0, err
	}
	if err := broker.CheckRange("max_records", maxRecords, 1, MaxRecords); err != nil {
		return dst, 0, err
	}
	t := c.topic.topic
	t.mu.Lock()
	m := t.find(c)
	if m != nil {
		dst, need = t.reserve(dst, m, maxRecords, room)
	}
	t.mu.Unlock()
	return dst, need, c.checkMissed(m)
}

// Ack commits the record that the member has in flight at exactly this
// partition and offset: the group's committed offset moves past it and the
// delivery ends. A record that every group of the topic has acknowledged is
// removed in the same instant (EB-14). It reports false, and changes nothing,
// when the member does not own the partition or that offset is not in flight. A
// negative offset is refused (EB-13).
func (c *Consumer) Ack(partition int, offset int64) (bool, error) {
	return c.settle(partition, offset, true)
}

// Retry ends the delivery of the record that the member has in flight at
// exactly this partition and offset without committing it: the next poll
// delivers it again. It reports false as [Consumer.Ack] does (EB-13).
func (c *Consumer) Retry(partition int, offset int64) (bool, error) {
	return c.settle(partition, offset, false)
}

func (c *Consumer) settle(partition int, offset int64, commit bool) (bool, error) {
	if err := c.topic.checkOpen(); err != nil {
		return false, err
	}
	if err := c.topic.topic.checkPosition(partition, offset); err != nil {
		return false, err
	}
	t := c.topic.topic
	t.mu.Lock()
	m := t.find(c)
	ended := m != nil && t.end(m, partition, offset, commit)
	t.mu.Unlock()
	return ended, c.checkMissed(m)
}

// AckMany does what [Consumer.Ack] would do with each position in turn, at one
// point, and reports which were committed. There may be [MaxBatch] positions,
// and all are judged before anything happens (EB-17).
func (c *Consumer) AckMany(positions []Position) ([]bool, error) {
	return c.AppendAckMany(nil, positions)
}

// AppendAckMany is [Consumer.AckMany], appending to dst, which it returns as it
// was with an error.
func (c *Consumer) AppendAckMany(dst []bool, positions []Position) ([]bool, error) {
	if err := c.topic.checkOpen(); err != nil {
		return dst, err
	}
	if err := broker.CheckCount("positions", len(positions), MaxBatch); err != nil {
		return dst, err
	}
	for i, p := range positions {
		if err := c.topic.topic.checkPosition(p.Partition, p.Offset); err != nil {
			return dst, ofElement(err, "positions", "position", i)
		}
	}
	acked := slices.Grow(dst, len(positions))
	t := c.topic.topic
	t.mu.Lock()
	m := t.find(c)
	if m == nil {
		t.mu.Unlock()
		if err := checkNames(c.group, c.member); err != nil {
			return dst, err
		}
		return append(acked, make([]bool, len(positions))...), nil
	}
	for _, p := range positions {
		acked = append(acked, t.end(m, p.Partition, p.Offset, true))
	}
	t.mu.Unlock()
	return acked, nil
}

// checkMissed judges the names of a member that was not found: only well-formed
// ones are stored, so a call that found its group and member needs no such check.
func (c *Consumer) checkMissed(m *member) error {
	if m != nil {
		return nil
	}
	return checkNames(c.group, c.member)
}

func checkNames(group, member string) error {
	if err := broker.CheckIdentifier("group", group); err != nil {
		return err
	}
	return broker.CheckIdentifier("member", member)
}

// indices lists the bits of a set of partitions in ascending order.
func indices(set uint64) []int {
	list := make([]int, 0, bits.OnesCount64(set))
	for ; set != 0; set &= set - 1 {
		list = append(list, bits.TrailingZeros64(set))
	}
	return list
}
