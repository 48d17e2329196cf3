package engine

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker"
)

// open makes an engine with the topic t.
func open(t *testing.T, o Options) *Engine {
	e, err := New(o)
	require.NoError(t, err)
	t.Cleanup(e.Close)
	made, err := e.CreateTopic("t", TopicOptions{})
	require.NoError(t, err)
	require.True(t, made)
	return e
}

func publish(t *testing.T, e *Engine, payload string) {
	t.Helper()
	_, err := e.TryPublish("t", payload)
	require.NoError(t, err)
}

func subscribe(t *testing.T, e *Engine, name string) *Worker {
	t.Helper()
	lane, err := e.Subscribe("t", name, name, SubscribeOptions{})
	require.NoError(t, err)
	return lane
}

func TestClose(t *testing.T) {
	j := &recorder{}
	e := open(t, Options{Dispatcher: Pool, Journal: j})
	subscribe(t, e, "a")
	publish(t, e, "x")
	publish(t, e, "y")
	d, err := e.Pool().Next(0, 100)
	require.NoError(t, err)
	e.Close()
	require.True(t, e.Closed())
	select {
	case <-e.Done():
		t.Fatal("a call is under way")
	default:
	}
	_, err = e.Pool().Next(0, 100)
	require.ErrorIs(t, err, broker.ErrClosed)
	stays, err := d.Settle(Confirmed, "")
	require.True(t, stays && err == nil)
	<-e.Done()
	require.Equal(t, 1, j.closed)
	require.EqualValues(t, 1, j.topics[0].Cursors[0].Progress.Next, "what had begun counts")
}

// Nothing reaches the journal once it is closed, whoever closes (PS-08): the
// recorder panics where something does.
func TestCloseTwiceAtOnce(t *testing.T) {
	for range 200 {
		e := open(t, Options{Journal: &recorder{}})
		const topics = 50
		for i := range topics {
			_, err := e.CreateTopic(fmt.Sprint("t", i), TopicOptions{})
			require.NoError(t, err)
		}
		var wg sync.WaitGroup
		publishing := make(chan struct{})
		wg.Go(func() {
			for i := 0; ; i++ {
				if _, err := e.TryPublish(fmt.Sprint("t", topics-1-i%topics), "x"); err != nil {
					assert.ErrorIs(t, err, broker.ErrClosed)
					return
				}
				if i == topics {
					close(publishing)
				}
			}
		})
		<-publishing
		for range 2 {
			wg.Go(func() {
				e.Close()
				<-e.Done()
			})
		}
		wg.Wait()
	}
}

// What subscribed and left leaves nothing behind, also where nothing is published.
func TestWhoLeftIsForgotten(t *testing.T) {
	for _, o := range []Options{{}, {Dispatcher: Lanes}, {Dispatcher: Pool}} {
		e := open(t, o)
		subscribe(t, e, "stays")
		for range 100 {
			subscribe(t, e, "leaves")
			_, err := e.Unsubscribe("t", "leaves")
			require.NoError(t, err)
		}
		topic := e.topics["t"]
		require.LessOrEqual(t, len(topic.caughtUp), 1)
		require.Len(t, topic.cursors, 1)
		require.NoError(t, e.checkStill(nil, nil))
	}
}

// Names may be views of memory that is gone after the call: nobody keeps them.
func TestNamesAreCopied(t *testing.T) {
	j := &recorder{}
	e := open(t, Options{Journal: j})
	name := []byte("u")
	view := func() string { return unsafe.String(&name[0], len(name)) }
	_, err := e.CreateTopic(view(), TopicOptions{})
	require.NoError(t, err)
	name[0] = 'a'
	_, err = e.Subscribe("u", view(), nil, SubscribeOptions{})
	require.NoError(t, err)
	group := view()
	_, err = e.Subscribe("u", "b", nil, SubscribeOptions{Group: &group})
	require.NoError(t, err)
	name[0] = 'x'
	require.NoError(t, e.check())
	require.Equal(t, "u", j.topics[1].Name)
	require.Equal(t, j.kept(), e.kept())
	status, err := e.Status("u", "a")
	require.NoError(t, err)
	require.True(t, status.Subscribed)
}

func TestRoomError(t *testing.T) {
	e := open(t, Options{})
	subscribe(t, e, "a")
	publish(t, e, "payload")
	w, err := e.Drain()
	require.NoError(t, err)
	d, err := w.Next(len("t") + len("payload") - 1)
	require.EqualError(t, err, "the delivery takes 8 bytes")
	require.Nil(t, d)
	d, err = w.Next(8)
	require.NoError(t, err)
	require.Equal(t, "payload", d.Payload)
}

// An Ender hears of the end of its subscription once, however it ends.
func TestEnder(t *testing.T) {
	for name, end := range map[string]func(*Engine){
		"unsubscribe": func(e *Engine) { _, _ = e.Unsubscribe("r", "a") },
		"close":       (*Engine).Close,
		"disconnect": func(e *Engine) {
			for range 2 {
				_, _ = e.TryPublish("r", "x")
			}
			w, _ := e.Drain()
			_, _ = w.Next(100)
		},
	} {
		e := open(t, Options{})
		_, err := e.CreateTopic("r", TopicOptions{Retain: 1})
		require.NoError(t, err)
		var tag ender
		_, err = e.Subscribe("r", "a", &tag, SubscribeOptions{Policy: Disconnect})
		require.NoError(t, err)
		require.Zero(t, int(tag))
		end(e)
		require.Equal(t, 1, int(tag), name)
	}
}

type ender int

func (e *ender) End() { *e++ }

// A worker that gives up at the moment it is woken leaves the work to another.
func TestWakeUpIsNotLost(t *testing.T) {
	q := newQueue(2, false)
	_, _, first := q.tryTake()
	_, _, second := q.tryTake()
	q.push(&cursor{})
	<-second
	require.True(t, q.leave(second))
	<-first
	c, open, _ := q.tryTake()
	require.True(t, c != nil && open)
}

// A rest that was ended while its timer was about to fire does not end the next
// one.
func TestRestEndsOnlyItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := open(t, Options{Dispatcher: Pool})
		subscribe(t, e, "a")
		publish(t, e, "x")
		fail := func() *time.Timer {
			d, err := e.Pool().Next(0, 100)
			require.NoError(t, err)
			_, err = d.Settle(Failed, "no")
			require.NoError(t, err)
			return d.cursor.resting
		}
		first := fail()
		_, err := e.Drain()
		require.NoError(t, err)
		second := fail()
		first.Reset(0)
		synctest.Wait()
		require.Same(t, second, e.topics["t"].subs[0].cursor.resting)
	})
}

// A call that ends lets a thread that waits begin another, whoever settles it.
func TestSettlingWakesAnotherThread(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := open(t, Options{Dispatcher: Pool, Workers: 1})
		subscribe(t, e, "a")
		subscribe(t, e, "b")
		publish(t, e, "x")
		first, err := e.Pool().Next(0, 100)
		require.NoError(t, err)
		taken := make(chan *Delivery)
		go func() {
			d, err := e.Pool().Next(time.Hour, 100)
			assert.NoError(t, err)
			taken <- d
		}()
		synctest.Wait()
		_, err = first.Settle(Confirmed, "")
		require.NoError(t, err)
		second := <-taken
		require.NotNil(t, second)
		require.Equal(t, "b", second.Tag)
		_, err = second.Settle(Confirmed, "")
		require.NoError(t, err)
	})
}
