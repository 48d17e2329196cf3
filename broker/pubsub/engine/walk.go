package engine

import "github.com/eventbroker/eventbroker/broker"

// A Walk is one drain of the synchronous dispatcher, which hands out what waits,
// one delivery at a time (PS-05). It is for one goroutine; what it hands out may
// be settled by any.
type Walk struct {
	topics  []*topic  // whose turn is now, and those to come
	cursors []*cursor // of the first topic, to come
	fresh   bool      // the first topic's turn has not begun
	last    *Delivery
	ended   bool // guarded by the lock of the last delivery's topic
}

// Next hands out the next delivery, or nil at the end of the walk. The one
// before has to be settled: its outcome decides how the walk goes on. A delivery
// whose topic and payload take more bytes than room is not handed out and gives
// a [RoomError]. Any other error but [broker.ErrClosed] is one of the journal's,
// which could not keep where a subscription that fell behind stands (PS-13): its
// turn ended, and the walk goes on with the next call.
func (w *Walk) Next(room int) (*Delivery, error) {
	if w.last != nil && !w.last.Settled() {
		return nil, &broker.ArgumentError{Argument: "walk", Reason: "has a delivery that is not settled"}
	}
	for {
		d, err := w.offer(room)
		if d != nil || err != nil {
			return d, err
		}
		if !w.advance() {
			return nil, nil
		}
	}
}

// offer goes on with the cursor of the last delivery, or takes the next one of
// the topic.
func (w *Walk) offer(room int) (*Delivery, error) {
	if w.ended || len(w.topics) == 0 {
		return nil, nil
	}
	t := w.topics[0]
	if err := t.lock(); err != nil {
		return nil, err
	}
	defer t.mu.Unlock()
	if w.fresh {
		w.fresh, w.cursors = false, t.servable()
	}
	for len(w.cursors) > 0 {
		d, err := w.offerFrom(t, w.cursors[0], room)
		if d != nil || isRoomError(err) {
			return d, err
		}
		w.last = nil
		w.cursors = w.cursors[1:]
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// offerFrom offers from a cursor, unless somebody else has it (PS-10).
func (w *Walk) offerFrom(t *topic, c *cursor, room int) (*Delivery, error) {
	mine := w.last != nil
	if mine && !w.last.goesOn || !mine && c.busy {
		return nil, nil
	}
	d, err := t.offer(c, room)
	if d == nil {
		c.busy = mine && isRoomError(err) // it is offered the message once there is room
		return nil, err
	}
	d.walk = w
	w.last = d
	return d, nil
}

// advance goes on to the next topic.
func (w *Walk) advance() bool {
	if w.ended || len(w.topics) == 0 {
		return false
	}
	w.topics = w.topics[1:]
	w.fresh = true
	return true
}

// End ends the walk before its end. A delivery that it handed out may still be
// settled. Ending it twice is fine.
func (w *Walk) End() {
	if w.last == nil {
		w.ended = true
		return
	}
	c := w.last.cursor
	c.topic.mu.Lock()
	defer c.topic.mu.Unlock()
	if !w.ended && w.last.settled && w.last.goesOn {
		c.busy = false
	}
	w.ended = true
}
