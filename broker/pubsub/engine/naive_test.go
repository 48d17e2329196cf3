package engine

import (
	"fmt"
	"slices"
	"time"
)

// A naive engine is the oracle of the model test. It never forgets a message, it
// keeps neither queue nor list of who waits, and time is a number in it.
type naive struct {
	options Options
	topics  []*naiveTopic
	now     time.Duration
}

type naiveTopic struct {
	name    string
	retain  int
	log     []string // every message ever published
	subs    []*naiveSub
	cursors map[CursorID]*naiveCursor
	reasons map[string]bool
}

type naiveSub struct {
	name   string
	cursor *naiveCursor
	lane   *Worker
}

type naiveCursor struct {
	id       CursorID
	topic    *naiveTopic
	policy   Policy
	progress Progress
	dead     []Letter // without their IDs
	again    []*Letter
	members  []*naiveSub
	turn     *naiveSub
	seeks    int
	serving  bool // a call is under way, or a walk goes on with it
	backoff  time.Duration
	rests    time.Duration // until when
}

// A naiveCall is a delivery that was handed out and is not settled.
type naiveCall struct {
	*Delivery
	of     *naiveCursor
	sub    *naiveSub
	letter *Letter // nil where it comes from the log
	seeks  int
	walk   *naiveWalk
	limit  time.Duration // when it times out; 0 for never
	late   bool          // it has timed out
	goesOn bool
}

type naiveWalk struct {
	*Walk
	topics  []*naiveTopic
	cursors []*naiveCursor
	begun   bool       // whether cursors are those of the first topic
	last    *naiveCall // of the first cursor
	over    bool
}

func (n *naive) find(topic string) *naiveTopic {
	for _, t := range n.topics {
		if t.name == topic {
			return t
		}
	}
	return nil
}

func (t *naiveTopic) earliest() int64 {
	if t.retain == 0 {
		return 0
	}
	return max(0, t.end()-int64(t.retain))
}

func (t *naiveTopic) end() int64 { return int64(len(t.log)) }

func (t *naiveTopic) sub(name string) *naiveSub {
	for _, s := range t.subs {
		if s.name == name {
			return s
		}
	}
	return nil
}

// cursor is that of a name, whether it has a handler or is only kept.
func (t *naiveTopic) cursor(name string) *naiveCursor {
	if s := t.sub(name); s != nil {
		return s.cursor
	}
	return t.cursors[CursorID{Name: name}]
}

// refuses is the argument that a subscribe must name, "" where it is fine.
func (t *naiveTopic) refuses(name string, group *string, policy Policy) string {
	if t.sub(name) != nil || group != nil && t.cursors[CursorID{Name: name}] != nil {
		return "name"
	}
	if group != nil {
		if c := t.cursors[CursorID{*group, true}]; c != nil && len(c.members) > 0 && c.policy != policy {
			return "policy"
		}
	}
	return ""
}

func (t *naiveTopic) subscribe(name string, group *string, policy Policy) *naiveSub {
	id := CursorID{Name: name}
	if group != nil {
		id = CursorID{*group, true}
	}
	c := t.cursors[id]
	if c == nil {
		c = &naiveCursor{id: id, topic: t, progress: Progress{Next: t.end()}}
		t.cursors[id] = c
	}
	s := &naiveSub{name: name, cursor: c}
	c.policy = policy
	c.members = append(c.members, s)
	if c.turn == nil {
		c.turn = s
	}
	t.subs = append(t.subs, s)
	delete(t.reasons, name)
	return s
}

func (t *naiveTopic) remove(s *naiveSub) {
	c := s.cursor
	behind := c.behind(s)
	c.members = slices.DeleteFunc(c.members, func(other *naiveSub) bool { return other == s })
	switch {
	case len(c.members) == 0:
		c.turn = nil
	case c.turn == s:
		c.turn = behind
	}
	t.subs = slices.DeleteFunc(t.subs, func(other *naiveSub) bool { return other == s })
}

// behind is the member that has the turn after this one.
func (c *naiveCursor) behind(s *naiveSub) *naiveSub {
	return c.members[(slices.Index(c.members, s)+1)%len(c.members)]
}

func (t *naiveTopic) forget(c *naiveCursor) {
	delete(t.cursors, c.id)
	for len(c.members) > 0 {
		t.remove(c.members[0])
	}
}

// blocked reports whether the message that a publish would remove is needed.
func (t *naiveTopic) blocked() bool {
	return t.retain > 0 && t.end()-t.earliest() == int64(t.retain) && slices.ContainsFunc(t.subs, func(s *naiveSub) bool {
		return s.cursor.policy == Block && s.cursor.progress.Next <= t.earliest()
	})
}

func (c *naiveCursor) lags() bool {
	return len(c.members) > 0 && len(c.again) == 0 && c.progress.Next < c.topic.earliest()
}

func (c *naiveCursor) waits() bool {
	return len(c.members) > 0 && (len(c.again) > 0 || c.progress.Next < c.topic.end())
}

// catchUp does what the policy says, and reports whether there is still somebody.
func (c *naiveCursor) catchUp() {
	t := c.topic
	if c.policy == Disconnect {
		for _, s := range c.members {
			t.reasons[s.name] = true
		}
		t.forget(c)
		return
	}
	c.progress = Progress{Next: t.earliest(), Lost: c.progress.Lost + t.earliest() - c.progress.Next}
}

// expected is the delivery that the cursor's next call must get.
func (c *naiveCursor) expected() naiveCall {
	call := naiveCall{of: c, sub: c.turn, seeks: c.seeks}
	d := Delivery{Topic: c.topic.name, Tag: call.sub.name}
	if len(c.again) > 0 {
		call.letter = c.again[0]
		d.Offset, d.Payload, d.Attempt = call.letter.Offset, call.letter.Payload, call.letter.Attempts+1
	} else {
		d.Offset, d.Attempt = c.progress.Next, c.progress.Attempts+1
		d.Payload = c.topic.log[d.Offset]
	}
	call.Delivery = &d
	return call
}

// settle does what the outcome does, where it could be kept.
func (n *naive) settle(call *naiveCall, outcome Outcome, text string, kept bool) {
	c := call.of
	if slices.Contains(c.members, call.sub) {
		c.turn = c.behind(call.sub)
	}
	switch {
	case !kept:
		call.goesOn = false
	case outcome != Failed:
		call.goesOn = true
		call.take()
		if outcome == Confirmed {
			c.backoff = 0
		}
	case call.seeks != c.seeks:
		call.goesOn = false
	case call.Attempt < n.options.MaxAttempts:
		call.goesOn = false
		if call.letter != nil {
			call.letter.Attempts, call.letter.Again = call.Attempt, true
		} else {
			c.progress.Attempts = call.Attempt
		}
	default:
		call.goesOn = true
		call.take()
		c.dead = append(c.dead, Letter{Offset: call.Offset, Payload: call.Payload, Attempts: call.Attempt, Error: text})
	}
}

func (call *naiveCall) take() {
	c := call.of
	if call.letter != nil {
		c.again = slices.DeleteFunc(c.again, func(l *Letter) bool { return l == call.letter })
	} else if call.seeks == c.seeks {
		c.progress.Next, c.progress.Attempts = call.Offset+1, 0
	}
}

// release is what becomes of the cursor behind a call.
func (n *naive) release(call *naiveCall) {
	c := call.of
	if call.walk != nil {
		c.serving = call.goesOn && !call.walk.over
		return
	}
	c.serving = false
	if !call.goesOn {
		n.rest(c)
	}
}

func (n *naive) rest(c *naiveCursor) {
	c.backoff = min(max(2*c.backoff, 100*time.Millisecond), 10*time.Second)
	c.rests = n.now + c.backoff
}

// free reports whether a worker may serve the cursor.
func (n *naive) free(c *naiveCursor) bool { return c.waits() && !c.serving && c.rests <= n.now }

func (t *naiveTopic) servable() []*naiveCursor {
	var cursors []*naiveCursor
	for _, s := range t.subs {
		if !slices.Contains(cursors, s.cursor) {
			cursors = append(cursors, s.cursor)
		}
	}
	return cursors
}

// next is the walk's next call, or how many bytes of room it takes where that is
// too much, or whether the journal refused what the policy asks.
func (w *naiveWalk) next(room int, refused func(*naiveCursor) bool) (call *naiveCall, need int, lost bool) {
	for ; !w.over && len(w.topics) > 0; w.topics, w.begun = w.topics[1:], false {
		if !w.begun {
			w.cursors, w.begun = w.topics[0].servable(), true
		}
		for len(w.cursors) > 0 {
			call, need, lost = w.turn(w.cursors[0], room, refused)
			if call != nil || need > 0 {
				return call, need, lost
			}
			w.last, w.cursors = nil, w.cursors[1:]
			if lost {
				return nil, 0, true
			}
		}
	}
	return nil, 0, false
}

func (w *naiveWalk) turn(c *naiveCursor, room int, refused func(*naiveCursor) bool) (*naiveCall, int, bool) {
	if mine := w.last != nil; mine != c.serving || mine && !w.last.goesOn {
		return nil, 0, false
	}
	was := c.serving
	c.serving = false
	if c.lags() {
		if refused(c) {
			return nil, 0, true
		}
		c.catchUp()
	}
	if !c.waits() {
		return nil, 0, false
	}
	call := c.expected()
	if need := len(call.Topic) + len(call.Payload); need > room {
		c.serving = was
		return nil, need, false
	}
	c.serving, call.walk, w.last = true, w, &call
	return &call, 0, false
}

func (w *naiveWalk) end() {
	if w.last != nil && w.last.goesOn && !w.over && w.last.settled {
		w.last.of.serving = false
	}
	w.over = true
}

func (c *naiveCursor) String() string { return fmt.Sprintf("%s of %s", c.id.Name, c.topic.name) }
