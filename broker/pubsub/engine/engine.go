// Package engine is the pub-sub broker without its handlers: it says whose turn
// it is, hands out the message and takes the outcome. Threads of the host's
// language take deliveries, call the handler and settle; package pubsub does so
// for Go, and the bindings for the other languages.
//
// Every call takes effect at one point between its beginning and its end
// (PS-16). An [Engine] may be used by any number of goroutines at once. Only
// [Engine.Publish] and [Worker.Next] wait.
//
// A call that fails returns an error and has changed nothing. The error is
// [broker.ErrClosed] after [Engine.Close], a [*broker.ArgumentError], or one of
// the journal's, [broker.ErrDiskFull] say.
package engine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/eventbroker/eventbroker/broker"
)

// Absent is what Publish and Offset answer where there is no such topic or
// subscription.
const Absent = -1

// An Engine is a pub-sub broker without handlers. Make one with [New]. It must
// not be copied.
type Engine struct {
	options Options
	journal Journal
	pool    *queue // nil without a pool
	calls   calls
	closing sync.Once

	mu     sync.RWMutex // guards what follows; its lock comes before a topic's
	topics map[string]*topic
	order  []*topic // in the order they were created
	closed bool
}

// New returns an engine, empty or as its journal has it (PS-15). Where it fails,
// the journal is left open.
func New(options Options) (*Engine, error) {
	if err := options.check(); err != nil {
		return nil, err
	}
	e := &Engine{options: options, journal: options.Journal, topics: map[string]*topic{}}
	if e.journal == nil {
		e.journal = nowhere{}
	}
	e.calls.done = make(chan struct{})
	e.calls.atEnd = func() { _ = e.journal.Close() }
	if options.Dispatcher == Pool {
		e.pool = newQueue(options.Workers, options.HandlerTimeout > 0)
	}
	if err := e.load(); err != nil {
		return nil, err
	}
	return e, nil
}

func (e *Engine) hasWorkers() bool { return e.options.Dispatcher != Synchronous }

// Options are the engine's, with the defaults filled in.
func (e *Engine) Options() Options { return e.options }

// Pool is the worker of the pool, nil where the dispatcher is another.
func (e *Engine) Pool() *Worker {
	if e.pool == nil {
		return nil
	}
	return &Worker{e, e.pool}
}

// Close ends everything at once: no call begins from now on, and every other
// method fails with [broker.ErrClosed]. Deliveries under way can still be
// settled; Done says when all are. Closing twice is fine.
func (e *Engine) Close() { e.closing.Do(e.close) }

func (e *Engine) close() {
	for _, t := range e.shut() {
		t.close()
	}
	if e.pool != nil {
		e.pool.close()
	}
	e.calls.close() // now that no topic begins another
}

// shut takes the topics out.
func (e *Engine) shut() []*topic {
	e.mu.Lock()
	defer e.mu.Unlock()
	topics := e.order
	e.topics, e.order = nil, nil
	e.closed = true
	return topics
}

// Closed reports whether Close was called.
func (e *Engine) Closed() bool {
	e.mu.RLock()
	defer e.mu.RUnlock()
	return e.closed
}

// Done is closed once the engine is closed and no call is under way but those
// past their time-out (PS-11).
func (e *Engine) Done() <-chan struct{} { return e.calls.done }

// CreateTopic makes an empty topic. It reports false, and leaves the topic as it
// is, when one of that name exists (PS-01).
func (e *Engine) CreateTopic(topic string, options TopicOptions) (bool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return false, broker.ErrClosed
	}
	if err := broker.CheckIdentifier("topic", topic); err != nil {
		return false, err
	}
	if err := broker.CheckRange("retain", options.Retain, 0, MaxRetain); err != nil {
		return false, err
	}
	if e.topics[topic] != nil {
		return false, nil
	}
	t := newTopic(e, topic, options)
	if err := e.journal.CreateTopic(t.name, options); err != nil {
		return false, err
	}
	e.add(t)
	return true, nil
}

func (e *Engine) add(t *topic) {
	e.topics[t.name] = t
	e.order = append(e.order, t)
}

// Subscribe adds a subscription at the end of the topic, or where its group or
// the journal has it already (PS-02, PS-14, PS-15). Every delivery to it carries
// the tag. With lanes it returns the subscription's worker.
func (e *Engine) Subscribe(topic, name string, tag any, options SubscribeOptions) (*Worker, error) {
	t, err := e.find(topic, name)
	if err != nil {
		return nil, err
	}
	if err := options.check(e.options.Dispatcher); err != nil {
		return nil, err
	}
	if t == nil {
		return nil, broker.UnknownTopic(topic)
	}
	s := &Subscription{name: strings.Clone(name), tag: tag}
	if e.options.Dispatcher == Lanes {
		s.lane = newQueue(1, false)
	}
	if err := t.lock(); err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	if err := t.subscribe(s, options); err != nil || s.lane == nil {
		return nil, err
	}
	return &Worker{e, s.lane}, nil
}

// Unsubscribe ends a subscription and reports whether there was one. No call to
// it begins after this returned (PS-08).
func (e *Engine) Unsubscribe(topic, name string) (bool, error) {
	t, err := e.locked(topic, name)
	if t == nil {
		return false, err
	}
	defer t.mu.Unlock()
	return t.unsubscribe(name)
}

// TryPublish appends the payload, valid UTF-8 of at most MaxPayload bytes, and
// returns its offset, or [Absent] where there is no such topic (PS-01). It never
// waits: it fails with [broker.ErrTimedOut] where Publish would have to.
func (e *Engine) TryPublish(topic, payload string) (int64, error) {
	return e.Publish(topic, payload, 0)
}

// Publish is TryPublish, but where a subscription with the policy [Block] still
// needs the message that would be removed, it waits at most for the timeout
// (PS-13).
func (e *Engine) Publish(topic, payload string, timeout time.Duration) (int64, error) {
	t, err := e.lookUp(topic)
	if err != nil {
		return 0, err
	}
	if err := broker.CheckPayload(payload, e.options.MaxPayload); err != nil {
		return 0, err
	}
	if t == nil {
		return Absent, nil
	}
	if err := t.lock(); err != nil {
		return 0, err
	}
	defer t.mu.Unlock()
	if err := t.await(timeout); err != nil {
		return 0, err
	}
	return t.append(payload)
}

// Seek moves a subscription's place, or its group's, to an offset from the
// earliest message kept through the end, and reports whether there is such a
// subscription (PS-09).
func (e *Engine) Seek(topic, name string, offset int64) (bool, error) {
	t, err := e.find(topic, name)
	if err != nil {
		return false, err
	}
	if err := broker.CheckOffset(offset); err != nil || t == nil {
		return false, err
	}
	if err := t.lock(); err != nil {
		return false, err
	}
	defer t.mu.Unlock()
	c := t.find(name)
	if c == nil {
		return false, nil
	}
	err = t.seek(c, offset)
	return err == nil, err
}

// Offset is that of the message which a subscription, or its group, is to be
// offered next, or [Absent] (PS-04).
func (e *Engine) Offset(topic, name string) (int64, error) {
	s, err := e.Status(topic, name)
	return s.Offset, err
}

// DeadLetters are the messages that a subscription, or its group, gave up, in
// the order in which it did (PS-07, PS-16).
func (e *Engine) DeadLetters(topic, name string) ([]Letter, error) {
	t, err := e.locked(topic, name)
	if t == nil {
		return nil, err
	}
	defer t.mu.Unlock()
	if c := t.find(name); c != nil {
		return c.parked(), nil
	}
	return nil, nil
}

// Redeliver offers the dead letters of a subscription, or of its group, again,
// before anything else that waits, and returns how many they are (PS-17).
func (e *Engine) Redeliver(topic, name string) (int, error) {
	t, err := e.locked(topic, name)
	if t == nil {
		return 0, err
	}
	defer t.mu.Unlock()
	if c := t.find(name); c != nil {
		return t.redeliver(c)
	}
	return 0, nil
}

// A Status is how a subscription stands.
type Status struct {
	Subscribed bool   // whether it has a handler
	Offset     int64  // of the message to be offered next, or Absent
	Attempts   int    // failed tries of that message
	Lost       int64  // messages that were no longer kept when they would have been offered (PS-13)
	Reason     string // why it was disconnected; kept until the name subscribes or unsubscribes
}

// Status says how a subscription stands (PS-17).
func (e *Engine) Status(topic, name string) (Status, error) {
	t, err := e.locked(topic, name)
	if t == nil {
		return Status{Offset: Absent}, err
	}
	defer t.mu.Unlock()
	c := t.find(name)
	if c == nil {
		return Status{Offset: Absent, Reason: t.reasons[name]}, nil
	}
	return Status{
		Subscribed: t.byName[name] != nil,
		Offset:     c.progress.Next, Attempts: c.progress.Attempts, Lost: c.progress.Lost,
	}, nil
}

// Drain returns a walk over what waits now. With lanes and pool there is none to
// take: it wakes every subscription, also one in back-off, and returns nil
// (PS-11).
func (e *Engine) Drain() (*Walk, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		return nil, broker.ErrClosed
	}
	if !e.hasWorkers() {
		return &Walk{topics: e.order[:len(e.order):len(e.order)], fresh: true}, nil
	}
	for _, t := range e.order {
		t.rouseAll()
	}
	return nil, nil
}

// lookUp is the topic, nil where it is absent. Its name is judged first (PS-16).
func (e *Engine) lookUp(name string) (*topic, error) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	if e.closed {
		return nil, broker.ErrClosed
	}
	if t := e.topics[name]; t != nil { // only well-formed names are ever stored
		return t, nil
	}
	return nil, broker.CheckIdentifier("topic", name)
}

// find also judges the name of a subscription.
func (e *Engine) find(topicName, name string) (*topic, error) {
	t, err := e.lookUp(topicName)
	if err != nil {
		return nil, err
	}
	return t, broker.CheckIdentifier("name", name)
}

// locked is the topic, locked, or nil where it is absent or a name is malformed.
func (e *Engine) locked(topicName, name string) (*topic, error) {
	t, err := e.find(topicName, name)
	if t == nil || err != nil {
		return nil, err
	}
	if err := t.lock(); err != nil {
		return nil, err
	}
	return t, nil
}

// A RoomError says how many bytes the topic and the payload of a delivery take,
// which is more than the caller had room for. Nothing was handed out.
type RoomError int

func (e RoomError) Error() string { return "the delivery takes " + strconv.Itoa(int(e)) + " bytes" }

func isRoomError(err error) bool {
	var room RoomError
	return errors.As(err, &room)
}

func lagging(next, earliest int64) string {
	return fmt.Sprintf("its next message, %d, is no longer kept; the earliest is %d", next, earliest)
}

func outside(offset, earliest, end int64) error {
	return &broker.ArgumentError{Argument: "offset", Reason: fmt.Sprintf("%d is outside %d through %d", offset, earliest, end)}
}
