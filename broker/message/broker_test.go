package message

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker"
)

func TestNewJudgesItsArguments(t *testing.T) {
	tests := []struct {
		attempts, maxPayload int
		argument             string // "" when it is fine
	}{
		{1, 0, ""},
		{1<<31 - 1, 1 << 20, ""},
		{0, 0, "max_attempts"},
		{-1, 0, "max_attempts"},
		{1 << 31, 0, "max_attempts"},
		{1<<32 + 1, 0, "max_attempts"},
		{1, -1, "max_payload"},
		{1, 1<<20 + 1, "max_payload"},
	}
	for _, test := range tests {
		b, err := New(test.attempts, Options{MaxPayload: test.maxPayload})
		assert.Equal(t, test.argument, argumentOf(err), "%+v", test)
		assert.Equal(t, test.argument == "", b != nil, "%+v", test)
	}
}

// Each call is fine but for one argument, which the error must name.
func TestErrorsNameTheArgument(t *testing.T) {
	b := brokerWith(t, 1, "payload")
	calls := []struct {
		argument string
		call     func() error
	}{
		{"topic", func() error { _, err := b.CreateTopic("a b"); return err }},
		{"topic", func() error { _, err := b.Publish("unknown", ""); return err }},
		{"payload", func() error { _, err := b.Publish("t", strings.Repeat("x", 1025)); return err }},
		{"group", func() error { _, _, err := b.Poll("t", ""); return err }},
		{"group", func() error { _, err := b.DeadLetters("t", "é"); return err }},
		{"offset", func() error { _, err := b.Ack("t", "g", -1, 1); return err }},
		{"attempt", func() error { _, err := b.Ack("t", "g", 0, 0); return err }},
		{"attempt", func() error { _, err := b.Nack("t", "g", 0, 1<<32+1); return err }},
	}
	for _, test := range calls {
		err := test.call()
		assert.ErrorIs(t, err, broker.ErrInvalidArgument, test.argument)
		assert.Equal(t, test.argument, argumentOf(err))
	}
}

func argumentOf(err error) string {
	var invalid *broker.ArgumentError
	errors.As(err, &invalid)
	if invalid == nil {
		return ""
	}
	return invalid.Argument
}

func TestEveryCallFailsAfterClose(t *testing.T) {
	b := brokerWith(t, 1)
	require.NoError(t, b.Close())
	require.NoError(t, b.Close(), "closing twice is fine")
	for name, b := range map[string]*Broker{"closed": b, "zero": {}} {
		errs := make([]error, 6)
		_, errs[0] = b.CreateTopic("")
		_, errs[1] = b.Publish("", "\xff")
		_, _, errs[2] = b.Poll("", "")
		_, errs[3] = b.Ack("", "", -1, 0)
		_, errs[4] = b.Nack("", "", -1, 0)
		_, errs[5] = b.DeadLetters("", "")
		for i, err := range errs {
			assert.ErrorIs(t, err, broker.ErrClosed, "%s: call %d", name, i)
		}
	}
}

func TestPollWithinDeliversNothingWithoutRoom(t *testing.T) {
	b := brokerWith(t, 2, "payload")
	d, waits, err := b.PollWithin("t", "g", len("payload")-1)
	require.NoError(t, err)
	require.True(t, waits)
	require.Len(t, d.Payload, len("payload"), "the caller learns how much room it takes")
	for attempt := range 3 {
		acked, err := b.Ack("t", "g", 0, max(attempt, 1))
		require.NoError(t, err)
		require.False(t, acked)
	}
	d, waits, err = b.PollWithin("t", "g", len("payload"))
	require.NoError(t, err)
	require.True(t, waits)
	require.Equal(t, Delivery{"t", 0, "payload", 1}, d)
}

func TestPollWithinLessThanNoRoomDeliversNothing(t *testing.T) {
	b := brokerWith(t, 2, "")
	_, waits, err := b.PollWithin("t", "g", -1)
	require.NoError(t, err)
	require.True(t, waits)
	acked, err := b.Ack("t", "g", 0, 1)
	require.NoError(t, err)
	require.False(t, acked)
}

// Consumers of one group compete for each delivery: each message is acked once,
// in order, and its nacks are counted right (MB-06 to MB-08).
func TestConcurrentConsumersSettleEachDeliveryOnce(t *testing.T) {
	const messages, maxAttempts = 500, 3
	b := brokerWith(t, maxAttempts)
	var wg sync.WaitGroup
	var published, acked, nacked atomic.Int64
	for range 2 {
		wg.Go(func() {
			for published.Add(1) <= messages {
				_, err := b.Publish("t", "x")
				assert.NoError(t, err)
			}
		})
	}
	for range 4 {
		wg.Go(func() {
			for acked.Load()+nacked.Load()/maxAttempts < messages {
				d, waits, err := b.Poll("t", "g")
				if !assert.NoError(t, err) || !waits {
					continue
				}
				settle, count := b.Ack, &acked
				if d.Offset%2 == 1 { // odd ones are never acknowledged
					settle, count = b.Nack, &nacked
				}
				if ok, _ := settle("t", "g", d.Offset, d.Attempt); ok {
					count.Add(1)
				}
			}
		})
	}
	wg.Wait()
	assert.EqualValues(t, messages/2, acked.Load())
	assert.EqualValues(t, maxAttempts*messages/2, nacked.Load())
	letters, err := b.DeadLetters("t", "g")
	require.NoError(t, err)
	require.Len(t, letters, messages/2)
	for i, letter := range letters {
		assert.Equal(t, DeadLetter{"t", int64(2*i + 1), "x", maxAttempts}, letter)
	}
}

func TestDeadLettersAreTheCallersOwn(t *testing.T) {
	b := brokerWith(t, 1, "payload")
	_, _, err := b.Poll("t", "g")
	require.NoError(t, err)
	_, err = b.Nack("t", "g", 0, 1)
	require.NoError(t, err)
	for range 2 {
		letters, err := b.DeadLetters("t", "g")
		require.NoError(t, err)
		require.Equal(t, []DeadLetter{{"t", 0, "payload", 1}}, letters)
		letters[0].Payload = "changed"
	}
}

func brokerWith(t *testing.T, maxAttempts int, payloads ...string) *Broker {
	b, err := New(maxAttempts, Options{})
	require.NoError(t, err)
	_, err = b.CreateTopic("t")
	require.NoError(t, err)
	for _, payload := range payloads {
		_, err = b.Publish("t", payload)
		require.NoError(t, err)
	}
	return b
}
