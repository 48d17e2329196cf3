package pubsub

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A subscriber that hangs keeps neither a publisher nor the others waiting, and
// in the end gets everything in order, one at a time.
func TestSlowSubscriberDelaysNobody_PS10_PS11(t *testing.T) {
	const messages = 1000
	inRealTime(t, func(t *testing.T, o Options) {
		b := open(t, o)
		release := make(chan struct{})
		slow := newWitness(t, messages, func() { <-release })
		fast := []*witness{newWitness(t, messages, nil), newWitness(t, messages, nil)}
		require.NoError(t, b.Subscribe("t", "slow", slow.handle))
		for i, w := range fast {
			require.NoError(t, b.Subscribe("t", fmt.Sprint("fast", i), w.handle))
		}
		var drains sync.WaitGroup
		for range 4 {
			drains.Go(func() {
				for range 50 {
					_, err := b.Drain()
					assert.NoError(t, err)
				}
			})
		}
		for range messages {
			publish(t, b, "x")
		}
		for _, w := range fast {
			<-w.done // while slow is in its first call
		}
		drains.Wait()
		assert.LessOrEqual(t, slow.next.Load(), int64(1))
		close(release)
		<-slow.done
	})
}

// A witness is a handler that checks that it gets every message once, in order,
// and one at a time.
type witness struct {
	t       *testing.T
	pause   func()
	running atomic.Int32
	next    atomic.Int64
	last    int64
	done    chan struct{} // closed at the last message
}

func newWitness(t *testing.T, messages int64, pause func()) *witness {
	return &witness{t: t, pause: pause, last: messages - 1, done: make(chan struct{})}
}

func (w *witness) handle(_ context.Context, m Message) error {
	assert.EqualValues(w.t, 1, w.running.Add(1), "one call at a time")
	defer w.running.Add(-1)
	assert.Equal(w.t, w.next.Add(1)-1, m.Offset, "in order")
	if w.pause != nil {
		w.pause()
	}
	if m.Offset == w.last {
		close(w.done)
	}
	return nil
}

// Several goroutines drain one synchronous broker while others publish: each
// subscription still gets everything once, in order, one at a time, and every
// confirmation is counted by exactly one of the drains (PS-05, PS-10).
func TestConcurrentDrains_PS05_PS10(t *testing.T) {
	const messages, subscribers = 2000, 5
	b := open(t, Options{})
	for i := range subscribers {
		require.NoError(t, b.Subscribe("t", fmt.Sprint("s", i), newWitness(t, messages, nil).handle))
	}
	var confirmed atomic.Int64
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for confirmed.Load() < messages*subscribers {
				n, err := b.Drain()
				assert.NoError(t, err)
				confirmed.Add(int64(n))
			}
		})
	}
	wg.Go(func() {
		for range messages {
			publish(t, b, "x")
		}
	})
	wg.Wait()
	require.EqualValues(t, messages*subscribers, confirmed.Load())
}

// No call begins after Unsubscribe returned. A call begins when the broker hands
// its message out: one that another goroutine had in its hands by then, and only
// that, may still reach the handler, whose context is done (PS-08).
func TestNothingBeginsAfterUnsubscribe_PS08(t *testing.T) {
	inRealTime(t, func(t *testing.T, o Options) {
		b := open(t, o)
		stop := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					publish(t, b, "x")
				}
			}
		})
		for range 500 {
			leaveAmongCalls(t, b)
		}
		close(stop)
		wg.Wait()
	})
}

func leaveAmongCalls(t *testing.T, b *Broker) {
	var left atomic.Bool
	var late, calls atomic.Int32
	begun := make(chan struct{})
	require.NoError(t, b.Subscribe("t", "a", func(ctx context.Context, _ Message) error {
		if calls.Add(1) == 3 {
			close(begun)
		}
		if left.Load() {
			assert.ErrorIs(t, ctx.Err(), context.Canceled)
			assert.EqualValues(t, 1, late.Add(1), "only a call that had begun")
		}
		return nil
	}))
	<-begun
	ended, err := b.Unsubscribe("t", "a")
	left.Store(true)
	require.True(t, ended && err == nil)
}

// On the goroutine that unsubscribes there is no such call: in a handler of the
// synchronous broker nothing of the other begins from then on.
func TestNothingBeginsAfterUnsubscribeInAHandler_PS08(t *testing.T) {
	b := open(t, Options{})
	var left atomic.Bool
	record(t, b, "a", func(context.Context, Message) error {
		for _, name := range []string{"b", "c"} {
			_, err := b.Unsubscribe("t", name)
			assert.NoError(t, err)
		}
		left.Store(true)
		return nil
	})
	for _, name := range []string{"b", "c"} {
		record(t, b, name, func(context.Context, Message) error {
			assert.False(t, left.Load())
			return nil
		})
	}
	publish(t, b, "x", "y")
	require.Equal(t, 2, drain(t, b))
}

// The members of a group come and go: every message goes to one of them, in
// order, and one at a time (PS-10, PS-14).
func TestGroupWhoseMembersChange_PS14(t *testing.T) {
	const messages = 3000
	inRealTime(t, func(t *testing.T, o Options) {
		b := open(t, o)
		w := newWitness(t, messages, nil)
		join := func(member string) error { return b.Subscribe("t", member, w.handle, InGroup("g")) }
		require.NoError(t, join("stays"))
		var wg sync.WaitGroup
		for _, member := range []string{"a", "b", "c"} {
			wg.Go(func() {
				for w.next.Load() < messages {
					assert.NoError(t, join(member))
					_, err := b.Unsubscribe("t", member)
					assert.NoError(t, err)
				}
			})
		}
		for range messages {
			publish(t, b, "x")
		}
		<-w.done
		wg.Wait()
	})
}

// Everything at once on few names. With -race this also proves the locking; the
// invariants are walked by the tests of package engine.
func TestConcurrentUse_PS16(t *testing.T) {
	for name, o := range map[string]Options{
		"synchronous": {}, "lanes": {Dispatcher: Lanes}, "pool": {Dispatcher: Pool, Workers: 2},
		"pool, limited": {Dispatcher: Pool, Workers: 2, HandlerTimeout: time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			o.MaxAttempts, o.BlockTimeout = 2, time.Millisecond
			b := open(t, o, Retain(3))
			var wg sync.WaitGroup
			for seed := range 6 {
				wg.Go(func() {
					random := rand.New(rand.NewPCG(uint64(seed), 1))
					for range 500 {
						anyCall(b, random)
					}
				})
			}
			wg.Wait()
		})
	}
}

func anyCall(b *Broker, random *rand.Rand) {
	name := []string{"a", "b", "c"}[random.IntN(3)]
	switch random.IntN(9) {
	case 0, 1:
		subscribeAny(b, name, random)
	case 2:
		_, _ = b.Unsubscribe("t", name)
	case 3, 4, 5:
		_, _ = b.Publish("t", "x")
	case 6:
		_, _ = b.Drain()
	case 7:
		_, _ = b.Redeliver("t", name)
	case 8:
		next, _ := b.Offset("t", name)
		_, _ = b.Seek("t", name, max(0, next-1))
	}
}

func subscribeAny(b *Broker, name string, random *rand.Rand) {
	options := []SubscribeOption{WithPolicy(Policy(random.IntN(3)))}
	if random.IntN(2) == 0 {
		options = append(options, InGroup("g"))
	}
	slow := random.IntN(4) == 0
	_ = b.Subscribe("t", name, func(_ context.Context, m Message) error {
		if slow && m.Attempt == 1 {
			time.Sleep(2 * time.Millisecond) // past the time-out of the limited pool
		}
		switch m.Offset % 4 {
		case 0:
			return errNo
		case 1:
			_, _ = b.Unsubscribe("t", name)
		case 2:
			_, _ = b.Publish("t", "y")
		}
		return nil
	}, options...)
}
