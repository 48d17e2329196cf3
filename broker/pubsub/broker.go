package pubsub

import (
	"context"
	"errors"
	"math"
	"sync"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// A Broker is a pub-sub broker with handlers in Go. Make one with [New]. It must
// not be copied.
type Broker struct {
	engine *engine.Engine
	ctx    context.Context // of all handlers
	cancel context.CancelFunc

	mu      sync.Mutex // guards workers; held from before a lane is made until its worker is there
	workers map[*worker]struct{}
}

// New returns a broker, empty or as its journal has it (PS-15). Where it fails,
// the journal is left open.
func New(options Options) (*Broker, error) {
	e, err := engine.New(options)
	if err != nil {
		return nil, err
	}
	b := &Broker{engine: e, workers: map[*worker]struct{}{}}
	b.ctx, b.cancel = context.WithCancel(context.Background())
	if pool := e.Pool(); pool != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		for range pool.Threads() {
			b.start(pool)
		}
	}
	return b, nil
}

// Close ends the broker: no handler call begins from now on, the context of the
// handlers is done, publishers that wait fail, and every later call fails with
// [broker.ErrClosed]. It returns when the calls under way have ended, but does
// not wait for those past their time-out, nor for any inside a handler of a
// pub-sub broker (PS-08, PS-11). It leaves no goroutine but those. Closing twice
// is fine. It always returns nil.
func (b *Broker) Close() error {
	b.engine.Close()
	b.cancel()
	if insideHandler() {
		return nil
	}
	<-b.engine.Done()
	for b.waitForWorkers() { // one that its handler ended has started another
	}
	return nil
}

// CreateTopic makes an empty topic. It reports false, and leaves the topic as it
// is, when one of that name exists (PS-01).
func (b *Broker) CreateTopic(topic string, options ...TopicOption) (bool, error) {
	var o engine.TopicOptions
	for _, set := range options {
		set(&o)
	}
	return b.engine.CreateTopic(topic, o)
}

// Subscribe adds a handler under a name that is not in use on the topic. It is
// given what is published from now on (PS-02), unless it joins a group, which
// stands where it is (PS-14), or a journal kept a subscription of that name,
// which goes on (PS-15).
func (b *Broker) Subscribe(topic, name string, handler Handler, options ...SubscribeOption) error {
	s := &subscriber{handler: handler}
	var o engine.SubscribeOptions
	for _, set := range options {
		set(&o, s)
	}
	if handler == nil && !b.engine.Closed() {
		return &broker.ArgumentError{Argument: "handler", Reason: "is nil"}
	}
	s.ctx, s.cancel = context.WithCancel(b.ctx)
	err := b.subscribe(topic, name, s, o)
	if err != nil {
		s.cancel()
	}
	return err
}

func (b *Broker) subscribe(topic, name string, s *subscriber, o engine.SubscribeOptions) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	lane, err := b.engine.Subscribe(topic, name, s, o)
	if lane != nil {
		b.start(lane)
	}
	return err
}

// Unsubscribe ends a subscription and reports whether there was one. No call of
// its handler begins after this returned, and the context of one under way is
// done (PS-08).
func (b *Broker) Unsubscribe(topic, name string) (bool, error) {
	return b.engine.Unsubscribe(topic, name)
}

// Publish appends the payload, valid UTF-8 of at most MaxPayload bytes, to the
// topic's log and returns its offset, from 0, or [Absent] where there is no such
// topic (PS-01). It never calls a handler nor waits for one, except on a topic
// that is full while a subscription with the policy [Block] still needs the
// message that would go: then it waits up to BlockTimeout, and fails with
// [broker.ErrTimedOut], at once inside a handler of a pub-sub broker (PS-13).
func (b *Broker) Publish(topic, payload string) (int64, error) {
	offset, err := b.engine.TryPublish(topic, payload)
	if errors.Is(err, broker.ErrTimedOut) && !insideHandler() {
		return b.engine.Publish(topic, payload, b.engine.Options().BlockTimeout)
	}
	return offset, err
}

// TryPublish is Publish, but fails with [broker.ErrTimedOut] where Publish would
// wait.
func (b *Broker) TryPublish(topic, payload string) (int64, error) {
	return b.engine.TryPublish(topic, payload)
}

// Drain gives every subscription what waits for it, on the caller's goroutine:
// topic by topic in the order they were created, subscription by subscription in
// the order they subscribed, each until it has caught up, fails or ends. It
// returns how many messages were confirmed (PS-05). A handler may drain, too: it
// passes over the subscriptions that are being served (PS-10).
//
// With lanes and pool it wakes every subscription, also one in back-off, and
// returns 0 at once (PS-11).
//
// The error is that of a journal that could not keep an outcome, or where a
// subscription that fell behind stands: its turn ended, the message is offered
// again, and the drain went on with the others.
func (b *Broker) Drain() (confirmed int, err error) {
	walk, err := b.engine.Drain()
	if walk == nil {
		return 0, err
	}
	defer walk.End() // a handler may end the goroutine
	for {
		d, lost := walk.Next(math.MaxInt)
		if d == nil && lost == nil || errors.Is(lost, broker.ErrClosed) {
			return confirmed, err
		}
		if d != nil {
			c := call{delivery: d}
			c.run(0)
			confirmed += c.confirmed()
			lost = c.err
		}
		err = errors.Join(err, lost)
	}
}

// Seek moves a subscription's place, or its group's, to an offset from the
// earliest message kept through the end, clears its failed tries, and reports
// whether there is such a subscription (PS-09).
func (b *Broker) Seek(topic, name string, offset int64) (bool, error) {
	return b.engine.Seek(topic, name, offset)
}

// Offset is that of the message which a subscription, or its group, is to be
// offered next, or [Absent] (PS-04).
func (b *Broker) Offset(topic, name string) (int64, error) { return b.engine.Offset(topic, name) }

// DeadLetters are the messages that a subscription, or its group, gave up, in
// the order in which it did; an unknown one has none (PS-07, PS-16).
func (b *Broker) DeadLetters(topic, name string) ([]Letter, error) {
	kept, err := b.engine.DeadLetters(topic, name)
	letters := make([]Letter, len(kept))
	for i, l := range kept {
		letters[i] = Letter{l.Offset, l.Payload, l.Attempts, l.Error}
	}
	return letters, err
}

// Redeliver offers the dead letters of a subscription, or of its group, again,
// in the order of parking and before anything else that waits, with their tries
// counted afresh, and returns how many they are (PS-17).
func (b *Broker) Redeliver(topic, name string) (int, error) { return b.engine.Redeliver(topic, name) }

// Status says how a subscription stands (PS-17).
func (b *Broker) Status(topic, name string) (Status, error) { return b.engine.Status(topic, name) }
