package pubsub

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// A subscriber is the handler behind a subscription.
type subscriber struct {
	handler Handler
	filter  Filter // nil for none
	ctx     context.Context
	cancel  context.CancelFunc
}

// End makes a subscriber an [engine.Ender].
func (s *subscriber) End() { s.cancel() }

// A call is one delivery on its way through a handler.
type call struct {
	delivery *engine.Delivery
	outcome  engine.Outcome
	stays    bool  // whether the worker goes on, once settled
	err      error // why the outcome could not be kept
}

// run calls the handler and settles. Where the handler panics, the call has
// failed; where it ends the goroutine, so it has, and the goroutine ends (PS-03).
func (c *call) run(timeout time.Duration) {
	c.outcome = engine.Failed
	text := "the handler ended its goroutine"
	defer func() { c.stays, c.err = c.delivery.Settle(c.outcome, text) }()
	defer func() {
		if cause := recover(); cause != nil {
			text = panicText(cause) // is the handler's own code, too, and may end the goroutine
		}
	}()
	var outcome engine.Outcome
	outcome, text = c.delivery.Tag.(*subscriber).handle(c.delivery, timeout)
	c.outcome = outcome
}

// panicText is what is kept of a panic. fmt says what the panic of a String method
// is, but not what that one's is.
func panicText(cause any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("panic: a %T, whose text panics", cause)
		}
	}()
	return fmt.Sprint("panic: ", cause)
}

// confirmed counts the message where it is confirmed, and that could be kept.
func (c *call) confirmed() int {
	if c.outcome == engine.Confirmed && c.err == nil {
		return 1
	}
	return 0
}

// handle is what a subscriber makes of a message.
func (s *subscriber) handle(d *engine.Delivery, timeout time.Duration) (engine.Outcome, string) {
	if timeout > 0 && d.TimedOut() { // already, and whoever closes the broker may count on this goroutine's end
		return engine.Failed, ""
	}
	m := Message{d.Topic, d.Offset, d.Payload, d.Attempt}
	if s.filter != nil && !s.filter(m) {
		return engine.Filtered, ""
	}
	ctx := s.ctx
	if timeout > 0 {
		limited, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		ctx = limited
	}
	if err := s.handler(ctx, m); err != nil {
		return engine.Failed, err.Error()
	}
	return engine.Confirmed, ""
}

// runName is the function that is on the stack of every handler and filter.
const runName = "github.com/eventbroker/eventbroker/broker/pubsub.(*call).run"

// insideHandler reports whether the caller runs in a handler or filter of some
// pub-sub broker, on its own goroutine: there nothing waits, since it might wait
// for itself. It walks the stack, and is asked only where a call is about to
// wait.
func insideHandler() bool {
	pcs := make([]uintptr, 64)
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs)
		if n == 0 {
			return false
		}
		if onStack(pcs[:n]) {
			return true
		}
	}
}

func onStack(pcs []uintptr) bool {
	frames := runtime.CallersFrames(pcs)
	for {
		frame, more := frames.Next()
		if frame.Function == runName {
			return true
		}
		if !more {
			return false
		}
	}
}
