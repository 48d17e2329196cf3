package event

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/eventbroker/eventbroker/broker"
)

// A Topic is a topic that was found once, by [Broker.Topic]. It may be used by
// any number of goroutines at once, and is of no use when its broker is closed;
// the zero Topic is of a closed one.
//
// Its calls, and those of [Consumer], judge their arguments and then do all that
// they do under the topic's lock. The hot ones unlock by hand: a deferred unlock
// costs a third of a lock.
type Topic struct {
	broker *Broker
	topic  *topic
}

// A Message is what [Topic.PublishMany] appends to a partition.
type Message struct {
	Partition int    // from 0
	Payload   string // valid UTF-8 of at most MaxPayload bytes
}

// Name is the name of the topic, which the zero Topic does not have.
func (t *Topic) Name() string {
	if t.topic == nil {
		return ""
	}
	return t.topic.name
}

// Consumer gives the calls of a member without the names: it does not join, and
// none need be a member. It fails only for names that are no identifiers.
func (t *Topic) Consumer(group, member string) (*Consumer, error) {
	if err := t.checkOpen(); err != nil {
		return nil, err
	}
	if err := checkNames(group, member); err != nil {
		return nil, err
	}
	return &Consumer{topic: *t, group: strings.Clone(group), member: strings.Clone(member)}, nil
}

// Join is [Topic.Consumer] and [Consumer.Join] in one.
func (t *Topic) Join(group, member string) (*Consumer, error) {
	c, err := t.Consumer(group, member)
	if err != nil {
		return nil, err
	}
	_, err = c.Join()
	return c, err
}

// Publish appends the payload, valid UTF-8 of at most MaxPayload bytes, to the
// partition and returns its offset, or [Full] when the partition is full
// (EB-05).
func (t *Topic) Publish(partition int, payload string) (int64, error) {
	if err := t.checkOpen(); err != nil {
		return 0, err
	}
	if err := t.topic.checkPartition(partition); err != nil {
		return 0, err
	}
	if err := broker.CheckPayload(payload, t.broker.maxPayload); err != nil {
		return 0, err
	}
	t.topic.mu.Lock()
	offset := t.topic.append(partition, payload, t.broker.capacity)
	t.topic.mu.Unlock()
	return offset, nil
}

// PublishMany does what [Topic.Publish] would do with each message in turn, at
// one point, and returns what each got. There may be [MaxBatch] messages, and
// all are judged before anything happens (EB-17).
func (t *Topic) PublishMany(messages []Message) ([]int64, error) {
	return t.AppendPublishMany(nil, messages)
}

// AppendPublishMany is [Topic.PublishMany], appending to dst, which it returns
// as it was with an error.
func (t *Topic) AppendPublishMany(dst []int64, messages []Message) ([]int64, error) {
	if err := t.checkOpen(); err != nil {
		return dst, err
	}
	if err := broker.CheckCount("messages", len(messages), MaxBatch); err != nil {
		return dst, err
	}
	for i := range messages {
		if err := t.checkMessage(&messages[i]); err != nil {
			return dst, ofElement(err, "messages", "message", i)
		}
	}
	dst = slices.Grow(dst, len(messages))
	t.topic.mu.Lock()
	defer t.topic.mu.Unlock()
	for i := range messages {
		dst = append(dst, t.topic.append(messages[i].Partition, messages[i].Payload, t.broker.capacity))
	}
	return dst, nil
}

func (t *Topic) checkMessage(m *Message) error {
	if err := t.topic.checkPartition(m.Partition); err != nil {
		return err
	}
	return broker.CheckPayload(m.Payload, t.broker.maxPayload)
}

func (t *Topic) checkOpen() error {
	if t.broker == nil {
		return broker.ErrClosed
	}
	return t.broker.topics.checkOpen()
}

// ofElement says of which element of a batch an argument was refused.
func ofElement(err error, argument, element string, index int) error {
	var refused *broker.ArgumentError
	errors.As(err, &refused) // no other is what a check returns
	return &broker.ArgumentError{Argument: argument,
		Reason: refused.Argument + " of " + element + " " + strconv.Itoa(index) + ": " + refused.Reason}
}
