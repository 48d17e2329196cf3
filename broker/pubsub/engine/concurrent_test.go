package engine

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Everything at once on few names, while another goroutine walks the engine, and
// at the end the journal has what memory has. With -race this also proves the
// locking (PS-16).
func TestConcurrentUseKeepsTheInvariants(t *testing.T) {
	for name, o := range map[string]Options{
		"synchronous": {}, "lanes": {Dispatcher: Lanes}, "pool": {Dispatcher: Pool, Workers: 2},
		"pool, limited": {Dispatcher: Pool, Workers: 2, HandlerTimeout: time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) { useConcurrently(t, o) })
	}
}

func useConcurrently(t *testing.T, o Options) {
	j := &recorder{}
	o.MaxAttempts, o.Journal = 2, j
	e := open(t, o)
	for topic, retain := range map[string]int{"r": 2, "u": 0} {
		_, err := e.CreateTopic(topic, TopicOptions{Retain: retain})
		require.NoError(t, err)
	}
	host := &host{t: t, e: e}
	if pool := e.Pool(); pool != nil {
		for range pool.Threads() {
			host.start(pool)
		}
	}
	stop := make(chan struct{})
	var walker sync.WaitGroup
	walker.Go(func() {
		for {
			assert.NoError(t, e.check())
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	var callers sync.WaitGroup
	for seed := range 6 {
		callers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(seed), 1))
			for range 500 {
				host.anyCall(random)
			}
		})
	}
	callers.Wait()
	close(stop)
	walker.Wait()
	topics := e.order // closing forgets them
	e.Close()
	<-e.Done()
	host.threads.Wait()
	e.order = topics
	require.Equal(t, 1, j.closed)
	assert.Empty(t, cmp.Diff(j.kept(), e.kept(), cmpopts.EquateEmpty()))
}

// A host has threads, as a language does.
type host struct {
	t       *testing.T
	e       *Engine
	threads sync.WaitGroup
}

func (h *host) start(w *Worker) {
	h.threads.Go(func() {
		for {
			d, err := w.Next(time.Second, 1000)
			if err != nil {
				return
			}
			if d != nil && !h.serve(w, d) {
				return
			}
		}
	})
}

func (h *host) serve(w *Worker, d *Delivery) bool {
	if d.Spare {
		h.start(w)
	}
	if d.Offset%16 == 5 {
		time.Sleep(2 * time.Millisecond) // past the time-out of the limited pool
	}
	stays, err := d.Settle(Outcome(d.Offset%3), "no")
	assert.NoError(h.t, err)
	return stays
}

func (h *host) anyCall(random *rand.Rand) {
	topic := []string{"t", "r", "u"}[random.IntN(3)]
	name := []string{"a", "b", "c"}[random.IntN(3)]
	switch random.IntN(9) {
	case 0, 1:
		h.subscribe(topic, name, random)
	case 2:
		_, _ = h.e.Unsubscribe(topic, name)
	case 3, 4, 5:
		_, _ = h.e.Publish(topic, "x", time.Millisecond)
	case 6:
		h.drain(random)
	case 7:
		_, _ = h.e.Redeliver(topic, name)
	case 8:
		s, _ := h.e.Status(topic, name)
		_, _ = h.e.Seek(topic, name, max(0, s.Offset-1))
	}
}

func (h *host) subscribe(topic, name string, random *rand.Rand) {
	o := SubscribeOptions{Policy: Policy(random.IntN(3))}
	if random.IntN(2) == 0 {
		group := "g"
		o.Group = &group
	}
	if lane, _ := h.e.Subscribe(topic, name, name, o); lane != nil {
		h.start(lane)
	}
}

// drain is sometimes ended before its end, with its delivery settled after that.
func (h *host) drain(random *rand.Rand) {
	w, err := h.e.Drain()
	assert.NoError(h.t, err)
	if w == nil {
		return
	}
	for {
		d, err := w.Next(1000)
		assert.NoError(h.t, err)
		if d == nil {
			break
		}
		over := random.IntN(10) == 0
		if over {
			w.End()
		}
		_, err = d.Settle(Outcome(random.IntN(3)), "no")
		assert.NoError(h.t, err)
		if over {
			break
		}
	}
	w.End()
}
