// Package pubsub is the pub-sub broker: topics with one log each, and handlers
// that are given every message published after they subscribed, each at its own
// pace with an offset of its own. A message is offered again until the handler
// confirms it (at least once), or until it is given up as a dead letter.
//
// Whose goroutines run the handlers is the dispatcher's choice: [Synchronous],
// where only [Broker.Drain] delivers, so that tests do not depend on timing;
// [Lanes], a goroutine a subscription; or [Pool], a fixed number of goroutines
// for all of them. A slow or failing handler delays nobody but itself.
//
// A [Broker] may be used by any number of goroutines at once, and by its
// handlers. Every call takes effect at one point between its beginning and its
// end (PS-16).
//
// A call that fails returns an error and has changed nothing. The error is
// [broker.ErrClosed] after [Broker.Close]; a [*broker.ArgumentError], for which
// errors.Is(err, broker.ErrInvalidArgument) holds; [broker.ErrTimedOut] of a
// publish that may not wait longer; or one of the journal's, such as
// [broker.ErrDiskFull].
package pubsub

import (
	"context"

	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// Absent is what Publish and Offset answer where there is no such topic or
// subscription.
const Absent = engine.Absent

// NoLimit is the MaxAttempts with which a message is tried for ever.
const NoLimit = engine.NoLimit

// The dispatchers (PS-11).
const (
	Synchronous = engine.Synchronous
	Lanes       = engine.Lanes
	Pool        = engine.Pool
)

// The policies of a subscription whose next message is no longer kept (PS-13).
const (
	Drop       = engine.Drop
	Disconnect = engine.Disconnect
	Block      = engine.Block
)

// Options of a broker. The zero value is the default.
type Options = engine.Options

// A Dispatcher says whose goroutines run the handlers: [Synchronous], [Lanes] or
// [Pool].
type Dispatcher = engine.Dispatcher

// A Policy says what becomes of a subscription that falls behind the messages
// kept: [Drop], [Disconnect] or [Block].
type Policy = engine.Policy

// A Status is how a subscription stands.
type Status = engine.Status

// A Message is what a handler is given.
type Message struct {
	Topic   string
	Offset  int64
	Payload string
	Attempt int // which try of the message it is, from 1
}

// A Letter is a dead letter: a message that a subscription gave up.
type Letter struct {
	Offset   int64
	Payload  string
	Attempts int    // failed tries
	Error    string // of the last try
}

// A Handler is given a message and confirms it by returning nil. An error, a
// panic or [runtime.Goexit] is a failed try, and the message is offered again.
// It may call anything of the broker. The context is done when the subscription
// ends, the broker closes or the call has run for HandlerTimeout.
type Handler func(context.Context, Message) error

// A Filter reports whether a message is for the handler; others are passed over
// (PS-12). A panic is a failed try.
type Filter func(Message) bool

// A TopicOption is one of [Broker.CreateTopic].
type TopicOption func(*engine.TopicOptions)

// Retain keeps only the last n messages of the topic, from 1; 0 keeps all
// (PS-13).
func Retain(n int) TopicOption { return func(o *engine.TopicOptions) { o.Retain = n } }

// A SubscribeOption is one of [Broker.Subscribe].
type SubscribeOption func(*engine.SubscribeOptions, *subscriber)

// InGroup lets all subscriptions of the topic with this group share one place:
// each message goes to one of them (PS-14).
func InGroup(group string) SubscribeOption {
	return func(o *engine.SubscribeOptions, _ *subscriber) { o.Group = &group }
}

// Where gives the subscription only the messages that match; not in a group
// (PS-12).
func Where(filter Filter) SubscribeOption {
	return func(o *engine.SubscribeOptions, s *subscriber) { o.Filtered, s.filter = filter != nil, filter }
}

// WithPolicy says what becomes of the subscription when it falls behind the
// messages kept; [Drop] where it is not given (PS-13).
func WithPolicy(p Policy) SubscribeOption {
	return func(o *engine.SubscribeOptions, _ *subscriber) { o.Policy = p }
}
