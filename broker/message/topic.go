package message

import (
	"strings"
	"sync"

	"github.com/eventbroker/eventbroker/broker/internal/offsetlog"
)

// A topic is the locked shell around a log and the cursors of its groups, which
// share the log and nothing else (MB-09).
type topic struct {
	name string

	mu     sync.Mutex // guards everything below
	log    offsetlog.Log[string]
	groups map[string]*cursor
}

func newTopic(name string) *topic {
	return &topic{name: strings.Clone(name), groups: map[string]*cursor{}}
}

func (t *topic) publish(payload string) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.log.Append(payload)
}

// poll delivers what waits for the group, making it if it is new (MB-04). Where
// the payload is longer than room, it delivers nothing.
func (t *topic) poll(group string, room int) (d Delivery, waits bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.groups[group]
	if c == nil {
		c = &cursor{}
		t.groups[strings.Clone(group)] = c
	}
	if !t.log.Has(c.position) {
		return Delivery{}, false
	}
	payload := *t.log.At(c.position)
	if len(payload) <= room {
		c.deliver()
	}
	return Delivery{t.name, c.position, payload, c.attempt}, true
}

// settle ends exactly this delivery, if it is in flight.
func (t *topic) settle(group string, offset int64, attempt int, end func(*cursor)) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.groups[group]
	if c == nil || !c.holds(offset, attempt) {
		return false
	}
	end(c)
	return true
}

func (t *topic) deadLetters(group string) []DeadLetter {
	t.mu.Lock()
	defer t.mu.Unlock()
	c := t.groups[group]
	if c == nil {
		return nil
	}
	letters := make([]DeadLetter, len(c.parked))
	for i, p := range c.parked {
		letters[i] = DeadLetter{t.name, p.offset, *t.log.At(p.offset), p.attempts}
	}
	return letters
}
