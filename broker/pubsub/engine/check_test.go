package engine

import (
	"errors"
	"fmt"
	"slices"
)

// check walks the whole engine and returns the first invariant of package
// broker's documentation that does not hold. It may run among other calls: it
// holds every lock at once.
func (e *Engine) check() error {
	e.mu.RLock()
	defer e.mu.RUnlock()
	for _, t := range e.order {
		t.mu.Lock()
		defer t.mu.Unlock()
	}
	if len(e.topics) != len(e.order) {
		return fmt.Errorf("%d topics in order, %d by name", len(e.order), len(e.topics))
	}
	var errs []error
	for _, t := range e.order {
		if e.topics[t.name] != t {
			return fmt.Errorf("topic %s is not found by its name", t.name)
		}
		if err := t.check(); err != nil {
			errs = append(errs, fmt.Errorf("topic %s: %w", t.name, err))
		}
	}
	if e.pool != nil {
		errs = append(errs, e.pool.check())
	}
	return errors.Join(errs...)
}

func (t *topic) check() error {
	if t.retain > 0 && t.log.Len() > t.retain {
		return fmt.Errorf("%d messages are kept, at most %d should be", t.log.Len(), t.retain)
	}
	if err := t.checkSubscriptions(); err != nil {
		return err
	}
	for id, c := range t.cursors {
		if err := errors.Join(t.checkPlace(c), c.checkLetters(t.engine.options.MaxAttempts), t.checkMembers(id, c), t.checkTurn(c)); err != nil {
			return fmt.Errorf("cursor %+v: %w", id, err)
		}
	}
	for i, c := range t.caughtUp {
		if c.listed != i+1 || t.cursors[c.id] != c {
			return fmt.Errorf("cursor %+v is listed at %d and found at %d", c.id, c.listed, i+1)
		}
	}
	return nil
}

func (t *topic) checkSubscriptions() error {
	blocking := 0
	for _, s := range t.subs {
		if t.byName[s.name] != s || t.cursors[s.cursor.id] != s.cursor || !slices.Contains(s.cursor.members, s) {
			return fmt.Errorf("subscription %s is not where it is listed", s.name)
		}
		if s.cursor.policy == Block {
			blocking++
		}
		if _, ended := t.reasons[s.name]; ended {
			return fmt.Errorf("subscription %s has a reason of its end", s.name)
		}
	}
	if len(t.byName) != len(t.subs) || blocking != t.blocking {
		return fmt.Errorf("%d subscriptions, %d by name; %d block, counted as %d", len(t.subs), len(t.byName), blocking, t.blocking)
	}
	return nil
}

func (t *topic) checkPlace(c *cursor) error {
	p := c.progress
	if p.Next < 0 || p.Next > t.log.Next() || p.Lost < 0 || p.Lost > t.log.Base() {
		return fmt.Errorf("%+v in a log from %d to %d", p, t.log.Base(), t.log.Next())
	}
	if p.Attempts < 0 || p.Attempts >= t.engine.options.MaxAttempts || p.Attempts > 0 && p.Next == t.log.Next() {
		return fmt.Errorf("%+v with a limit of %d tries", p, t.engine.options.MaxAttempts)
	}
	return nil
}

func (c *cursor) checkLetters(limit int) error {
	last := int64(noLetter)
	for i, l := range c.letters {
		if l.ID <= last || l.ID > c.lastID {
			return fmt.Errorf("letter %+v after %d, the last one being %d", l, last, c.lastID)
		}
		if l.Again == (l.Attempts == limit) {
			return fmt.Errorf("letter %+v with a limit of %d tries", l, limit)
		}
		if l.Again && i > 0 && !c.letters[i-1].Again {
			return fmt.Errorf("letter %+v, which is to be offered again, is behind a dead one", l)
		}
		last = l.ID
	}
	return nil
}

func (t *topic) checkMembers(id CursorID, c *cursor) error {
	if c.id != id || c.topic != t || c.gone || len(c.members) > 1 && !id.Group {
		return fmt.Errorf("it has %d members and is %+v, gone: %v", len(c.members), c.id, c.gone)
	}
	if c.turn < 0 || c.turn > max(0, len(c.members)-1) {
		return fmt.Errorf("the turn is that of member %d of %d", c.turn, len(c.members))
	}
	var members []*Subscription
	for _, s := range t.subs {
		if s.cursor == c {
			members = append(members, s)
		}
	}
	if !slices.Equal(members, c.members) || !id.Group && len(members) > 0 && members[0].name != id.Name {
		return errors.New("its members are not the subscriptions that have it, in their order")
	}
	return nil
}

// checkTurn: a cursor is in exactly one state of those that lead to its next
// offer.
func (t *topic) checkTurn(c *cursor) error {
	workers := t.engine.hasWorkers()
	states := 0
	for _, is := range []bool{c.busy, c.queued != nil, c.resting != nil, c.listed > 0} {
		if is {
			states++
		}
	}
	someone := len(c.members) > 0
	switch {
	case !workers && (c.queued != nil || c.resting != nil || c.listed > 0):
		return errors.New("it waits for a worker where there is none")
	case workers && someone && states != 1, states > 1:
		return fmt.Errorf("busy %v, queued %v, resting %v, listed %d", c.busy, c.queued != nil, c.resting != nil, c.listed)
	case c.listed > 0 && (!someone || c.waits(&t.log)):
		return errors.New("it is listed and has not caught up")
	case c.queued != nil && someone && t.queueOf(c) != c.queued:
		return errors.New("it is in the queue of another member's lane")
	}
	return nil
}

func (q *queue) check() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.running < 0 || q.running > q.limit || q.lost < 0 {
		return fmt.Errorf("%d of %d calls, %d lost threads", q.running, q.limit, q.lost)
	}
	if q.threads < q.first() || q.threads > q.wanted() {
		return fmt.Errorf("%d threads, %d of them lost, where %d are wanted", q.threads, q.lost, q.wanted())
	}
	return nil
}

// checkStill is check for an engine that nobody calls at the moment. underWay are
// the deliveries handed out and not settled.
func (e *Engine) checkStill(underWay []*Delivery, walks []*Walk) error {
	if err := e.check(); err != nil {
		return err
	}
	running, held := map[*queue]int{}, map[*cursor]bool{}
	for _, d := range underWay {
		if held[d.cursor] {
			return fmt.Errorf("cursor %+v has two calls at once", d.cursor.id)
		}
		held[d.cursor] = true
		if !d.timedOut {
			running[d.queue]++
		}
	}
	total := 0
	for _, n := range running {
		total += n
	}
	if e.calls.running != total {
		return fmt.Errorf("%d calls run, counted as %d", total, e.calls.running)
	}
	for _, w := range walks {
		if w.last != nil && w.last.settled && w.last.goesOn {
			held[w.last.cursor] = true
		}
	}
	for _, t := range e.order {
		if err := t.checkStill(held, running); err != nil {
			return fmt.Errorf("topic %s: %w", t.name, err)
		}
	}
	if e.pool != nil && e.pool.running != running[e.pool] {
		return fmt.Errorf("%d calls of the pool run, counted as %d", running[e.pool], e.pool.running)
	}
	return nil
}

func (t *topic) checkStill(held map[*cursor]bool, running map[*queue]int) error {
	for id, c := range t.cursors {
		if c.busy != held[c] {
			return fmt.Errorf("cursor %+v is busy: %v, and held: %v", id, c.busy, held[c])
		}
		if c.queued != nil && c.queued.times(c) != 1 {
			return fmt.Errorf("cursor %+v is %d times in its queue", id, c.queued.times(c))
		}
	}
	for _, s := range t.subs {
		if s.lane != nil && (s.lane.running != running[s.lane] || s.lane.check() != nil) {
			return fmt.Errorf("%d calls of the lane of %s run, counted as %d", running[s.lane], s.name, s.lane.running)
		}
	}
	return nil
}

// times is how often a cursor is in the queue.
func (q *queue) times(c *cursor) (n int) {
	for o := q.ready.Base(); o < q.ready.Next(); o++ {
		if *q.ready.At(o) == c {
			n++
		}
	}
	return n
}

// kept is what a journal should have kept of the engine.
func (e *Engine) kept() []KeptTopic {
	var topics []KeptTopic
	for _, t := range e.order {
		k := KeptTopic{Name: t.name, Options: TopicOptions{Retain: t.retain}, Earliest: t.log.Base()}
		for o := t.log.Base(); o < t.log.Next(); o++ {
			k.Payloads = append(k.Payloads, *t.log.At(o))
		}
		for id, c := range t.cursors {
			k.Cursors = append(k.Cursors, KeptCursor{ID: id, Progress: c.progress, Letters: slices.Clone(c.letters)})
		}
		slices.SortFunc(k.Cursors, byID)
		topics = append(topics, k)
	}
	return topics
}
