// Package event is the EventBroker: topics made of bounded partition logs,
// consumer groups that divide the partitions among their members, exclusive
// ordered delivery with ack and retry, and rebalances that keep progress.
//
// Every call takes effect at one point between its beginning and its end, and
// none waits for a record, a member, room or another call's outcome (EB-15).
// A [Broker] may be used by any number of goroutines at once.
//
// A call that fails returns an error and has changed nothing (EB-04). The error
// is [broker.ErrClosed] after [Broker.Close] and otherwise a
// [*broker.ArgumentError], for which errors.Is(err, broker.ErrInvalidArgument)
// holds. Refused are a name that is no identifier (see
// [broker.CheckIdentifier]), a topic that does not exist, except by
// [Broker.Create], a partition that the topic does not have, and what the
// calls say themselves.
package event

import (
	"math/bits"

	"github.com/eventbroker/eventbroker/broker"
)

// Limits of the arguments.
const (
	MaxCapacity   = 1000 // records that a partition retains (EB-01)
	MaxPartitions = 64   // partitions of a topic (EB-02)
	MaxRecords    = 64   // records of one poll (EB-12)
)

// Full is what [Broker.Publish] returns in place of an offset when the
// partition retains as many records as it may (EB-05).
const Full = -1

// RecordOverhead is what a record counts in [Broker.AppendPollWithin] beside
// the bytes of its payload.
const RecordOverhead = 16

// A Record is one delivered record, a value of the caller's own (EB-16).
type Record struct {
	Topic     string
	Partition int   // from 0
	Offset    int64 // in its partition, from 0
	Payload   string
}

// Options of a broker. The zero value is the default.
type Options struct {
	// MaxPayload is how many bytes a payload may have, from 1 through
	// 1,048,576; 0 stands for 1,024.
	MaxPayload int
}

// A Broker is an in-memory event broker. Make one with [New]; the zero Broker
// is a closed one. It must not be copied.
type Broker struct {
	capacity   int
	maxPayload int
	topics     table
}

// New returns an empty broker whose partitions retain at most
// capacityPerPartition records each, from 1 through 1,000 (EB-01).
func New(capacityPerPartition int, options Options) (*Broker, error) {
	if err := broker.CheckRange("capacity_per_partition", capacityPerPartition, 1, MaxCapacity); err != nil {
		return nil, err
	}
	maxPayload, err := broker.PayloadLimit(options.MaxPayload)
	if err != nil {
		return nil, err
	}
	b := &Broker{capacity: capacityPerPartition, maxPayload: maxPayload}
	b.topics.open()
	return b, nil
}

// Close lets go of all topics; every later call fails with [broker.ErrClosed].
// Calls under way finish. Closing twice is fine. It always returns nil.
func (b *Broker) Close() error {
	b.topics.close()
	return nil
}

// Create makes a topic with the given number of empty partitions, from 1
// through 64. It reports false, and leaves the topic as it is, when one of that
// name exists (EB-02).
func (b *Broker) Create(topic string, partitionCount int) (bool, error) {
	if err := b.topics.checkOpen(); err != nil {
		return false, err
	}
	if err := broker.CheckIdentifier("topic", topic); err != nil {
		return false, err
	}
	if err := broker.CheckRange("partition_count", partitionCount, 1, MaxPartitions); err != nil {
		return false, err
	}
	return b.topics.add(newTopic(topic, partitionCount))
}

// Join adds the member to the group, which it makes if it is new (EB-06,
// EB-07), divides the partitions anew, and returns the member's own in
// ascending order, possibly none (EB-08). Joining again changes nothing (EB-09).
func (b *Broker) Join(topic, group, member string) ([]int, error) {
	partitions, _, err := b.JoinWithin(topic, group, member, MaxPartitions)
	return partitions, err
}

// JoinWithin is [Broker.Join] for a caller that has room for only so many
// partitions: where the topic has more, need says how many, and nothing
// happened. It is what a border with fixed buffers calls.
func (b *Broker) JoinWithin(topic, group, member string, room int) (partitions []int, need int, err error) {
	t, err := b.topics.find(topic)
	if err != nil {
		return nil, 0, err
	}
	if err := checkNames(group, member); err != nil {
		return nil, 0, err
	}
	if need = len(t.partitions); need > room {
		return nil, need, nil
	}
	return indices(t.join(group, member)), need, nil
}

// Leave removes the member from the group and divides the partitions anew
// among those left. The group stays, with its progress, also when it is empty
// (EB-11). It reports false when the group or the member is absent (EB-06).
func (b *Broker) Leave(topic, group, member string) (bool, error) {
	t, err := b.topics.find(topic)
	if err != nil {
		return false, err
	}
	if t.leave(group, member) {
		return true, nil
	}
	return false, checkNames(group, member)
}

// Publish appends the payload, valid UTF-8 of at most MaxPayload bytes, to the
// partition and returns its offset, or [Full] when the partition is full
// (EB-05).
func (b *Broker) Publish(topic string, partition int, payload string) (int64, error) {
	t, err := b.topics.find(topic)
	if err != nil {
		return 0, err
	}
	if err := t.checkPartition(partition); err != nil {
		return 0, err
	}
	if err := broker.CheckPayload(payload, b.maxPayload); err != nil {
		return 0, err
	}
	return t.publish(partition, payload, b.capacity), nil
}

// Poll reserves for the member at most maxRecords records, from 1 through 64:
// one from each of its partitions that has none in flight and has a record at
// the group's committed offset, in ascending order of partition (EB-12). It
// returns nothing for a group or member that is absent (EB-06).
func (b *Broker) Poll(topic, group, member string, maxRecords int) ([]Record, error) {
	return b.AppendPoll(nil, topic, group, member, maxRecords)
}

// AppendPoll is [Broker.Poll], appending to dst, which it returns as it was
// with an error: it allocates nothing when dst has room for the records.
func (b *Broker) AppendPoll(dst []Record, topic, group, member string, maxRecords int) ([]Record, error) {
	dst, _, err := b.AppendPollWithin(dst, topic, group, member, maxRecords, noLimit)
	return dst, err
}

// AppendPollWithin is [Broker.AppendPoll] for a caller with a buffer of only
// room bytes, 0 or more, in which each record takes its payload and
// [RecordOverhead]. It returns what the records need; where that is more than
// room, nothing was reserved. It is what a border with fixed buffers calls.
func (b *Broker) AppendPollWithin(dst []Record, topic, group, member string, maxRecords, room int) (records []Record, need int, err error) {
	t, err := b.topics.find(topic)
	if err != nil {
		return dst, 0, err
	}
	if err := broker.CheckRange("max_records", maxRecords, 1, MaxRecords); err != nil {
		return dst, 0, err
	}
	records, need, found := t.poll(dst, group, member, maxRecords, room)
	if !found {
		return dst, 0, checkNames(group, member)
	}
	return records, need, nil
}

// Ack commits the record that the member has in flight at exactly this
// partition and offset: the group's committed offset moves past it and the
// delivery ends. A record that every group of the topic has acknowledged is
// removed in the same instant (EB-14). It reports false, and changes nothing,
// when the member does not own the partition or that offset is not in flight. A
// negative offset is refused (EB-13).
func (b *Broker) Ack(topic, group, member string, partition int, offset int64) (bool, error) {
	return b.settle(topic, group, member, partition, offset, true)
}

// Retry ends the delivery of the record that the member has in flight at
// exactly this partition and offset without committing it: the next poll
// delivers it again. It reports false as [Broker.Ack] does (EB-13).
func (b *Broker) Retry(topic, group, member string, partition int, offset int64) (bool, error) {
	return b.settle(topic, group, member, partition, offset, false)
}

func (b *Broker) settle(topic, group, member string, partition int, offset int64, commit bool) (bool, error) {
	t, err := b.topics.find(topic)
	if err != nil {
		return false, err
	}
	if err := t.checkPartition(partition); err != nil {
		return false, err
	}
	if err := broker.CheckOffset(offset); err != nil {
		return false, err
	}
	if t.settle(group, member, partition, offset, commit) {
		return true, nil
	}
	return false, checkNames(group, member)
}

// checkNames judges what a look-up missed: only well-formed names are stored,
// so a call that found its group and member needs no such check.
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
