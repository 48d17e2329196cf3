package event

import (
	"hash/maphash"
	"sync"
	"sync/atomic"

	"github.com/eventbroker/eventbroker/broker"
)

// A table finds topics by name. Topics are never removed, so readers need no
// lock: they probe an array of atomic pointers that writers only ever fill, and
// replace by one of twice the size when it is half full.
type table struct {
	seed  maphash.Seed
	slots atomic.Pointer[[]atomic.Pointer[topic]] // nil when the broker is closed

	writers sync.Mutex // guards count and every store to slots
	count   int
}

const firstSlots = 16

func (t *table) open() {
	t.seed = maphash.MakeSeed()
	slots := make([]atomic.Pointer[topic], firstSlots)
	t.slots.Store(&slots)
}

func (t *table) close() {
	t.writers.Lock()
	defer t.writers.Unlock()
	t.slots.Store(nil)
}

func (t *table) checkOpen() error {
	if t.slots.Load() == nil {
		return broker.ErrClosed
	}
	return nil
}

// find returns the topic, or why there is none of that name. A call that found
// its topic before the broker was closed may still finish: it takes effect
// before the close.
func (t *table) find(name string) (*topic, error) {
	slots := t.slots.Load()
	if slots == nil {
		return nil, broker.ErrClosed
	}
	if len(name) <= broker.MaxIdentifier { // a longer one is not worth reading
		if found := t.slot(*slots, name).Load(); found != nil {
			return found, nil
		}
	}
	return nil, broker.UnknownTopic(name)
}

// add stores the topic unless one of its name is there already.
func (t *table) add(made *topic) (bool, error) {
	t.writers.Lock()
	defer t.writers.Unlock()
	slots := t.slots.Load()
	if slots == nil {
		return false, broker.ErrClosed
	}
	slot := t.slot(*slots, made.name)
	if slot.Load() != nil {
		return false, nil
	}
	slot.Store(made)
	if t.count++; 2*t.count > len(*slots) {
		t.slots.Store(t.doubled(*slots))
	}
	return true, nil
}

// slot is where the name stands, or the empty slot where it would. In the first
// table, where even the worst of all names make a look-up pass by only seven
// others, a name's length is hash enough.
func (t *table) slot(slots []atomic.Pointer[topic], name string) *atomic.Pointer[topic] {
	i, mask := uint64(len(name)), uint64(len(slots)-1)
	if len(slots) > firstSlots {
		i = maphash.String(t.seed, name)
	}
	for ; ; i++ {
		slot := &slots[i&mask]
		if found := slot.Load(); found == nil || found.name == name {
			return slot
		}
	}
}

func (t *table) doubled(slots []atomic.Pointer[topic]) *[]atomic.Pointer[topic] {
	bigger := make([]atomic.Pointer[topic], 2*len(slots))
	for i := range slots {
		if found := slots[i].Load(); found != nil {
			t.slot(bigger, found.name).Store(found)
		}
	}
	return &bigger
}
