package engine

import "time"

// How long a cursor rests after a failure: twice as long as the last time, until
// a confirmation (PS-11).
const (
	shortestBackoff = 100 * time.Millisecond
	longestBackoff  = 10 * time.Second
)

// wake puts a cursor with something to offer into the queue of its workers, or
// else on the list of those that the next message wakes. Without workers it does
// nothing: a drain finds the cursor itself.
func (t *topic) wake(c *cursor) {
	if !t.engine.hasWorkers() || t.closed || len(c.members) == 0 || c.busy || c.queued != nil || c.resting != nil {
		return
	}
	if c.waits(&t.log) {
		t.unlist(c)
		c.queued = t.queueOf(c)
		c.queued.push(c)
		return
	}
	if c.listed == 0 {
		t.caughtUp = append(t.caughtUp, c)
		c.listed = len(t.caughtUp)
	}
}

// unlist takes a cursor off the list of those that have caught up; the last one
// there takes its place.
func (t *topic) unlist(c *cursor) {
	if c.listed == 0 {
		return
	}
	last := len(t.caughtUp) - 1
	moved := t.caughtUp[last]
	t.caughtUp[c.listed-1], moved.listed = moved, c.listed
	t.caughtUp[last], c.listed = nil, 0
	t.caughtUp = t.caughtUp[:last]
}

func (t *topic) queueOf(c *cursor) *queue {
	if lane := c.members[c.turn].lane; lane != nil {
		return lane
	}
	return t.engine.pool
}

// wakeAll wakes the cursors that had caught up. The message waits for each of
// them, so that none is listed again.
func (t *topic) wakeAll() {
	for _, c := range t.caughtUp {
		c.listed = 0
		t.wake(c)
	}
	clear(t.caughtUp)
	t.caughtUp = t.caughtUp[:0]
}

// putBack leaves a cursor that nothing was handed out from to the next message,
// or to a worker with more room. One that fell behind where the journal could not
// keep that is tried again later.
func (t *topic) putBack(c *cursor, err error) error {
	if err != nil && !isRoomError(err) {
		t.rest(c)
		return nil
	}
	t.wake(c)
	return err
}

// rest keeps a cursor from being offered for a while after a failure.
func (t *topic) rest(c *cursor) {
	if !t.engine.hasWorkers() || t.closed || c.gone {
		return
	}
	c.backoff = min(max(2*c.backoff, shortestBackoff), longestBackoff)
	var timer *time.Timer
	timer = time.AfterFunc(c.backoff, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if c.resting == timer {
			t.rouse(c)
		}
	})
	c.resting = timer
}

// rouse ends a cursor's rest, if it rests, and wakes it.
func (t *topic) rouse(c *cursor) {
	t.stopRest(c)
	t.wake(c)
}

func (t *topic) stopRest(c *cursor) {
	if c.resting != nil {
		c.resting.Stop()
		c.resting = nil
	}
}

// rouseAll ends every rest on the topic (PS-11).
func (t *topic) rouseAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range t.subs {
		t.rouse(s.cursor)
	}
}
