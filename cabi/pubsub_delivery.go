package main

// #include "shim.h"
import "C"

import (
	"errors"
	"sync"
	"unsafe"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// A walk is a drain behind a handle. A host may get its threads wrong: the lock
// makes that an error instead of a crash.
type walk struct {
	mu   sync.Mutex
	walk *engine.Walk
}

// A held is a delivery behind its token.
type held struct {
	delivery *engine.Delivery
	thread   int64 // which took it
}

// inside counts the deliveries that each thread holds: while it does, it is
// inside a handler (PS-13).
var inside = threadCounts{counts: map[int64]int{}}

type threadCounts struct {
	mu     sync.Mutex // guards counts
	counts map[int64]int
}

func (c *threadCounts) add(thread int64, by int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.counts[thread] += by; c.counts[thread] == 0 {
		delete(c.counts, thread)
	}
}

func (c *threadCounts) has(thread int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counts[thread] > 0
}

//export shim_go_pubsub_drain
func shim_go_pubsub_drain(handle C.uint64_t, out *C.uint64_t) C.int64_t {
	return onEntry(handle, func(e *entry, b *pubsub) (int64, error) {
		w, err := b.Drain()
		if err != nil {
			return 0, err
		}
		*out = 0
		if w != nil {
			*out = C.uint64_t(handles.addTo(e, &walk{walk: w}))
		}
		return C.EB_OK, nil
	})
}

//export shim_go_pubsub_next
func shim_go_pubsub_next(handle C.uint64_t, buf unsafe.Pointer, room, thread C.int64_t) C.int64_t {
	return onEntry(handle, func(e *entry, w *walk) (int64, error) {
		w.mu.Lock()
		defer w.mu.Unlock()
		d, err := w.walk.Next(int(room) - deliverySize)
		if d == nil && err == nil {
			handles.remove(uint64(handle))
		}
		return hand(e, d, err, buf, int64(thread))
	})
}

//export shim_go_pubsub_pool
func shim_go_pubsub_pool(handle C.uint64_t, out *C.uint64_t) C.int64_t {
	return onEntry(handle, func(e *entry, b *pubsub) (int64, error) {
		if b.Closed() {
			return 0, broker.ErrClosed
		}
		*out = 0
		pool := b.Pool()
		if pool == nil {
			return 0, nil
		}
		*out = C.uint64_t(handles.addTo(e, pool))
		return int64(pool.Threads()), nil
	})
}

//export shim_go_pubsub_wait
func shim_go_pubsub_wait(handle C.uint64_t, timeout C.int64_t, buf unsafe.Pointer, room, thread C.int64_t) C.int64_t {
	return onEntry(handle, func(e *entry, w *engine.Worker) (int64, error) {
		d, err := w.Next(wait(timeout), int(room)-deliverySize)
		return hand(e, d, err, buf, int64(thread))
	})
}

// hand writes a delivery out, under a token.
func hand(owner *entry, d *engine.Delivery, err error, buf unsafe.Pointer, thread int64) (int64, error) {
	var room engine.RoomError
	if errors.As(err, &room) {
		return 0, needError(deliverySize + int(room))
	}
	if d == nil {
		return 0, err
	}
	inside.add(thread, +1)
	putDelivery(unsafe.Slice((*byte)(buf), deliverySize+len(d.Topic)+len(d.Payload)), handles.addTo(owner, &held{d, thread}), d)
	return 1, nil
}

//export shim_go_pubsub_settle
func shim_go_pubsub_settle(token C.uint64_t, outcome C.int64_t, text *C.char, textLen C.int64_t) C.int64_t {
	return on(token, func(h *held) (int64, error) {
		if err := broker.CheckRange("outcome", int(outcome), int(engine.Confirmed), int(engine.Filtered)); err != nil {
			return 0, err
		}
		if handles.remove(uint64(token)) == nil {
			return 0, broker.ErrClosed
		}
		inside.add(h.thread, -1)
		return truth(h.delivery.Settle(engine.Outcome(outcome), failureText(text, textLen)))
	})
}

// failureText copies as much of a failure's text as is kept.
func failureText(text *C.char, length C.int64_t) string {
	if text == nil {
		return ""
	}
	return copyIn(text, min(length, engine.MaxErrorText+4))
}

//export shim_go_pubsub_end
func shim_go_pubsub_end(handle C.uint64_t) (answer C.int64_t) {
	e := handles.get(uint64(handle))
	if e == nil {
		return C.EB_OK
	}
	defer e.recover(&answer)
	switch v := e.value.(type) {
	case *walk:
		v.mu.Lock()
		defer v.mu.Unlock()
		v.walk.End()
	case *engine.Worker:
	default: // a broker or a delivery has another end
		return C.EB_OK
	}
	handles.remove(uint64(handle)) // also of a broker that is unusable
	return C.EB_OK
}
