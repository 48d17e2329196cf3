package engine

import (
	"slices"
	"sync"

	"github.com/eventbroker/eventbroker/broker/internal/offsetlog"
)

// A queue holds the cursors that wait for a worker: that of a pool those of all
// subscriptions, that of a lane those whose turn its subscription has. Its lock
// comes after a topic's.
type queue struct {
	limit   int  // calls at once
	standby bool // a thread waits beyond the limit, to replace one that is lost

	mu      sync.Mutex // guards everything below
	closed  bool
	ready   offsetlog.Log[*cursor]
	idle    []chan struct{} // workers that wait; the last to come is the first to go
	running int             // calls that were taken and have neither ended nor timed out
	lost    int             // threads whose call timed out and still runs (PS-11)
	threads int             // that the host has
}

func newQueue(limit int, standby bool) *queue {
	q := &queue{limit: limit, standby: standby}
	q.threads = q.first()
	return q
}

// first is how many threads the host has to begin with: one a call, and one that
// stands by.
func (q *queue) first() int {
	if q.standby {
		return q.limit + 1
	}
	return q.limit
}

// wanted is how many it should have: those, and one more for each that is lost.
func (q *queue) wanted() int { return q.first() + q.lost }

func (q *queue) push(c *cursor) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.ready.Append(c)
	q.wake()
}

// take removes the first cursor, waiting for one as long as the patience lasts.
// It returns nil when none came in time.
func (q *queue) take(p *patience) (c *cursor, open bool) {
	for {
		c, open, woken := q.tryTake()
		if c != nil || !open {
			return c, open
		}
		select {
		case <-woken:
		case <-p.over():
			return nil, q.leave(woken)
		}
	}
}

// tryTake takes a cursor, or a place among those that wait.
func (q *queue) tryTake() (c *cursor, open bool, woken chan struct{}) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil, false, nil
	}
	if q.ready.Len() > 0 && q.running < q.limit {
		c = *q.ready.At(q.ready.Base())
		q.ready.TrimFront()
		q.running++
		return c, true, nil
	}
	woken = make(chan struct{})
	q.idle = append(q.idle, woken)
	return nil, true, woken
}

// leave gives up waiting. A wake-up that came meanwhile goes to somebody else.
func (q *queue) leave(woken chan struct{}) (open bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(q.idle, woken); i >= 0 {
		q.idle = slices.Delete(q.idle, i, i+1)
	} else {
		q.wake()
	}
	return !q.closed
}

// wake wakes one worker that waits, where there is something for it to do.
func (q *queue) wake() {
	if last := len(q.idle) - 1; last >= 0 && q.ready.Len() > 0 && q.running < q.limit {
		close(q.idle[last])
		q.idle = q.idle[:last]
	}
}

// took reports whether the host should start another thread, now that a call
// begins on this one.
func (q *queue) took() (spare bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.threads >= q.wanted() {
		return false
	}
	q.threads++
	return true
}

// ended says that a call is over, or that none came of a cursor taken.
func (q *queue) ended() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running--
	q.wake()
}

// timedOut says that the thread of a call is lost, for now.
func (q *queue) timedOut() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lost++
	q.running--
	q.wake()
}

// returned says that a lost thread is back, and reports whether it is one too
// many.
func (q *queue) returned() (surplus bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lost--
	if q.threads <= q.wanted() {
		return false
	}
	q.threads--
	return true
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	for _, woken := range q.idle {
		close(woken)
	}
	q.idle = nil
}
