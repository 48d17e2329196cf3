package pubsub

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// A publish wakes delivery, and a drain returns 0 at once.
func TestPublishDelivers_PS11(t *testing.T) {
	inBubbles(t, func(t *testing.T, o Options) {
		b := open(t, o)
		a, c := record(t, b, "a", nil), record(t, b, "c", nil)
		publish(t, b, "x", "y")
		require.Zero(t, drain(t, b))
		synctest.Wait()
		assert.Equal(t, "x1 y1", a.String())
		assert.Equal(t, "x1 y1", c.String())
	})
}

// 100 ms, twice as long each time, at most 10 s, and 100 ms again after a
// confirmation.
func TestBackoff_PS11(t *testing.T) {
	inBubbles(t, func(t *testing.T, o Options) {
		o.MaxAttempts = NoLimit
		b := open(t, o)
		var rests []time.Duration
		last := time.Now()
		record(t, b, "a", func(_ context.Context, m Message) error {
			rests = append(rests, time.Since(last))
			last = time.Now()
			if m.Payload == "x" && m.Attempt <= 9 || m.Attempt == 1 {
				return errNo
			}
			return nil
		})
		publish(t, b, "x", "y")
		time.Sleep(time.Minute)
		synctest.Wait()
		assert.Equal(t, []time.Duration{
			0, 100e6, 200e6, 400e6, 800e6, 1600e6, 3200e6, 6400e6, 10e9, 10e9, // x, which is confirmed in the end
			0, 100e6, // y
		}, rests)
	})
}

func TestDrainEndsRests_PS11(t *testing.T) {
	inBubbles(t, func(t *testing.T, o Options) {
		b := open(t, o)
		a := record(t, b, "a", refuseOnly("x", 2))
		publish(t, b, "x")
		for range 2 {
			synctest.Wait()
			require.Zero(t, drain(t, b))
		}
		synctest.Wait()
		require.Equal(t, "x1 x2 x3", a.String(), "no time has passed")
	})
}

// So does moving a subscription's place, and offering its dead letters again.
func TestSeekAndRedeliverEndRests_PS09_PS17(t *testing.T) {
	inBubbles(t, func(t *testing.T, o Options) {
		o.MaxAttempts = 2
		b := open(t, o)
		a := record(t, b, "a", refuse)
		publish(t, b, "x")
		synctest.Wait()
		_, err := b.Seek("t", "a", 0)
		require.NoError(t, err)
		synctest.Wait()
		require.Equal(t, "x1 x1", a.String(), "no time has passed")
		require.Zero(t, drain(t, b))
		synctest.Wait()
		publish(t, b, "y")
		synctest.Wait()
		require.Equal(t, "x1 x1 x2 y1", a.String(), "x is a dead letter, and y rests")
		count, err := b.Redeliver("t", "a")
		require.True(t, count == 1 && err == nil)
		synctest.Wait()
		require.Equal(t, "x1 x1 x2 y1 x1", a.String())
	})
}

// A handler that hangs holds up nobody: not its worker, and not the broker's end.
func TestHandlerPastItsTimeout_PS11(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{Dispatcher: Pool, Workers: 1, HandlerTimeout: time.Second})
		release := make(chan struct{})
		slow := record(t, b, "slow", func(context.Context, Message) error {
			<-release
			return nil
		})
		other := record(t, b, "other", nil)
		publish(t, b, "x")
		time.Sleep(999 * time.Millisecond)
		synctest.Wait()
		require.Empty(t, other.String(), "the only worker is taken")
		time.Sleep(time.Millisecond)
		synctest.Wait()
		require.Equal(t, "x1", other.String(), "another has taken its place")
		time.Sleep(time.Hour)
		require.Equal(t, "x1", slow.String(), "nobody else may serve it while the call runs")
		status, err := b.Status("t", "slow")
		require.NoError(t, err)
		require.Equal(t, Status{Subscribed: true, Attempts: 1}, status)

		close(release) // what it answers is ignored, and its rest begins
		time.Sleep(99 * time.Millisecond)
		require.Equal(t, "x1", slow.String())
		time.Sleep(time.Millisecond)
		synctest.Wait()
		require.Equal(t, "x1 x2", slow.String())
		status, err = b.Status("t", "slow")
		require.NoError(t, err)
		require.Equal(t, Status{Subscribed: true, Offset: 1}, status)
	})
}

// More calls than there are workers hang, one after the other.
func TestEveryWorkerIsLostAndReplaced_PS11(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{Dispatcher: Pool, Workers: 2, HandlerTimeout: time.Second, MaxAttempts: 1})
		before := len(b.allWorkers())
		var tapes []*tape
		for i := range 7 {
			tapes = append(tapes, record(t, b, fmt.Sprint("hangs", i), func(context.Context, Message) error {
				time.Sleep(time.Hour)
				return nil
			}))
		}
		last := record(t, b, "last", nil)
		publish(t, b, "x")
		time.Sleep(5 * time.Second)
		synctest.Wait()
		require.Equal(t, "x1", last.String())
		for _, hangs := range tapes {
			require.Equal(t, "x1", hangs.String())
			letters, err := b.DeadLetters("t", "hangs0")
			require.NoError(t, err)
			require.Equal(t, []Letter{{0, "x", 1, "the handler took longer than 1s"}}, letters)
		}
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		require.Len(t, b.allWorkers(), before, "those that came back have ended")
	})
}

// A call may time out between being handed out and its worker's coming to it.
// Whoever closes the broker may not know then that its worker is lost.
func TestTimedOutBeforeItsHandler_PS11(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, err := engine.New(Options{Dispatcher: Pool, HandlerTimeout: time.Second})
		require.NoError(t, err)
		_, err = e.CreateTopic("t", engine.TopicOptions{})
		require.NoError(t, err)
		handler := func(context.Context, Message) error {
			t.Error("the handler is called")
			return nil
		}
		_, err = e.Subscribe("t", "a", &subscriber{handler: handler, ctx: t.Context(), cancel: func() {}}, engine.SubscribeOptions{})
		require.NoError(t, err)
		_, err = e.TryPublish("t", "x")
		require.NoError(t, err)
		d, err := e.Pool().Next(0, 100)
		require.NoError(t, err)
		time.Sleep(time.Second)
		synctest.Wait()
		c := call{delivery: d}
		c.run(time.Second)
		require.True(t, d.Settled())
		e.Close()
		<-e.Done()
	})
}

// A group has one call at a time, whoever's lane or worker it is (PS-14).
func TestGroupTakesTurns_PS10_PS14(t *testing.T) {
	inBubbles(t, func(t *testing.T, o Options) {
		b := open(t, o)
		var order []string
		for _, name := range []string{"a", "b", "c"} {
			record(t, b, name, func(_ context.Context, m Message) error {
				time.Sleep(time.Millisecond) // calls would overlap
				order = append(order, name+m.Payload)
				return nil
			}, InGroup("g"))
		}
		publish(t, b, "1", "2", "3", "4")
		synctest.Wait()
		ended, err := b.Unsubscribe("t", "a") // while it is called
		require.True(t, ended && err == nil)
		time.Sleep(time.Second)
		synctest.Wait()
		assert.Equal(t, []string{"a1", "b2", "c3", "b4"}, order)
	})
}

func TestFallingBehindEndsALane_PS13(t *testing.T) {
	inBubbles(t, func(t *testing.T, o Options) {
		b := open(t, o, Retain(1))
		a := record(t, b, "a", func(context.Context, Message) error {
			time.Sleep(time.Second)
			return nil
		}, WithPolicy(Disconnect))
		publish(t, b, "1")
		synctest.Wait()
		publish(t, b, "2", "3")
		time.Sleep(2 * time.Second)
		synctest.Wait()
		assert.Equal(t, "11", a.String())
		status, err := b.Status("t", "a")
		require.NoError(t, err)
		require.False(t, status.Subscribed)
		require.NotEmpty(t, status.Reason)
	})
}
