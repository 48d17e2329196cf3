// Package message is the message broker: topics with one retained log each,
// read by groups that have a cursor of their own, with a bounded number of
// deliveries a message and a list of dead letters a group.
//
// Every call takes effect at one point between its beginning and its end and
// none waits (MB-11). A [Broker] may be used by any number of goroutines at
// once.
//
// A call that fails returns an error and has changed nothing. The error is
// [broker.ErrClosed] after [Broker.Close] and otherwise a
// [*broker.ArgumentError], for which errors.Is(err, broker.ErrInvalidArgument)
// holds.
package message

import (
	"math"
	"sync"

	"github.com/eventbroker/eventbroker/broker"
)

// MaxAttempts is the highest limit of deliveries.
const MaxAttempts = math.MaxInt32

// A Delivery is one message handed to a group, a value of the caller's own.
type Delivery struct {
	Topic   string
	Offset  int64
	Payload string
	Attempt int // which delivery of this message to the group it is, from 1
}

// A DeadLetter is a message that a group gave up.
type DeadLetter struct {
	Topic    string
	Offset   int64
	Payload  string
	Attempts int // how often it was delivered
}

// Options of a broker. The zero value is the default.
type Options struct {
	// MaxPayload is how many bytes a payload may have, from 1 through
	// 1,048,576; 0 stands for 1,024.
	MaxPayload int
}

// A Broker is an in-memory message broker. Make one with [New]; the zero Broker
// is a closed one. It must not be copied.
type Broker struct {
	maxAttempts int
	maxPayload  int

	mu     sync.RWMutex      // guards topics
	topics map[string]*topic // nil once closed
}

// New returns an empty broker that delivers a message at most maxAttempts times
// to a group, the first time included, from 1 through 2,147,483,647 (MB-01).
func New(maxAttempts int, options Options) (*Broker, error) {
	if err := broker.CheckRange("max_attempts", maxAttempts, 1, MaxAttempts); err != nil {
		return nil, err
	}
	maxPayload, err := broker.PayloadLimit(options.MaxPayload)
	if err != nil {
		return nil, err
	}
	return &Broker{maxAttempts: maxAttempts, maxPayload: maxPayload, topics: map[string]*topic{}}, nil
}

// Close lets go of all topics; every later call fails with [broker.ErrClosed].
// Calls under way finish. Closing twice is fine. It always returns nil.
func (b *Broker) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.topics = nil
	return nil
}

// CreateTopic makes an empty topic. It reports false, and leaves the topic as it
// is, when one of that name exists (MB-02).
func (b *Broker) CreateTopic(topic string) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.topics == nil {
		return false, broker.ErrClosed
	}
	if err := broker.CheckIdentifier("topic", topic); err != nil {
		return false, err
	}
	if b.topics[topic] != nil {
		return false, nil
	}
	made := newTopic(topic)
	b.topics[made.name] = made
	return true, nil
}

// Publish appends the payload, valid UTF-8 of at most MaxPayload bytes, to the
// topic's log, which keeps it for good, and returns its offset, from 0 (MB-03).
func (b *Broker) Publish(topic, payload string) (int64, error) {
	t, err := b.find(topic)
	if err != nil {
		return 0, err
	}
	if err := broker.CheckPayload(payload, b.maxPayload); err != nil {
		return 0, err
	}
	return t.publish(payload), nil
}

// Poll returns the group's delivery in flight or, where there is none, delivers
// the message at the group's place; waits is false when nothing waits there. It
// makes the group if it is new, at offset 0 (MB-04, MB-05).
func (b *Broker) Poll(topic, group string) (d Delivery, waits bool, err error) {
	return b.PollWithin(topic, group, math.MaxInt)
}

// PollWithin is [Broker.Poll] for a caller that has room for only so many bytes
// of payload: where the payload is longer, nothing was delivered. Room below 0
// is not enough for an empty one either. It is what a border with fixed buffers
// calls.
func (b *Broker) PollWithin(topic, group string, room int) (d Delivery, waits bool, err error) {
	t, err := b.findFor(topic, group)
	if err != nil {
		return Delivery{}, false, err
	}
	d, waits = t.poll(group, room)
	return d, waits, nil
}

// Ack ends the delivery of exactly this offset and attempt and moves the group
// on to the next message. It reports false, and changes nothing, when that
// delivery is not the one in flight (MB-06).
func (b *Broker) Ack(topic, group string, offset int64, attempt int) (bool, error) {
	return b.settle(topic, group, offset, attempt, (*cursor).ack)
}

// Nack ends the delivery of exactly this offset and attempt: the next poll
// delivers the message again, with the next attempt. The nack of the last
// attempt that the broker allows adds it to the group's dead letters instead
// and moves the group on (MB-07, MB-08). It reports false as [Broker.Ack] does.
func (b *Broker) Nack(topic, group string, offset int64, attempt int) (bool, error) {
	return b.settle(topic, group, offset, attempt, func(c *cursor) { c.nack(b.maxAttempts) })
}

func (b *Broker) settle(topic, group string, offset int64, attempt int, end func(*cursor)) (bool, error) {
	t, err := b.findFor(topic, group)
	if err != nil {
		return false, err
	}
	if err := broker.CheckOffset(offset); err != nil {
		return false, err
	}
	if err := broker.CheckRange("attempt", attempt, 1, MaxAttempts); err != nil {
		return false, err
	}
	return t.settle(group, offset, attempt, end), nil
}

// DeadLetters returns the messages that the group gave up, in the order in which
// it did; an unknown group has none, and is not made (MB-10).
func (b *Broker) DeadLetters(topic, group string) ([]DeadLetter, error) {
	t, err := b.findFor(topic, group)
	if err != nil {
		return nil, err
	}
	return t.deadLetters(group), nil
}

func (b *Broker) find(name string) (*topic, error) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.topics == nil {
		return nil, broker.ErrClosed
	}
	if t := b.topics[name]; t != nil {
		return t, nil
	}
	return nil, broker.UnknownTopic(name)
}

// findFor also judges the group's name, which a poll may be about to keep.
func (b *Broker) findFor(topic, group string) (*topic, error) {
	t, err := b.find(topic)
	if err != nil {
		return nil, err
	}
	return t, broker.CheckIdentifier("group", group)
}
