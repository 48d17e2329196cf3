package engine

import (
	"time"

	"github.com/eventbroker/eventbroker/broker"
)

// A Worker is where threads of the host wait for deliveries: that of a lane is
// for one thread, that of a pool for as many as Threads says.
type Worker struct {
	engine *Engine
	queue  *queue
}

// Threads is how many threads the host starts to begin with.
func (w *Worker) Threads() int { return w.queue.first() }

// Next waits for a delivery, at most for the timeout, and returns nil when none
// came. It fails with [broker.ErrClosed] once the engine is closed or the lane's
// subscription has ended, and with a [RoomError] as [Walk.Next] does. It may be
// called from several goroutines at once.
func (w *Worker) Next(timeout time.Duration, room int) (*Delivery, error) {
	p := patience{limit: timeout}
	defer p.end()
	for {
		c, open := w.queue.take(&p)
		if !open {
			return nil, broker.ErrClosed
		}
		if c == nil {
			return nil, nil
		}
		d, err := w.offer(c, room)
		if d != nil {
			return d, nil
		}
		w.queue.ended()
		if err != nil {
			return nil, err
		}
	}
}

// offer hands out from a cursor that was taken from the queue. It may have moved
// to that of another lane since, or may have nothing to offer any more.
func (w *Worker) offer(c *cursor, room int) (*Delivery, error) {
	t := c.topic
	if err := t.lock(); err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	if c.queued != w.queue {
		return nil, nil
	}
	c.queued = nil
	d, err := t.offer(c, room)
	if d == nil {
		return nil, t.putBack(c, err)
	}
	d.queue = w.queue
	d.Spare = w.queue.took()
	d.limitTo(w.engine.options.HandlerTimeout)
	return d, nil
}
