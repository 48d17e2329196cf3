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
//
// Each call names its topic, and where it needs them its group and member. A
// caller that uses the same names again and again finds them once instead, with
// [Broker.Topic] and [Topic.Consumer] (EB-18): the calls of these do the same,
// and the calls of a Broker are made of them.
package event

import "github.com/eventbroker/eventbroker/broker"

// Limits of the arguments.
const (
	MaxCapacity   = 1000 // records that a partition retains (EB-01)
	MaxPartitions = 64   // partitions of a topic (EB-02)
	MaxRecords    = 64   // records of one poll (EB-12)
	MaxBatch      = 1024 // elements of one batch (EB-17)
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
// What a [Topic] or [Consumer] stands for is kept in memory as long as that is.
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

// Topic finds the topic once for all calls of the [Topic] that it returns.
func (b *Broker) Topic(name string) (*Topic, error) {
	t, err := b.topics.find(name)
	if err != nil {
		return nil, err
	}
	return &Topic{b, t}, nil
}

// consumer is one of names that are not judged yet, for a single call. It is
// short enough to be inlined, as it would not be with a literal.
func (b *Broker) consumer(topic, group, member string) (c Consumer, err error) {
	c.topic.broker, c.group, c.member = b, group, member
	c.topic.topic, err = b.topics.find(topic)
	return
}

// Join is [Consumer.Join].
func (b *Broker) Join(topic, group, member string) ([]int, error) {
	c, err := b.consumer(topic, group, member)
	if err != nil {
		return nil, err
	}
	return c.Join()
}

// JoinWithin is [Consumer.JoinWithin].
func (b *Broker) JoinWithin(topic, group, member string, room int) (partitions []int, need int, err error) {
	c, err := b.consumer(topic, group, member)
	if err != nil {
		return nil, 0, err
	}
	return c.JoinWithin(room)
}

// Leave is [Consumer.Leave].
func (b *Broker) Leave(topic, group, member string) (bool, error) {
	c, err := b.consumer(topic, group, member)
	if err != nil {
		return false, err
	}
	return c.Leave()
}

// Publish is [Topic.Publish].
func (b *Broker) Publish(topic string, partition int, payload string) (int64, error) {
	found, err := b.topics.find(topic)
	if err != nil {
		return 0, err
	}
	t := Topic{b, found}
	return t.Publish(partition, payload)
}

// PublishMany is [Topic.PublishMany].
func (b *Broker) PublishMany(topic string, messages []Message) ([]int64, error) {
	found, err := b.topics.find(topic)
	if err != nil {
		return nil, err
	}
	t := Topic{b, found}
	return t.PublishMany(messages)
}

// Poll is [Consumer.Poll].
func (b *Broker) Poll(topic, group, member string, maxRecords int) ([]Record, error) {
	return b.AppendPoll(nil, topic, group, member, maxRecords)
}

// AppendPoll is [Consumer.AppendPoll].
func (b *Broker) AppendPoll(dst []Record, topic, group, member string, maxRecords int) ([]Record, error) {
	c, err := b.consumer(topic, group, member)
	if err != nil {
		return dst, err
	}
	return c.AppendPoll(dst, maxRecords)
}

// AppendPollWithin is [Consumer.AppendPollWithin].
func (b *Broker) AppendPollWithin(dst []Record, topic, group, member string, maxRecords, room int) (records []Record, need int, err error) {
	c, err := b.consumer(topic, group, member)
	if err != nil {
		return dst, 0, err
	}
	return c.AppendPollWithin(dst, maxRecords, room)
}

// Ack is [Consumer.Ack].
func (b *Broker) Ack(topic, group, member string, partition int, offset int64) (bool, error) {
	c, err := b.consumer(topic, group, member)
	if err != nil {
		return false, err
	}
	return c.Ack(partition, offset)
}

// AckMany is [Consumer.AckMany].
func (b *Broker) AckMany(topic, group, member string, positions []Position) ([]bool, error) {
	return b.AppendAckMany(nil, topic, group, member, positions)
}

// AppendAckMany is [Consumer.AppendAckMany].
func (b *Broker) AppendAckMany(dst []bool, topic, group, member string, positions []Position) ([]bool, error) {
	c, err := b.consumer(topic, group, member)
	if err != nil {
		return dst, err
	}
	return c.AppendAckMany(dst, positions)
}

// Retry is [Consumer.Retry].
func (b *Broker) Retry(topic, group, member string, partition int, offset int64) (bool, error) {
	c, err := b.consumer(topic, group, member)
	if err != nil {
		return false, err
	}
	return c.Retry(partition, offset)
}
