package pubsub

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/eventbroker/eventbroker/broker"
)

// hangs is a handler that says when it began and waits until it is let go.
func hangs() (handler Handler, begun, release chan struct{}) {
	begun, release = make(chan struct{}), make(chan struct{})
	return func(context.Context, Message) error {
		close(begun)
		<-release
		return nil
	}, begun, release
}

// closes closes b on a goroutine and says when that returned.
func closes(b *Broker) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		_ = b.Close()
		close(done)
	}()
	return done
}

func TestCloseWaitsForCalls_PS08(t *testing.T) {
	for name, o := range map[string]Options{"synchronous": {}, "lanes": {Dispatcher: Lanes}, "pool": {Dispatcher: Pool}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := open(t, o)
				handler, begun, release := hangs()
				require.NoError(t, b.Subscribe("t", "a", handler))
				publish(t, b, "x", "y")
				if name == "synchronous" {
					go func() {
						confirmed, err := b.Drain()
						assert.NoError(t, err)
						assert.Equal(t, 1, confirmed, "what had begun counts")
					}()
				}
				<-begun
				first, second := closes(b), closes(b)
				synctest.Wait()
				select {
				case <-first:
					t.Error("the first Close did not wait")
				case <-second:
					t.Error("the second Close did not wait")
				default:
				}
				_, err := b.Publish("t", "z")
				assert.ErrorIs(t, err, broker.ErrClosed)
				close(release)
				<-first
				<-second
			})
		})
	}
}

func TestCloseDoesNotWaitForThoseLost_PS11(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{Dispatcher: Pool, HandlerTimeout: time.Second})
		handler, begun, release := hangs()
		require.NoError(t, b.Subscribe("t", "a", handler))
		publish(t, b, "x")
		<-begun
		began := time.Now()
		require.NoError(t, b.Close())
		require.Equal(t, time.Second, time.Since(began), "until then it was not lost")
		close(release)
		synctest.Wait()
		require.Empty(t, b.allWorkers(), "it ended when it came back")
	})
}

// Close leaves no goroutine, whatever it finds.
func TestCloseLeavesNothing(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	for _, o := range []Options{{}, {Dispatcher: Lanes}, {Dispatcher: Pool}, {Dispatcher: Pool, HandlerTimeout: time.Minute}} {
		b, err := New(o)
		require.NoError(t, err)
		_, err = b.CreateTopic("t")
		require.NoError(t, err)
		for _, name := range []string{"rests", "waits", "left"} {
			record(t, b, name, refuse)
		}
		publish(t, b, "x")
		_, err = b.Unsubscribe("t", "left")
		require.NoError(t, err)
		require.NoError(t, b.Close())
		require.Empty(t, b.allWorkers(), "they have ended, and are not only about to")
		require.Eventually(t, func() bool { return goleak.Find(ignore) == nil }, 10*time.Minute, time.Millisecond, "goleak itself waits half a second")
	}
}

// Everybody closes at once, while publishers, handlers and subscribers go on.
func TestCloseAmongCalls_PS08(t *testing.T) {
	for range 50 {
		for _, o := range []Options{{}, {Dispatcher: Lanes}, {Dispatcher: Pool, HandlerTimeout: time.Minute}} {
			b := open(t, o)
			var after sync.Map
			record(t, b, "a", nil)
			var wg sync.WaitGroup
			for range 3 {
				wg.Go(func() {
					for {
						if _, err := b.Publish("t", "x"); err != nil {
							assert.ErrorIs(t, err, broker.ErrClosed)
							return
						}
						_, _ = b.Drain()
					}
				})
			}
			wg.Go(func() {
				for {
					err := b.Subscribe("t", "b", func(context.Context, Message) error {
						_, late := after.Load("closed")
						assert.False(t, late, "a handler is called after Close returned")
						return nil
					})
					if err != nil {
						assert.ErrorIs(t, err, broker.ErrClosed)
						return
					}
					_, _ = b.Unsubscribe("t", "b")
				}
			})
			for range 2 {
				wg.Go(func() {
					assert.NoError(t, b.Close())
					after.Store("closed", true)
				})
			}
			wg.Wait()
		}
	}
}
