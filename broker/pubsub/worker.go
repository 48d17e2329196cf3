package pubsub

import (
	"maps"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// A worker is a goroutine that takes deliveries from a lane or from the pool.
type worker struct {
	broker  *Broker
	source  *engine.Worker
	current atomic.Pointer[engine.Delivery] // that its handler has
	ends    bool                            // nobody is to take its place
	done    chan struct{}
}

// start adds a worker. The caller holds b.mu.
func (b *Broker) start(source *engine.Worker) {
	w := &worker{broker: b, source: source, done: make(chan struct{})}
	b.workers[w] = struct{}{}
	go w.run()
}

func (b *Broker) startAnother(source *engine.Worker) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.start(source)
}

func (b *Broker) allWorkers() []*worker {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Collect(maps.Keys(b.workers))
}

func (w *worker) run() {
	defer func() {
		if !w.ends { // a handler ended the goroutine
			w.broker.startAnother(w.source)
		}
		w.leave()
	}()
	for !w.ends {
		w.serve()
	}
}

// serve takes one delivery, if one comes.
func (w *worker) serve() {
	d, err := w.source.Next(time.Hour, math.MaxInt)
	if d == nil {
		w.ends = err != nil
		return
	}
	if d.Spare {
		w.broker.startAnother(w.source)
	}
	w.current.Store(d)
	c := call{delivery: d}
	defer func() {
		w.current.Store(nil)
		w.ends = !c.stays
	}()
	c.run(w.broker.engine.Options().HandlerTimeout)
}

func (w *worker) leave() {
	w.broker.mu.Lock()
	delete(w.broker.workers, w)
	w.broker.mu.Unlock()
	close(w.done)
}

// waitForWorkers returns when the workers there are have ended, but for those
// lost in a call past its time-out (PS-11), and reports whether there were any.
// The engine is closed, and no other call is under way.
func (b *Broker) waitForWorkers() (found bool) {
	for _, w := range b.allWorkers() {
		if d := w.current.Load(); d == nil || !d.TimedOut() {
			<-w.done
			found = true
		}
	}
	return found
}
