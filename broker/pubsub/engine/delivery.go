package engine

import (
	"time"
)

// A Delivery is a message handed out: a handler's call begins with it and ends
// when it is settled. Its fields are not to be changed.
type Delivery struct {
	Topic   string
	Offset  int64
	Payload string
	Attempt int  // which try of the message it is, from 1
	Tag     any  // of the subscription
	Spare   bool // pool: the host starts another worker thread before it calls the handler (PS-11)

	cursor *cursor
	to     *Subscription
	letter int64 // ID, or noLetter
	seeks  int   // of the cursor when the call began

	// Guarded by the topic's lock.
	queue    *queue // nil in a walk
	walk     *Walk  // nil elsewhere
	timeout  *time.Timer
	timedOut bool
	settled  bool
	goesOn   bool // whether the turn did, once settled or timed out
}

// Settle ends the delivery with its outcome. text says why it failed and is not
// read otherwise. It reports false where the thread that settles is one too many
// of a pool: it should end.
//
// The error is one of the journal's: the outcome could not be kept, so that the
// message stays where it is and is offered again. Settling twice does nothing.
// It may be called from any goroutine.
func (d *Delivery) Settle(outcome Outcome, text string) (stays bool, err error) {
	t := d.cursor.topic
	t.mu.Lock()
	defer t.mu.Unlock()
	if d.settled {
		return true, nil
	}
	d.settled = true
	if d.timedOut { // the later answer is ignored
		d.release()
		return !d.queue.returned(), nil
	}
	if d.timeout != nil {
		d.timeout.Stop()
	}
	d.goesOn, err = t.settle(d, outcome, text)
	d.release()
	if d.queue != nil {
		d.queue.ended()
	}
	t.engine.calls.end()
	return true, err
}

// Settled reports whether the delivery was settled.
func (d *Delivery) Settled() bool {
	d.cursor.topic.mu.Lock()
	defer d.cursor.topic.mu.Unlock()
	return d.settled
}

// TimedOut reports whether the delivery ran past its time-out (PS-11).
func (d *Delivery) TimedOut() bool {
	d.cursor.topic.mu.Lock()
	defer d.cursor.topic.mu.Unlock()
	return d.timedOut
}

// release lets go of the cursor, unless the walk goes on with it.
func (d *Delivery) release() {
	c := d.cursor
	if d.walk != nil {
		c.busy = d.goesOn && !d.walk.ended
		return
	}
	c.busy = false
	if d.goesOn {
		c.topic.wake(c)
	} else {
		c.topic.rest(c)
	}
}

// limitTo makes the call a failed try after a time, unless it ended (PS-11).
func (d *Delivery) limitTo(timeout time.Duration) {
	if timeout > 0 {
		d.timeout = time.AfterFunc(timeout, func() { d.expire("the handler took longer than " + timeout.String()) })
	}
}

// expire fails the delivery while its handler runs on: the cursor stays busy and
// the thread is lost until it returns.
func (d *Delivery) expire(text string) {
	t := d.cursor.topic
	t.mu.Lock()
	defer t.mu.Unlock()
	if d.settled {
		return
	}
	d.timedOut = true
	d.goesOn, _ = t.settle(d, Failed, text) // what could not be kept is offered again
	d.queue.timedOut()
	t.engine.calls.end()
}
