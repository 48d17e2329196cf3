package pubsub

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The document's main use case.
func TestDrain_PS05_PS06(t *testing.T) {
	b := open(t, Options{})
	billing := record(t, b, "billing", refuseOnly("order-2", 1))
	email := record(t, b, "email", nil)
	publish(t, b, "order-1")
	require.Equal(t, 2, drain(t, b))
	publish(t, b, "order-2", "order-3")
	require.Equal(t, 2, drain(t, b))
	offset, err := b.Offset("t", "billing")
	require.NoError(t, err)
	require.EqualValues(t, 1, offset)
	require.Equal(t, 2, drain(t, b))
	require.Equal(t, "order-11 order-21 order-22 order-31", billing.String())
	require.Equal(t, "order-11 order-21 order-31", email.String())
}

// Topics in the order they were created, subscriptions in the order they
// subscribed, each until it has caught up.
func TestDrainOrder_PS05(t *testing.T) {
	b := open(t, Options{})
	var order []string
	for _, topic := range []string{"b", "a"} {
		_, err := b.CreateTopic(topic)
		require.NoError(t, err)
		for _, name := range []string{"2", "1"} {
			require.NoError(t, b.Subscribe(topic, name, func(_ context.Context, m Message) error {
				order = append(order, fmt.Sprint(topic, name, m.Offset))
				if len(order) == 1 {
					_, err := b.Publish("b", "late")
					assert.NoError(t, err)
				}
				return nil
			}))
		}
	}
	for _, topic := range []string{"a", "b"} {
		_, err := b.Publish(topic, "x")
		require.NoError(t, err)
	}
	require.Equal(t, 6, drain(t, b))
	require.Equal(t, []string{"b20", "b21", "b10", "b11", "a20", "a10"}, order)
}

// A drain inside a handler has its own count and its own turns, and passes over
// whom an outer one serves.
func TestDrainInAHandler_PS05_PS10(t *testing.T) {
	b := open(t, Options{})
	var inner []int
	record(t, b, "a", func(context.Context, Message) error {
		inner = append(inner, drain(t, b))
		return nil
	})
	other := record(t, b, "other", refuseOnly("x", 1))
	publish(t, b, "x", "y")
	require.Equal(t, 2, drain(t, b))
	require.Equal(t, []int{0, 2}, inner, "x fails in the first drain, x and y are confirmed in the second")
	require.Equal(t, "x1 x2 y1", other.String())
}

// While one goroutine serves a subscription, another passes over it, and serves
// the others (PS-10).
func TestDrainPassesOver_PS10(t *testing.T) {
	b := open(t, Options{})
	begun, release := make(chan struct{}), make(chan struct{})
	slow := record(t, b, "slow", func(_ context.Context, m Message) error {
		if m.Payload == "x" {
			close(begun)
			<-release
		}
		return nil
	})
	other := record(t, b, "other", nil)
	publish(t, b, "x")
	var wg sync.WaitGroup
	wg.Go(func() { assert.Equal(t, 2, drain(t, b), "x and y to slow") })
	<-begun
	publish(t, b, "y")
	require.Equal(t, 2, drain(t, b), "x and y to the other one")
	close(release)
	wg.Wait()
	assert.Equal(t, "x1 y1", slow.String())
	assert.Equal(t, "x1 y1", other.String())
}

func TestSeekInACall_PS09(t *testing.T) {
	for _, test := range []struct {
		answer error
		first  int
		heard  string
	}{{nil, 4, "x1 y1 x1 y1"}, {errNo, 1, "x1 y1"}} {
		b := open(t, Options{MaxAttempts: 1})
		sought := false
		a := record(t, b, "a", func(_ context.Context, m Message) error {
			if m.Payload == "x" || sought {
				return nil
			}
			sought = true
			moved, err := b.Seek("t", "a", 0)
			assert.True(t, moved && err == nil)
			return test.answer
		})
		publish(t, b, "x", "y")
		require.Equal(t, test.first, drain(t, b))
		require.Equal(t, test.heard, a.String())
		letters, err := b.DeadLetters("t", "a")
		require.NoError(t, err)
		require.Empty(t, letters, "a failure after a seek is no try")
	}
}

func TestRedeliver_PS17(t *testing.T) {
	b := open(t, Options{MaxAttempts: 2})
	failing := true
	a := record(t, b, "a", func(_ context.Context, m Message) error {
		if failing && m.Payload != "z" {
			return errNo
		}
		return nil
	})
	publish(t, b, "x", "y")
	for range 3 {
		require.Zero(t, drain(t, b))
	}
	publish(t, b, "z")
	count, err := b.Redeliver("t", "a")
	require.NoError(t, err)
	require.Equal(t, 2, count)
	letters, err := b.DeadLetters("t", "a")
	require.NoError(t, err)
	require.Empty(t, letters)
	require.Zero(t, drain(t, b), "a failure ends the turn, and z is behind them")
	failing = false
	require.Equal(t, 3, drain(t, b))
	require.Equal(t, "x1 x2 y1 y2 x1 x2 y1 z1", a.String())
}

func TestGroupTakesTurns_PS14(t *testing.T) {
	b := open(t, Options{})
	for _, name := range []string{"a", "b"} {
		record(t, b, name, nil, InGroup("g"))
	}
	alone := record(t, b, "g", nil)
	err := b.Subscribe("t", "c", alone.handle, InGroup("g"), WithPolicy(Disconnect))
	require.Equal(t, "policy", argumentOf(err))
	publish(t, b, "1", "2", "3")
	late := record(t, b, "late", nil, InGroup("g"))
	require.Equal(t, 6, drain(t, b), "three to the group, three to the one of its name")
	require.Equal(t, "31", late.String())
	for _, name := range []string{"a", "b", "late"} {
		_, err := b.Unsubscribe("t", name)
		require.NoError(t, err)
	}
	publish(t, b, "4")
	again := record(t, b, "again", nil, InGroup("g"))
	require.Equal(t, 2, drain(t, b))
	require.Equal(t, "41", again.String(), "the group stood where its last member had left it")
}

func TestFallingBehind_PS13(t *testing.T) {
	b := open(t, Options{}, Retain(2))
	drops := record(t, b, "drops", refuseOnly("1", 1))
	ends := record(t, b, "ends", nil, WithPolicy(Disconnect))
	publish(t, b, "1", "2", "3")
	status, err := b.Status("t", "ends")
	require.NoError(t, err)
	require.Equal(t, Status{Subscribed: true}, status, "nobody has fallen behind before it would be offered the message")
	require.Equal(t, 2, drain(t, b))
	require.Equal(t, "21 31", drops.String())
	require.Empty(t, ends.String())
	status, err = b.Status("t", "drops")
	require.NoError(t, err)
	require.Equal(t, Status{Subscribed: true, Offset: 3, Lost: 1}, status)
	status, err = b.Status("t", "ends")
	require.NoError(t, err)
	require.Equal(t, Status{Offset: Absent, Reason: "its next message, 0, is no longer kept; the earliest is 1"}, status)
	ended, err := b.Unsubscribe("t", "ends")
	require.NoError(t, err)
	require.False(t, ended)
	status, err = b.Status("t", "ends")
	require.NoError(t, err)
	require.Equal(t, Status{Offset: Absent}, status)
}
