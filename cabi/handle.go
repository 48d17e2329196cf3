package main

import (
	"sync"
	"sync/atomic"

	"github.com/eventbroker/eventbroker/broker"
)

// A handle is a generation (the upper 31 bits, so that it is never negative)
// and a slot (the lower 32, from 1, so that it is never 0). A slot is used
// again after its broker is closed, in another generation, which makes old
// handles stale instead of dangerous.
type handleTable struct {
	slots atomic.Pointer[[]atomic.Pointer[entry]]

	writers     sync.Mutex // guards what follows and every store to slots
	generations []uint32
	free        []uint32
}

// An entry is what a handle stands for.
type entry struct {
	handle uint64
	value  any                     // *event.Broker, say
	broker uint64                  // the handle of the broker that it belongs to, or is
	poison *atomic.Pointer[string] // what went wrong inside; nil inside while all is well
}

// checkOpen is for what is judged before the broker is asked: closed comes first.
func (e *entry) checkOpen() error {
	if handles.get(e.broker) == nil {
		return broker.ErrClosed
	}
	return nil
}

const lastGeneration = 1<<31 - 1

var handles = newHandleTable()

func newHandleTable() *handleTable {
	t := &handleTable{}
	t.slots.Store(&[]atomic.Pointer[entry]{})
	return t
}

// get returns the entry, or nil for a handle that is closed, stale or made up.
func (t *handleTable) get(handle uint64) *entry {
	slots := *t.slots.Load()
	slot := handle&0xffffffff - 1 // that of handle 0 is out of every range
	if slot >= uint64(len(slots)) {
		return nil
	}
	if e := slots[slot].Load(); e != nil && e.handle == handle {
		return e
	}
	return nil
}

// add adds a broker.
func (t *handleTable) add(value any) uint64 {
	return t.store(&entry{value: value, poison: new(atomic.Pointer[string])})
}

// addTo adds something that belongs to a broker, and is unusable when that is.
func (t *handleTable) addTo(owner *entry, value any) uint64 {
	return t.store(&entry{value: value, broker: owner.broker, poison: owner.poison})
}

func (t *handleTable) store(e *entry) uint64 {
	t.writers.Lock()
	defer t.writers.Unlock()
	if len(t.free) == 0 {
		t.grow()
	}
	slot := t.free[len(t.free)-1]
	t.free = t.free[:len(t.free)-1]
	e.handle = uint64(t.generations[slot])<<32 | uint64(slot+1)
	if e.broker == 0 {
		e.broker = e.handle
	}
	(*t.slots.Load())[slot].Store(e)
	return e.handle
}

// remove takes the entry out and returns it, or nil when somebody else did.
func (t *handleTable) remove(handle uint64) *entry {
	t.writers.Lock()
	defer t.writers.Unlock()
	e := t.get(handle)
	if e == nil {
		return nil
	}
	slot := uint32(handle - 1)
	(*t.slots.Load())[slot].Store(nil)
	if t.generations[slot]++; t.generations[slot] <= lastGeneration {
		t.free = append(t.free, slot) // else the slot is worn out
	}
	return e
}

// open is how many handles there are.
func (t *handleTable) open() int {
	n := 0
	for slots, i := *t.slots.Load(), 0; i < len(slots); i++ {
		if slots[i].Load() != nil {
			n++
		}
	}
	return n
}

func (t *handleTable) grow() {
	old := *t.slots.Load()
	bigger := make([]atomic.Pointer[entry], max(16, 2*len(old)))
	for i := range old {
		bigger[i].Store(old[i].Load())
	}
	for slot := len(bigger) - 1; slot >= len(old); slot-- {
		t.free = append(t.free, uint32(slot))
		t.generations = append(t.generations, 1) // so that small numbers are no handles
	}
	t.slots.Store(&bigger)
}
