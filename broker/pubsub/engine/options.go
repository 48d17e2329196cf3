package engine

import (
	"math"
	"strings"
	"time"

	"github.com/eventbroker/eventbroker/broker"
)

// Limits and defaults of the options.
const (
	DefaultMaxAttempts  = 3              // tries of a message
	NoLimit             = math.MaxInt32  // a message is tried for ever; also the most that MaxAttempts may be
	DefaultWorkers      = 4              // of a pool
	MaxWorkers          = 1024           // of a pool
	DefaultBlockTimeout = time.Second    // how long a publisher waits under the policy Block
	MaxTimeout          = 24 * time.Hour // of a handler or a publisher
	MaxRetain           = math.MaxInt32  // messages of a topic
)

// A Dispatcher says whose threads run the handlers (PS-11).
type Dispatcher int

// The dispatchers.
const (
	Synchronous Dispatcher = iota // only a drain delivers, on the caller's thread
	Lanes                         // one worker a subscription
	Pool                          // a fixed number of workers for all of them
)

// A Policy says what becomes of a subscription whose next message is no longer
// kept, at the time it would be offered (PS-13).
type Policy int

// The policies.
const (
	Drop       Policy = iota // it jumps to the earliest message kept, and what was lost is counted
	Disconnect               // it ends, and the reason is kept
	Block                    // the message is kept: the publisher waits instead
)

// An Outcome is how a handler's call ended.
type Outcome int

// The outcomes.
const (
	Confirmed Outcome = iota // the handler took the message
	Failed                   // it did not, and is offered it again
	Filtered                 // the subscription's filter passed it over
)

// Options of an engine. The zero value is the default.
type Options struct {
	Dispatcher     Dispatcher
	Workers        int           // of a pool, from 1 through 1,024; 0 stands for 4. With another dispatcher it must be 0
	HandlerTimeout time.Duration // of a call in a pool, from 1 ms through 24 h; 0 for none. With another dispatcher it must be 0
	MaxAttempts    int           // tries of a message, from 1; 0 stands for 3, NoLimit for no limit (PS-07)
	BlockTimeout   time.Duration // how long a publish waits under the policy Block, from 1 ms through 24 h; 0 stands for 1 s
	MaxPayload     int           // bytes of a payload, from 1 through 1,048,576; 0 stands for 1,024
	Journal        Journal       // keeps what must outlive the process (PS-15); nil keeps nothing. The engine closes it
}

// TopicOptions of a topic. The zero value is the default.
type TopicOptions struct {
	Retain int // how many messages are kept, the last ones, from 1; 0 keeps all (PS-13)
}

// SubscribeOptions of a subscription. The zero value is the default.
type SubscribeOptions struct {
	Group    *string // shares its place with the subscriptions of the topic that name the same group (PS-14); nil for none
	Filtered bool    // whether the host filters its messages, which a group does not allow (PS-12, PS-14)
	Policy   Policy  // all of a group have the same
}

// Check judges the options as [New] does, before a journal is opened for them,
// say.
func (o Options) Check() error { return o.check() }

// check judges the options and fills in the defaults.
func (o *Options) check() error {
	if err := checkChoice("dispatcher", int(o.Dispatcher), "synchronous", "lanes", "pool"); err != nil {
		return err
	}
	if err := o.checkPool(); err != nil {
		return err
	}
	if o.MaxAttempts == 0 {
		o.MaxAttempts = DefaultMaxAttempts
	}
	if err := broker.CheckRange("max_attempts", o.MaxAttempts, 1, NoLimit); err != nil {
		return err
	}
	if o.BlockTimeout == 0 {
		o.BlockTimeout = DefaultBlockTimeout
	}
	if err := checkTimeout("block_timeout", o.BlockTimeout); err != nil {
		return err
	}
	var err error
	o.MaxPayload, err = broker.PayloadLimit(o.MaxPayload)
	return err
}

func (o *Options) checkPool() error {
	if o.Dispatcher != Pool {
		return o.checkNoPool()
	}
	if o.Workers == 0 {
		o.Workers = DefaultWorkers
	}
	if err := broker.CheckRange("workers", o.Workers, 1, MaxWorkers); err != nil {
		return err
	}
	if o.HandlerTimeout == 0 {
		return nil
	}
	return checkTimeout("handler_timeout", o.HandlerTimeout)
}

func (o *Options) checkNoPool() error {
	const reason = "is an option of the pool only"
	if o.Workers != 0 {
		return &broker.ArgumentError{Argument: "workers", Reason: reason}
	}
	if o.HandlerTimeout != 0 {
		return &broker.ArgumentError{Argument: "handler_timeout", Reason: reason}
	}
	return nil
}

func (o SubscribeOptions) check(dispatcher Dispatcher) error {
	if o.Group != nil {
		if err := broker.CheckIdentifier("group", *o.Group); err != nil {
			return err
		}
	}
	if err := checkChoice("policy", int(o.Policy), "drop", "disconnect", "block"); err != nil {
		return err
	}
	if o.Group != nil && o.Filtered {
		return &broker.ArgumentError{Argument: "filter", Reason: "is not allowed in a group"}
	}
	if o.Policy == Block && dispatcher == Synchronous {
		return &broker.ArgumentError{Argument: "policy", Reason: "block needs the dispatcher lanes or pool"}
	}
	return nil
}

func checkChoice(argument string, value int, names ...string) error {
	if 0 <= value && value < len(names) {
		return nil
	}
	return &broker.ArgumentError{Argument: argument, Reason: "is none of " + strings.Join(names, ", ")}
}

func checkTimeout(argument string, value time.Duration) error {
	if time.Millisecond <= value && value <= MaxTimeout {
		return nil
	}
	return &broker.ArgumentError{Argument: argument, Reason: value.String() + " is outside 1ms through " + MaxTimeout.String()}
}
