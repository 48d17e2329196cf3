package pubsub

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// A faulty journal keeps nothing, and says that it cannot while it is full.
type faulty struct {
	full   atomic.Bool
	closed atomic.Int32
}

var errFull = errors.Join(broker.ErrDiskFull, errors.New("not a byte is left"))

func (f *faulty) keep() error {
	if f.full.Load() {
		return errFull
	}
	return nil
}

func (f *faulty) Load() ([]engine.KeptTopic, error)             { return nil, f.keep() }
func (f *faulty) CreateTopic(string, engine.TopicOptions) error { return f.keep() }
func (f *faulty) Append(string, int64, string, int64) error     { return f.keep() }
func (f *faulty) Forget(string, engine.CursorID) error          { return f.keep() }
func (f *faulty) Close() error                                  { f.closed.Add(1); return nil }
func (f *faulty) Save(string, engine.CursorID, engine.Progress, []engine.Letter, []int64) error {
	return f.keep()
}

func TestNewFailsWithItsJournal_PS15(t *testing.T) {
	j := &faulty{}
	j.full.Store(true)
	b, err := New(Options{Journal: j})
	require.ErrorIs(t, err, broker.ErrDiskFull)
	require.Nil(t, b)
	require.Zero(t, j.closed.Load(), "it is left open")
}

func TestCallsFailWithTheJournal_PS15_PS16(t *testing.T) {
	j := &faulty{}
	b := open(t, Options{Journal: j, MaxAttempts: 1})
	record(t, b, "a", refuseOnly("x", 1))
	publish(t, b, "x", "y")
	drain(t, b)
	j.full.Store(true)
	errs := make([]error, 6)
	_, errs[0] = b.CreateTopic("u")
	errs[1] = b.Subscribe("t", "b", (&tape{}).handle)
	_, errs[2] = b.Publish("t", "z")
	_, errs[3] = b.Unsubscribe("t", "a")
	_, errs[4] = b.Seek("t", "a", 0)
	_, errs[5] = b.Redeliver("t", "a")
	for i, err := range errs {
		assert.ErrorIs(t, err, broker.ErrDiskFull, "call %d", i)
	}
	j.full.Store(false)
	status, err := b.Status("t", "a")
	require.NoError(t, err)
	require.Equal(t, Status{Subscribed: true, Offset: 2}, status)
	letters, err := b.DeadLetters("t", "a")
	require.NoError(t, err)
	require.Len(t, letters, 1)
	made, err := b.CreateTopic("u")
	require.NoError(t, err)
	require.True(t, made)
	require.NoError(t, b.Close())
	require.EqualValues(t, 1, j.closed.Load())
}

// A drain serves the others where one could not be kept, and says so.
func TestDrainWithAFailingJournal_PS15(t *testing.T) {
	j := &faulty{}
	b := open(t, Options{Journal: j}, Retain(1))
	ends := record(t, b, "ends", nil, WithPolicy(Disconnect))
	drops := record(t, b, "drops", nil)
	publish(t, b, "x", "y")
	good := record(t, b, "good", nil)
	publish(t, b, "z")
	j.full.Store(true)
	confirmed, err := b.Drain()
	require.ErrorIs(t, err, broker.ErrDiskFull)
	require.Zero(t, confirmed, "what could not be kept does not count")
	require.Equal(t, "z1", good.String(), "the others were served")
	j.full.Store(false)
	require.Equal(t, 2, drain(t, b))
	require.Empty(t, ends.String())
	require.Equal(t, "z1", drops.String())
	require.Equal(t, "z1 z1", good.String(), "it is offered again, and that is no second try")
}

// A worker survives a journal that fails, and tries again later.
func TestWorkersWithAFailingJournal_PS11_PS15(t *testing.T) {
	inBubbles(t, func(t *testing.T, o Options) {
		j := &faulty{}
		o.Journal = j
		b := open(t, o, Retain(1))
		ends := record(t, b, "ends", func(context.Context, Message) error {
			time.Sleep(time.Second / 2)
			return nil
		}, WithPolicy(Disconnect))
		other := record(t, b, "other", nil)
		publish(t, b, "x")
		synctest.Wait()
		publish(t, b, "y", "z") // ends falls behind
		synctest.Wait()
		j.full.Store(true)
		time.Sleep(time.Minute)
		j.full.Store(false)
		time.Sleep(time.Minute)
		status, err := b.Status("t", "ends")
		require.NoError(t, err)
		require.False(t, status.Subscribed)
		publish(t, b, "last")
		synctest.Wait()
		assert.Equal(t, "last1", other.String()[len(other.String())-5:])
		assert.NotContains(t, ends.String(), "last")
	})
}

// Where what a handler confirmed cannot be kept, it is asked less and less often.
func TestBackoffWithAFailingJournal_PS11(t *testing.T) {
	inBubbles(t, func(t *testing.T, o Options) {
		j := &faulty{}
		o.Journal = j
		b := open(t, o)
		calls := 0
		record(t, b, "a", func(context.Context, Message) error {
			calls++
			j.full.Store(true)
			return nil
		})
		publish(t, b, "x")
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, 12, calls, "after 100 ms, 200 ms and so on up to 10 s")
	})
}
