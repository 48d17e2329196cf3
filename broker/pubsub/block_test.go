package pubsub

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker"
)

// full is a topic that keeps one message, which a subscription with the policy
// block has not taken. Its handler waits for leave to confirm.
func full(t *testing.T, o Options) (*Broker, chan error) {
	b := open(t, o, Retain(1))
	leave := make(chan error)
	record(t, b, "blocks", func(ctx context.Context, _ Message) error {
		select {
		case err := <-leave:
			return err
		case <-ctx.Done():
			return nil
		}
	}, WithPolicy(Block))
	publish(t, b, "x")
	synctest.Wait()
	return b, leave
}

func TestPublishWaitsAndFails_PS13(t *testing.T) {
	inBubbles(t, func(t *testing.T, o Options) {
		o.BlockTimeout, o.HandlerTimeout = 300*time.Millisecond, 0
		b, leave := full(t, o)
		began := time.Now()
		_, err := b.TryPublish("t", "y")
		require.ErrorIs(t, err, broker.ErrTimedOut)
		require.Zero(t, time.Since(began))
		_, err = b.Publish("t", "y")
		require.ErrorIs(t, err, broker.ErrTimedOut)
		require.EqualError(t, err, `timed out: topic "t" is full and "blocks" has not taken its earliest message`)
		require.Equal(t, 300*time.Millisecond, time.Since(began))
		leave <- nil
		synctest.Wait()
		offset, err := b.Publish("t", "z")
		require.NoError(t, err)
		require.EqualValues(t, 1, offset, "no offset was used up")
	})
}

// Whatever takes the message, or whoever needs it away, lets the publisher go on.
func TestPublishWaitsUntilThereIsRoom_PS13(t *testing.T) {
	for name, test := range map[string]struct {
		free func(*Broker, chan error)
		want error
	}{
		"confirmed":    {free: func(_ *Broker, leave chan error) { leave <- nil }},
		"parked":       {free: func(_ *Broker, leave chan error) { leave <- errNo }},
		"unsubscribed": {free: func(b *Broker, _ chan error) { _, _ = b.Unsubscribe("t", "blocks") }},
		"sought":       {free: func(b *Broker, _ chan error) { _, _ = b.Seek("t", "blocks", 1) }},
		"closed":       {free: func(b *Broker, _ chan error) { _ = b.Close() }, want: broker.ErrClosed},
	} {
		t.Run(name, func(t *testing.T) {
			inBubbles(t, func(t *testing.T, o Options) {
				o.MaxAttempts, o.HandlerTimeout = 1, 0
				b, leave := full(t, o)
				published := make(chan error)
				go func() {
					_, err := b.Publish("t", "y")
					published <- err
				}()
				synctest.Wait()
				began := time.Now()
				test.free(b, leave)
				assert.ErrorIs(t, <-published, test.want)
				assert.Zero(t, time.Since(began), "at once")
			})
		})
	}
}

// Closing wakes a publisher also where no call ends by it.
func TestCloseWakesPublishers_PS13(t *testing.T) {
	inBubbles(t, func(t *testing.T, o Options) {
		b := open(t, o, Retain(1))
		record(t, b, "a", refuse, WithPolicy(Block))
		publish(t, b, "x")
		synctest.Wait()
		published := make(chan error)
		go func() {
			_, err := b.Publish("t", "y")
			published <- err
		}()
		synctest.Wait()
		began := time.Now()
		require.NoError(t, b.Close())
		require.ErrorIs(t, <-published, broker.ErrClosed)
		require.Zero(t, time.Since(began))
	})
}

// Several publishers wait for the same place: each message gets an offset of its
// own, and nobody is forgotten.
func TestManyPublishersWait_PS13(t *testing.T) {
	inBubbles(t, func(t *testing.T, o Options) {
		o.HandlerTimeout = 0
		b, leave := full(t, o)
		offsets := make(chan int64)
		for range 3 {
			go func() {
				offset, err := b.Publish("t", "y")
				assert.NoError(t, err)
				offsets <- offset
			}()
		}
		for next := range int64(3) {
			leave <- nil
			assert.Equal(t, next+1, <-offsets)
		}
	})
}

// Inside a handler nothing waits, however far down the stack, and of whichever
// broker; what a handler starts may wait.
func TestPublishInAHandler_PS13(t *testing.T) {
	for _, depth := range []int{0, 1, 30, 60, 61, 62, 63, 64, 65, 200} {
		inBubbles(t, func(t *testing.T, o Options) {
			o.HandlerTimeout = 0
			b, _ := full(t, o)
			other := open(t, Options{})
			began := time.Now()
			record(t, other, "a", func(context.Context, Message) error {
				nested(depth, func() {
					_, err := b.Publish("t", "y")
					assert.ErrorIs(t, err, broker.ErrTimedOut)
				})
				return nil
			}, Where(func(Message) bool {
				_, err := b.Publish("t", "y")
				return assert.ErrorIs(t, err, broker.ErrTimedOut)
			}))
			publish(t, other, "x")
			require.Equal(t, 1, drain(t, other))
			require.Zero(t, time.Since(began))
		})
	}
}

func TestPublishBesideAHandler_PS13(t *testing.T) {
	inBubbles(t, func(t *testing.T, o Options) {
		o.HandlerTimeout = 0
		b, _ := full(t, o)
		other := open(t, Options{})
		began := time.Now()
		record(t, other, "a", func(context.Context, Message) error {
			done := make(chan error)
			go func() {
				_, err := b.Publish("t", "y")
				done <- err
			}()
			return <-done
		})
		publish(t, other, "x")
		require.Zero(t, drain(t, other))
		require.Equal(t, time.Second, time.Since(began), "the default")
	})
}

// A group without members holds up nobody.
func TestWhoHoldsUpNobody_PS13_PS14(t *testing.T) {
	inBubbles(t, func(t *testing.T, o Options) {
		b := open(t, o, Retain(1))
		record(t, b, "a", refuse, InGroup("g"), WithPolicy(Block))
		publish(t, b, "x")
		synctest.Wait()
		_, err := b.TryPublish("t", "y")
		require.ErrorIs(t, err, broker.ErrTimedOut)
		_, err = b.Unsubscribe("t", "a")
		require.NoError(t, err)
		publish(t, b, "y", "z")
		back := record(t, b, "a", nil, InGroup("g"), WithPolicy(Block))
		time.Sleep(time.Minute)
		synctest.Wait()
		require.Equal(t, "z1", back.String())
		status, err := b.Status("t", "a")
		require.NoError(t, err)
		require.Equal(t, Status{Subscribed: true, Offset: 3, Lost: 2}, status)
	})
}
