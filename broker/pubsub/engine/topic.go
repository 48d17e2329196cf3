package engine

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/internal/offsetlog"
)

// A topic is the locked shell around a log and the cursors in it. Its lock is
// never held while a handler runs.
type topic struct {
	engine *Engine
	name   string
	retain int // messages kept; 0 for all

	mu       sync.Mutex // guards everything below, and every cursor
	closed   bool
	log      offsetlog.Log[string]
	subs     []*Subscription // in the order they subscribed
	byName   map[string]*Subscription
	cursors  map[CursorID]*cursor
	reasons  map[string]string // why names were disconnected
	blocking int               // how many of subs have the policy Block
	caughtUp []*cursor         // to be woken by the next message; only with workers
	room     chan struct{}     // closed when a publisher that waits should look again; nil while none does
}

// A Subscription is a name on a topic.
type Subscription struct {
	name   string
	tag    any
	cursor *cursor // its own, or its group's
	lane   *queue  // nil without lanes
}

// An Ender is a tag that wants to know when its subscription ends. End is called
// with locks held: it must neither wait nor call the engine.
type Ender interface{ End() }

func newTopic(e *Engine, name string, options TopicOptions) *topic {
	return &topic{
		engine: e, name: strings.Clone(name), retain: options.Retain,
		byName: map[string]*Subscription{}, cursors: map[CursorID]*cursor{}, reasons: map[string]string{},
	}
}

// lock locks an open topic.
func (t *topic) lock() error {
	t.mu.Lock()
	if t.closed {
		t.mu.Unlock()
		return broker.ErrClosed
	}
	return nil
}

// append keeps the payload and wakes those that had caught up.
func (t *topic) append(payload string) (int64, error) {
	offset, earliest := t.log.Next(), t.log.Base()
	if t.full() {
		earliest++
	}
	if err := t.engine.journal.Append(t.name, offset, payload, earliest); err != nil {
		return 0, err
	}
	t.log.Append(payload)
	if t.log.Base() < earliest {
		t.log.TrimFront()
	}
	t.wakeAll()
	return offset, nil
}

func (t *topic) full() bool { return t.retain > 0 && t.log.Len() >= t.retain }

// blocker is a subscription that needs the earliest message kept and lets no
// publisher remove it; nil where there is none (PS-13). A cursor without members
// holds up nobody (PS-14).
func (t *topic) blocker() *Subscription {
	if t.blocking == 0 {
		return nil
	}
	for _, s := range t.subs {
		if s.cursor.policy == Block && s.cursor.progress.Next <= t.log.Base() {
			return s
		}
	}
	return nil
}

// subscribe adds the subscription at the end of the log, or where its cursor is
// already (PS-02, PS-14, PS-15).
func (t *topic) subscribe(s *Subscription, o SubscribeOptions) error {
	if t.byName[s.name] != nil {
		return &broker.ArgumentError{Argument: "name", Reason: `"` + s.name + `" is in use on this topic`}
	}
	c, err := t.cursorFor(s.name, o)
	if err != nil {
		return err
	}
	c.policy = o.Policy
	c.add(s)
	s.cursor = c
	t.subs = append(t.subs, s)
	t.byName[s.name] = s
	delete(t.reasons, s.name)
	t.countBlocking(c, +1)
	t.wake(c)
	return nil
}

func (t *topic) cursorFor(name string, o SubscribeOptions) (*cursor, error) {
	id := CursorID{Name: name}
	if o.Group != nil {
		if t.cursors[id] != nil {
			return nil, &broker.ArgumentError{Argument: "name", Reason: `"` + name +
				`" is kept as a subscription without a group; unsubscribe it first`}
		}
		id = CursorID{Name: *o.Group, Group: true}
	}
	c := t.cursors[id]
	if c == nil {
		return t.newCursor(id)
	}
	if len(c.members) > 0 && c.policy != o.Policy {
		return nil, &broker.ArgumentError{Argument: "policy", Reason: `is not that of the group "` + id.Name + `"`}
	}
	return c, nil
}

func (t *topic) newCursor(id CursorID) (*cursor, error) {
	id.Name = strings.Clone(id.Name)
	c := &cursor{id: id, topic: t, progress: Progress{Next: t.log.Next()}}
	if err := t.engine.journal.Save(t.name, id, c.progress, nil, nil); err != nil {
		return nil, err
	}
	t.cursors[id] = c
	return c, nil
}

// unsubscribe removes the name: nothing is offered to it from now on (PS-08).
func (t *topic) unsubscribe(name string) (bool, error) {
	s := t.byName[name]
	c := t.find(name)
	delete(t.reasons, name)
	if c == nil {
		return false, nil
	}
	if !c.id.Group {
		if err := t.forget(c); err != nil {
			return false, err
		}
	}
	if s != nil {
		t.end(s)
	}
	return true, nil
}

// find is the cursor of a subscription, also of one that a journal kept and that
// has no handler yet.
func (t *topic) find(name string) *cursor {
	if s := t.byName[name]; s != nil {
		return s.cursor
	}
	return t.cursors[CursorID{Name: name}]
}

func (t *topic) forget(c *cursor) error {
	if err := t.engine.journal.Forget(t.name, c.id); err != nil {
		return err
	}
	c.gone = true
	t.stopRest(c)
	delete(t.cursors, c.id)
	return nil
}

// end takes a subscription off the topic and its cursor.
func (t *topic) end(s *Subscription) {
	delete(t.byName, s.name)
	i := slices.Index(t.subs, s)
	t.subs = slices.Delete(t.subs, i, i+1)
	c := s.cursor
	c.remove(s)
	if len(c.members) == 0 {
		t.unlist(c)
	}
	t.countBlocking(c, -1)
	s.close()
	if s.lane != nil && c.queued == s.lane { // another member's lane has its turn now
		c.queued = nil
		t.wake(c)
	}
	t.makeRoom()
}

func (s *Subscription) close() {
	if s.lane != nil {
		s.lane.close()
	}
	if e, ok := s.tag.(Ender); ok {
		e.End()
	}
}

// disconnect ends the subscriptions of a cursor that fell behind (PS-13). A
// group is forgotten with them: who names it next starts it at the end.
func (t *topic) disconnect(c *cursor) error {
	if err := t.forget(c); err != nil {
		return err
	}
	reason := lagging(c.progress.Next, t.log.Base())
	for _, s := range slices.Clone(c.members) {
		t.end(s)
		t.reasons[s.name] = reason
	}
	return nil
}

// catchUp does what the policy says where the message to be offered is no longer
// kept (PS-13).
func (t *topic) catchUp(c *cursor) error {
	switch {
	case len(c.members) == 0 || c.again() || c.progress.Next >= t.log.Base():
		return nil
	case c.policy == Disconnect:
		return t.disconnect(c)
	default:
		return t.keep(c, c.jumped(t.log.Base()))
	}
}

// offer hands out the message at the cursor's head, which is busy from then on;
// nil where there is none, or where it takes more bytes than room.
func (t *topic) offer(c *cursor, room int) (*Delivery, error) {
	if err := t.catchUp(c); err != nil {
		return nil, err
	}
	if !c.waits(&t.log) {
		return nil, nil
	}
	d := c.head(&t.log)
	if size := len(d.Topic) + len(d.Payload); size > room {
		return nil, RoomError(size)
	}
	c.busy = true
	t.engine.calls.begin()
	return d, nil
}

// settle takes the outcome of a call and reports whether the turn goes on.
func (t *topic) settle(d *Delivery, outcome Outcome, text string) (goesOn bool, err error) {
	c := d.cursor
	c.rotate(d.to)
	ch, goesOn := c.after(d, outcome, text, t.engine.options.MaxAttempts)
	if err := t.keep(c, ch); err != nil {
		return false, err
	}
	if outcome == Confirmed {
		c.backoff = 0
	}
	return goesOn, nil
}

// keep makes a change last, and then makes it.
func (t *topic) keep(c *cursor, ch change) error {
	if c.gone {
		return nil
	}
	if err := t.engine.journal.Save(t.name, c.id, ch.progress, ch.put, ch.drop); err != nil {
		return err
	}
	c.apply(ch)
	t.makeRoom()
	return nil
}

func (t *topic) seek(c *cursor, offset int64) error {
	if offset < t.log.Base() || offset > t.log.Next() {
		return outside(offset, t.log.Base(), t.log.Next())
	}
	ch := change{progress: Progress{Next: offset, Lost: c.progress.Lost}}
	if err := t.keep(c, ch); err != nil {
		return err
	}
	c.seeks++
	t.rouse(c)
	return nil
}

func (t *topic) redeliver(c *cursor) (int, error) {
	ch := c.redelivered()
	if len(ch.put) == 0 {
		return 0, nil
	}
	if err := t.keep(c, ch); err != nil {
		return 0, err
	}
	t.rouse(c)
	return len(ch.put), nil
}

func (t *topic) countBlocking(c *cursor, by int) {
	if c.policy == Block {
		t.blocking += by
	}
}

// await returns once the next message may be appended. It waits, without the
// lock, while a subscription needs the message that would go (PS-13).
func (t *topic) await(timeout time.Duration) error {
	p := patience{limit: timeout}
	defer p.end()
	for t.full() {
		by := t.blocker()
		if by == nil {
			return nil
		}
		if p.limit <= 0 {
			return fmt.Errorf("%w: topic %q is full and %q has not taken its earliest message", broker.ErrTimedOut, t.name, by.name)
		}
		if t.room == nil {
			t.room = make(chan struct{})
		}
		room := t.room
		t.mu.Unlock()
		select {
		case <-room:
		case <-p.over():
			p.limit = 0 // a last look
		}
		t.mu.Lock()
		if t.closed {
			return broker.ErrClosed
		}
	}
	return nil
}

// makeRoom lets publishers that wait look again.
func (t *topic) makeRoom() {
	if t.room != nil {
		close(t.room)
		t.room = nil
	}
}

// servable are the cursors with somebody to serve, in the order of a drain: a
// subscription's at its own place, a group's at that of its first member (PS-05,
// PS-14).
func (t *topic) servable() []*cursor {
	var list []*cursor
	for _, s := range t.subs {
		if s.cursor.members[0] == s {
			list = append(list, s.cursor)
		}
	}
	return list
}

// close ends everything on the topic.
func (t *topic) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.makeRoom()
	for _, s := range t.subs {
		s.close()
	}
	for _, c := range t.cursors {
		t.stopRest(c)
	}
}
