package pubsub

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker"
)

// A badError panics when it is asked what it says.
type badError struct{}

func (*badError) Error() string { panic("it cannot be said") }

// An unspeakable panics with itself when it is asked what it says, which is more
// than fmt recovers from.
type unspeakable struct{}

func (u unspeakable) String() string { panic(u) }

// A quitter ends the goroutine of whoever asks what it says.
type quitter struct{}

func (quitter) String() string { runtime.Goexit(); return "" }

// Whatever a handler does instead of returning nil, the message is offered again,
// the others are served, and why it failed is kept (PS-03, PS-06, PS-07).
func TestHandlerFails_PS03(t *testing.T) {
	for text, fail := range map[string]func() error{
		"no":                                    func() error { return errNo },
		"panic: no":                             func() error { panic(errNo) },
		"panic: 7":                              func() error { panic(7) },
		"panic: panic called with nil argument": func() error { panic(nil) },
		"panic: runtime error: index out of range": func() error { return []error{}[len(t.Name())] },
		"panic: it cannot be said":                 func() error { return &badError{} },
		"unspeakable, whose text panics":           func() error { panic(unspeakable{}) },
		"\uFFFD":                                   func() error { return errors.New("\xff\xfe") },
	} {
		b := open(t, Options{MaxAttempts: 2})
		bad := record(t, b, "bad", func(context.Context, Message) error { return fail() })
		good := record(t, b, "good", nil)
		publish(t, b, "x")
		require.Equal(t, 1, drain(t, b), text)
		require.Equal(t, 0, drain(t, b), text)
		assert.Equal(t, "x1 x2", bad.String())
		assert.Equal(t, "x1", good.String())
		letters, err := b.DeadLetters("t", "bad")
		require.NoError(t, err)
		require.Len(t, letters, 1)
		assert.Contains(t, letters[0].Error, text)
	}
}

func TestErrorTextIsCut_PS07(t *testing.T) {
	for _, text := range []string{strings.Repeat("x", 1025), "x" + strings.Repeat("é", 512)} {
		b := open(t, Options{MaxAttempts: 1})
		record(t, b, "a", func(context.Context, Message) error { return errors.New(text) })
		publish(t, b, "x")
		drain(t, b)
		letters, err := b.DeadLetters("t", "a")
		require.NoError(t, err)
		assert.Equal(t, text[:len(letters[0].Error)], letters[0].Error)
		assert.InDelta(t, 1024, len(letters[0].Error), 1)
	}
}

// As t.FailNow does: the try has failed, and the goroutine that drains ends.
func TestGoexitComesOutOfDrain_PS03(t *testing.T) {
	for name, exit := range map[string]func(){
		"in the handler":       runtime.Goexit,
		"in its panic's value": func() { panic(quitter{}) },
	} {
		t.Run(name, func(t *testing.T) { checkGoexit(t, exit) })
	}
}

func checkGoexit(t *testing.T, exit func()) {
	t.Helper()
	b := open(t, Options{})
	exits := record(t, b, "exits", func(_ context.Context, m Message) error {
		if m.Attempt == 1 {
			exit()
		}
		return nil
	})
	other := record(t, b, "other", nil)
	publish(t, b, "x")
	returned, ended := false, make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = b.Drain()
		returned = true
	}()
	<-ended
	require.False(t, returned)
	status, err := b.Status("t", "exits")
	require.NoError(t, err)
	require.Equal(t, Status{Subscribed: true, Attempts: 1}, status)
	require.Equal(t, 2, drain(t, b), "nothing is left in the hands of a drain that is no more")
	require.Equal(t, "x1 x2", exits.String())
	require.Equal(t, "x1", other.String())
}

// Also where that was the last try, so that the turn would have gone on.
func TestGoexitInTheLastTry_PS03_PS07(t *testing.T) {
	b := open(t, Options{MaxAttempts: 1})
	exits := record(t, b, "exits", func(_ context.Context, m Message) error {
		if m.Payload == "x" {
			runtime.Goexit()
		}
		return nil
	})
	publish(t, b, "x", "y")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = b.Drain()
	}()
	<-ended
	require.Equal(t, 1, drain(t, b))
	require.Equal(t, "x1 y1", exits.String())
}

// A worker whose handler ends its goroutine is replaced (PS-03, PS-11).
func TestGoexitInAWorker_PS03_PS11(t *testing.T) {
	inBubbles(t, func(t *testing.T, o Options) {
		b := open(t, o)
		exits := record(t, b, "exits", func(_ context.Context, m Message) error {
			if m.Attempt < 3 {
				runtime.Goexit()
			}
			return nil
		})
		publish(t, b, "x", "y")
		time.Sleep(time.Minute)
		assert.Equal(t, "x1 x2 x3 y1 y2 y3", exits.String())
	})
}

// A thread that was lost, and is one too many when it comes back, is not replaced
// where its handler ends it.
func TestGoexitPastTheTimeout_PS11(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := open(t, Options{Dispatcher: Pool, Workers: 2, HandlerTimeout: time.Second, MaxAttempts: 1})
		before := len(b.allWorkers())
		for _, name := range []string{"a", "b", "c", "d"} {
			record(t, b, name, func(context.Context, Message) error {
				time.Sleep(time.Minute)
				runtime.Goexit()
				return nil
			})
		}
		publish(t, b, "x")
		time.Sleep(30 * time.Second)
		require.Greater(t, len(b.allWorkers()), before, "lost threads have been replaced")
		time.Sleep(time.Hour)
		synctest.Wait()
		require.Len(t, b.allWorkers(), before)
	})
}

// A handler may call anything of the broker (PS-03).
func TestHandlerCallsTheBroker_PS03(t *testing.T) {
	b := open(t, Options{MaxAttempts: 1})
	fails := record(t, b, "fails", refuseOnly("x", 1))
	record(t, b, "a", func(_ context.Context, m Message) error {
		if m.Payload != "x" {
			return nil
		}
		publish(t, b, "y")
		made, err := b.CreateTopic("u")
		assert.True(t, made && err == nil)
		assert.NoError(t, b.Subscribe("u", "late", (&tape{}).handle))
		assert.Equal(t, 1, drain(t, b), "y to the one that failed")
		count, err := b.Redeliver("t", "fails")
		assert.True(t, count == 1 && err == nil)
		offset, err := b.Offset("t", "a")
		assert.True(t, offset == 0 && err == nil)
		moved, err := b.Seek("t", "a", 1)
		assert.True(t, moved && err == nil)
		return nil
	})
	publish(t, b, "x")
	require.Equal(t, 2, drain(t, b), "x and y to a")
	require.Equal(t, "x1 y1", fails.String())
}

func TestHandlerUnsubscribesItself_PS08(t *testing.T) {
	for name, o := range map[string]Options{"synchronous": {}, "lanes": {Dispatcher: Lanes}, "pool": {Dispatcher: Pool}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := open(t, o)
				var during error
				leaves := record(t, b, "leaves", func(ctx context.Context, _ Message) error {
					ended, err := b.Unsubscribe("t", "leaves")
					assert.True(t, ended && err == nil)
					during = ctx.Err()
					return nil
				})
				stays := record(t, b, "stays", nil)
				publish(t, b, "x", "y")
				confirmed := drain(t, b)
				synctest.Wait()
				assert.Equal(t, "x1", leaves.String())
				assert.Equal(t, "x1 y1", stays.String())
				assert.ErrorIs(t, during, context.Canceled)
				if name == "synchronous" {
					assert.Equal(t, 3, confirmed, "what it confirmed when it had left counts")
				}
			})
		})
	}
}

func TestHandlerClosesTheBroker_PS08(t *testing.T) {
	b := open(t, Options{})
	closes := record(t, b, "closes", func(ctx context.Context, _ Message) error {
		assert.NoError(t, b.Close(), "it does not wait for itself")
		return ctx.Err()
	})
	other := record(t, b, "other", nil)
	publish(t, b, "x", "y")
	confirmed, err := b.Drain()
	assert.NoError(t, err)
	assert.Zero(t, confirmed)
	assert.Equal(t, "x1", closes.String())
	assert.Empty(t, other.String())
	_, err = b.Drain()
	assert.ErrorIs(t, err, broker.ErrClosed)
}

func TestHandlerOfAWorkerClosesTheBroker_PS08(t *testing.T) {
	inBubbles(t, func(t *testing.T, o Options) {
		b := open(t, o)
		record(t, b, "a", func(context.Context, Message) error { return b.Close() })
		publish(t, b, "x", "y")
		synctest.Wait()
		require.Empty(t, b.allWorkers())
		_, err := b.Publish("t", "z")
		require.ErrorIs(t, err, broker.ErrClosed)
	})
}

func TestFilter_PS12(t *testing.T) {
	b := open(t, Options{MaxAttempts: 2})
	some := record(t, b, "some", nil, Where(func(m Message) bool {
		if m.Payload == "bad" {
			panic("no")
		}
		return m.Payload != "other"
	}))
	all := record(t, b, "all", nil, Where(nil))
	publish(t, b, "x", "other", "bad", "y")
	require.Equal(t, 5, drain(t, b), "x to some, four to all")
	status, err := b.Status("t", "some")
	require.NoError(t, err)
	require.Equal(t, Status{Subscribed: true, Offset: 2, Attempts: 1}, status)
	require.Equal(t, 1, drain(t, b))
	assert.Equal(t, "x1 y1", some.String())
	assert.Equal(t, "x1 other1 bad1 y1", all.String())
	letters, err := b.DeadLetters("t", "some")
	require.NoError(t, err)
	assert.Equal(t, []Letter{{2, "bad", 2, "panic: no"}}, letters)
}

func TestContextIsDone_PS08_PS11(t *testing.T) {
	waits := func(ctx context.Context, _ Message) error {
		<-ctx.Done()
		return ctx.Err()
	}
	for name, end := range map[string]func(*Broker){
		"unsubscribe": func(b *Broker) { _, _ = b.Unsubscribe("t", "a") },
		"close":       func(b *Broker) { _ = b.Close() },
		"time-out":    func(*Broker) { time.Sleep(time.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := open(t, Options{Dispatcher: Pool, HandlerTimeout: time.Second})
				var got error
				record(t, b, "a", func(ctx context.Context, m Message) error {
					got = waits(ctx, m)
					return got
				})
				publish(t, b, "x")
				synctest.Wait()
				end(b)
				synctest.Wait()
				assert.Equal(t, name == "time-out", errors.Is(got, context.DeadlineExceeded), "%v", got)
				assert.Equal(t, name != "time-out", errors.Is(got, context.Canceled), "%v", got)
			})
		})
	}
}
