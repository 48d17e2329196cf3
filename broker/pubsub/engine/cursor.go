package engine

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/eventbroker/eventbroker/broker/internal/offsetlog"
)

// A cursor is a place in a topic's log: that of one subscription, or that which
// a group of them shares (PS-14). It is a state machine without a lock, which
// says what to offer next and what an outcome changes. The topic's lock guards
// it.
type cursor struct {
	id       CursorID
	topic    *topic
	policy   Policy
	progress Progress
	letters  []Letter // by ID: those to be offered again, and behind them those parked since
	lastID   int64    // of a letter

	members []*Subscription // in the order they subscribed; at most one, unless it is a group's
	turn    int             // index of the member to offer to
	seeks   int             // a call that began before the last seek moves nothing (PS-09)
	gone    bool            // it was forgotten: outcomes change nothing

	busy    bool          // a walk or a call under way has it: nobody else offers from it (PS-10)
	queued  *queue        // where it waits for a worker
	listed  int           // its place in the topic's list of those that have caught up, from 1; 0 where it is not
	backoff time.Duration // how long it rested last; 0 after a confirmation (PS-11)
	resting *time.Timer   // ends its rest
}

// noLetter is the letter of a delivery that comes from the log.
const noLetter = 0

// again reports whether a letter is to be offered again, the first: it comes
// before the log (PS-17). Those parked behind it, of which there may be many, are
// not looked at.
func (c *cursor) again() bool { return len(c.letters) > 0 && c.letters[0].Again }

// waits reports whether the cursor has something to offer, and somebody to offer
// it to.
func (c *cursor) waits(log *offsetlog.Log[string]) bool {
	return len(c.members) > 0 && (c.progress.Next < log.Next() || c.again())
}

// head fills in the message to offer: the caller made sure that there is one.
func (c *cursor) head(log *offsetlog.Log[string]) *Delivery {
	d := &Delivery{Topic: c.topic.name, cursor: c, to: c.members[c.turn], seeks: c.seeks}
	d.Tag = d.to.tag
	if c.again() {
		l := c.letters[0]
		d.letter, d.Offset, d.Payload, d.Attempt = l.ID, l.Offset, l.Payload, l.Attempts+1
		return d
	}
	d.Offset, d.Attempt = c.progress.Next, c.progress.Attempts+1
	d.Payload = *log.At(d.Offset)
	return d
}

// A change is what an outcome does to a cursor. It is made before it is kept in
// the journal, and applied after.
type change struct {
	progress Progress
	put      []Letter
	drop     []int64
}

// after says what the outcome of a delivery changes, and whether the turn goes
// on (PS-04, PS-06, PS-07).
func (c *cursor) after(d *Delivery, outcome Outcome, text string, limit int) (change, bool) {
	ch := change{progress: c.progress}
	if outcome != Failed {
		c.took(&ch, d)
		return ch, true
	}
	if d.seeks != c.seeks { // a seek made while the call ran wins (PS-09)
		return ch, false
	}
	if d.Attempt < limit {
		c.missed(&ch, d)
		return ch, false
	}
	c.took(&ch, d)
	ch.put = []Letter{{ID: c.lastID + 1, Offset: d.Offset, Payload: d.Payload, Attempts: d.Attempt, Error: readable(text)}}
	return ch, true
}

// took moves past the message.
func (c *cursor) took(ch *change, d *Delivery) {
	switch {
	case d.letter != noLetter:
		ch.drop = []int64{d.letter}
	case d.seeks == c.seeks:
		ch.progress.Next, ch.progress.Attempts = d.Offset+1, 0
	}
}

// missed counts a failed try.
func (c *cursor) missed(ch *change, d *Delivery) {
	if d.letter == noLetter {
		ch.progress.Attempts = d.Attempt
		return
	}
	l := c.letters[0] // as long as its call runs, the one on offer is the first
	l.Attempts = d.Attempt
	ch.put = []Letter{l}
}

func (c *cursor) apply(ch change) {
	c.progress = ch.progress
	for range ch.drop { // the one on offer
		c.letters[0] = Letter{} // lets go of its payload
		c.letters = c.letters[1:]
	}
	for _, l := range ch.put {
		if l.ID > c.lastID {
			c.letters = append(c.letters, l)
			c.lastID = l.ID
			continue
		}
		c.letters[c.find(l.ID)] = l
	}
}

// find is the index of the letter of that ID.
func (c *cursor) find(id int64) int {
	i, found := slices.BinarySearchFunc(c.letters, id, func(l Letter, id int64) int { return cmp.Compare(l.ID, id) })
	if !found {
		panic("engine: no such letter")
	}
	return i
}

// redelivered is the change that offers all dead letters again (PS-17).
func (c *cursor) redelivered() change {
	ch := change{progress: c.progress}
	for _, l := range c.parked() {
		l.Again, l.Attempts = true, 0
		ch.put = append(ch.put, l)
	}
	return ch
}

// parked are the dead letters, in the order of parking.
func (c *cursor) parked() []Letter {
	var dead []Letter
	for _, l := range c.letters {
		if !l.Again {
			dead = append(dead, l)
		}
	}
	return dead
}

// jumped is the change that goes over messages that are no longer kept (PS-13).
func (c *cursor) jumped(earliest int64) change {
	lost := c.progress.Lost + earliest - c.progress.Next
	return change{progress: Progress{Next: earliest, Lost: lost}}
}

// rotate gives the next call to the member behind the one that had this call.
// The turn is still that one's, unless it is gone: then the member behind it has
// taken its place already (PS-14).
func (c *cursor) rotate(had *Subscription) {
	if len(c.members) > 0 && c.members[c.turn] == had {
		c.turn = (c.turn + 1) % len(c.members)
	}
}

func (c *cursor) add(s *Subscription) { c.members = append(c.members, s) }

func (c *cursor) remove(s *Subscription) {
	i := slices.Index(c.members, s)
	c.members = slices.Delete(c.members, i, i+1)
	if c.turn > i {
		c.turn--
	}
	if c.turn >= len(c.members) {
		c.turn = 0
	}
}

// MaxErrorText is how many bytes of a failure's text are kept.
const MaxErrorText = 1024

// readable is text as it can be kept: valid UTF-8, and not too much of it.
func readable(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) <= MaxErrorText {
		return text
	}
	return strings.ToValidUTF8(text[:MaxErrorText], "") // not half a character
}
