// Package overlap has calls meet, and counts those that did. It is for test
// builds and adapters: times alone do not tell, for calls overlap by the clock
// even where an interpreter makes them one after the other.
package overlap

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// patience is how long a call that is alone waits for company: a call takes a
// fraction of a microsecond, and what an adapter does between two takes several,
// so that they would hardly ever meet otherwise.
const patience = 40 * time.Microsecond

// spread is the longest that a call waits after it met another, at random, so
// that they come to the same place in every order.
const spread = 200

// vain is after how many calls in a row that waited in vain one sleeps: the other
// threads may have no processor, as on one or among many programs, and would else
// be through, one by one, before the next one runs. To sleep takes a millisecond,
// so that each of them would make a run many times as long.
const vain = 4

// A Meter is around some calls. The zero Meter has seen none.
type Meter struct {
	inside atomic.Int64
	met    atomic.Int64
	alone  atomic.Int64 // how many in a row waited in vain
}

// widen has a lock that others wait for be profiled as it is let go: the caller is
// busy with that for a while, the lock being free. One that takes the lock again
// at once, as a call in two halves does, would else nearly always be the next.
var widen = sync.OnceFunc(func() { runtime.SetMutexProfileFraction(1) })

// Enter begins a call. One that finds another inside is counted. One that waits
// keeps its processor, where there are several: the other is to run beside it,
// and not to come and go in its place.
func (m *Meter) Enter() {
	widen()
	if m.inside.Add(1) > 1 {
		m.met.Add(1)
	}
	for began := time.Now(); m.inside.Load() == 1 && time.Since(began) < patience; {
		if runtime.GOMAXPROCS(0) == 1 {
			runtime.Gosched()
		}
	}
	if m.inside.Load() > 1 {
		m.alone.Store(0)
	} else if m.alone.Add(1)%vain == 0 {
		time.Sleep(patience)
	}
	for range rand.IntN(spread) {
		m.inside.Load()
	}
}

// Leave ends a call.
func (m *Meter) Leave() { m.inside.Add(-1) }

// Met is how many calls began while another was inside.
func (m *Meter) Met() int64 { return m.met.Load() }
