package pubsub

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/eventbroker/eventbroker/broker"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var errNo = errors.New("no")

// dispatchers with workers: what holds for one holds for all.
var withWorkers = map[string]Options{
	"lanes":         {Dispatcher: Lanes},
	"pool":          {Dispatcher: Pool, Workers: 2},
	"pool, limited": {Dispatcher: Pool, Workers: 2, HandlerTimeout: time.Second},
}

// inBubbles runs the test in a bubble, whose clock is a fake, for each of them.
func inBubbles(t *testing.T, test func(*testing.T, Options)) {
	for name, options := range withWorkers {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { test(t, options) })
		})
	}
}

// inRealTime runs the test for each of them on the machine's clock, by which any
// call may take a second where others want the processors.
func inRealTime(t *testing.T, test func(*testing.T, Options)) {
	for name, options := range withWorkers {
		options.HandlerTimeout *= 3600
		t.Run(name, func(t *testing.T) { test(t, options) })
	}
}

// open makes a broker with the topic t, which is closed when the test ends.
func open(t *testing.T, o Options, options ...TopicOption) *Broker {
	b, err := New(o)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, b.Close()) })
	made, err := b.CreateTopic("t", options...)
	require.NoError(t, err)
	require.True(t, made)
	return b
}

func publish(t *testing.T, b *Broker, payloads ...string) {
	t.Helper()
	for _, payload := range payloads {
		_, err := b.Publish("t", payload)
		require.NoError(t, err)
	}
}

func drain(t *testing.T, b *Broker) int {
	t.Helper()
	confirmed, err := b.Drain()
	require.NoError(t, err)
	return confirmed
}

// A tape is a handler that writes down what it was given and answers what it is
// told to.
type tape struct {
	mu     sync.Mutex
	heard  []string
	answer func(context.Context, Message) error // nil confirms everything
}

func (r *tape) handle(ctx context.Context, m Message) error {
	r.mu.Lock()
	r.heard = append(r.heard, fmt.Sprint(m.Payload, m.Attempt))
	r.mu.Unlock()
	if r.answer == nil {
		return nil
	}
	return r.answer(ctx, m)
}

// String is payload and try of each call.
func (r *tape) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.heard, " ")
}

// record subscribes a tape.
func record(t *testing.T, b *Broker, name string, answer func(context.Context, Message) error, options ...SubscribeOption) *tape {
	t.Helper()
	r := &tape{answer: answer}
	require.NoError(t, b.Subscribe("t", name, r.handle, options...))
	return r
}

func refuse(context.Context, Message) error { return errNo }

// refuseOnly fails the first tries of a payload.
func refuseOnly(payload string, tries int) func(context.Context, Message) error {
	return func(_ context.Context, m Message) error {
		if m.Payload == payload && m.Attempt <= tries {
			return errNo
		}
		return nil
	}
}

func argumentOf(err error) string {
	var invalid *broker.ArgumentError
	if errors.As(err, &invalid) {
		return invalid.Argument
	}
	return ""
}

func TestNewJudgesItsOptions_PS11_PS16(t *testing.T) {
	tests := []struct {
		options  Options
		argument string // "" where it is fine
	}{
		{Options{MaxAttempts: NoLimit, BlockTimeout: 24 * time.Hour, MaxPayload: 1 << 20}, ""},
		{Options{Dispatcher: Pool, Workers: 1024, HandlerTimeout: time.Millisecond}, ""},
		{Options{Dispatcher: 3}, "dispatcher"},
		{Options{Dispatcher: -1}, "dispatcher"},
		{Options{Workers: 1}, "workers"},
		{Options{Dispatcher: Lanes, Workers: 1}, "workers"},
		{Options{Dispatcher: Pool, Workers: -1}, "workers"},
		{Options{Dispatcher: Pool, Workers: 1025}, "workers"},
		{Options{Dispatcher: Lanes, HandlerTimeout: time.Second}, "handler_timeout"},
		{Options{Dispatcher: Pool, HandlerTimeout: time.Microsecond}, "handler_timeout"},
		{Options{Dispatcher: Pool, HandlerTimeout: 25 * time.Hour}, "handler_timeout"},
		{Options{MaxAttempts: -1}, "max_attempts"},
		{Options{MaxAttempts: math.MaxInt32 + 1}, "max_attempts"},
		{Options{BlockTimeout: -time.Second}, "block_timeout"},
		{Options{BlockTimeout: time.Nanosecond}, "block_timeout"},
		{Options{MaxPayload: -1}, "max_payload"},
		{Options{MaxPayload: 1<<20 + 1}, "max_payload"},
	}
	for _, test := range tests {
		b, err := New(test.options)
		assert.Equal(t, test.argument, argumentOf(err), "%+v", test.options)
		if err == nil {
			assert.NoError(t, b.Close())
		}
	}
}

// Each call is fine but for one argument, which the error must name.
func TestErrorsNameTheArgument_PS16(t *testing.T) {
	b := open(t, Options{})
	record(t, b, "a", nil)
	subscribe := func(topic, name string, handler Handler, options ...SubscribeOption) func() error {
		return func() error { return b.Subscribe(topic, name, handler, options...) }
	}
	handler := (&tape{}).handle
	calls := []struct {
		argument string
		call     func() error
	}{
		{"topic", func() error { _, err := b.CreateTopic("a b"); return err }},
		{"retain", func() error { _, err := b.CreateTopic("u", Retain(-1)); return err }},
		{"retain", func() error { _, err := b.CreateTopic("t", Retain(math.MaxInt32+1)); return err }},
		{"topic", subscribe("unknown", "b", handler)},
		{"name", subscribe("t", "", handler)},
		{"name", subscribe("t", "a", handler)},
		{"name", subscribe("t", "a", handler, InGroup("g"))},
		{"handler", subscribe("t", "b", nil)},
		{"group", subscribe("t", "b", handler, InGroup(""))},
		{"filter", subscribe("t", "b", handler, InGroup("g"), Where(func(Message) bool { return true }))},
		{"policy", subscribe("t", "b", handler, WithPolicy(Block))},
		{"policy", subscribe("t", "b", handler, WithPolicy(3))},
		{"payload", func() error { _, err := b.Publish("t", strings.Repeat("x", 1025)); return err }},
		{"payload", func() error { _, err := b.TryPublish("t", "\xff"); return err }},
		{"name", func() error { _, err := b.Unsubscribe("unknown", "é"); return err }},
		{"offset", func() error { _, err := b.Seek("unknown", "a", -1); return err }},
		{"offset", func() error { _, err := b.Seek("t", "a", 1); return err }},
		{"name", func() error { _, err := b.Offset("t", "a\x00b"); return err }},
		{"name", func() error { _, err := b.DeadLetters("t", ""); return err }},
		{"topic", func() error { _, err := b.Redeliver("", "a"); return err }},
		{"name", func() error { _, err := b.Status("t", ""); return err }},
	}
	for i, test := range calls {
		err := test.call()
		assert.ErrorIs(t, err, broker.ErrInvalidArgument, "call %d", i)
		assert.Equal(t, test.argument, argumentOf(err), "call %d: %v", i, err)
	}
}

func TestWhatIsAbsent_PS16(t *testing.T) {
	b := open(t, Options{})
	for _, topic := range []string{"t", "unknown"} {
		ended, err := b.Unsubscribe(topic, "a")
		require.NoError(t, err)
		assert.False(t, ended)
		found, err := b.Seek(topic, "a", math.MaxInt64)
		require.NoError(t, err)
		assert.False(t, found)
		offset, err := b.Offset(topic, "a")
		require.NoError(t, err)
		assert.EqualValues(t, Absent, offset)
		letters, err := b.DeadLetters(topic, "a")
		require.NoError(t, err)
		assert.Empty(t, letters)
		count, err := b.Redeliver(topic, "a")
		require.NoError(t, err)
		assert.Zero(t, count)
		status, err := b.Status(topic, "a")
		require.NoError(t, err)
		assert.Equal(t, Status{Offset: Absent}, status)
	}
	offset, err := b.Publish("unknown", "x")
	require.NoError(t, err)
	assert.EqualValues(t, Absent, offset)
}

// A call that is wrong besides fails with ErrClosed, too.
func TestEveryCallFailsAfterClose(t *testing.T) {
	for _, dispatcher := range []Options{{}, {Dispatcher: Lanes}, {Dispatcher: Pool}} {
		b := open(t, dispatcher)
		require.NoError(t, b.Close())
		require.NoError(t, b.Close(), "closing twice is fine")
		errs := make([]error, 11)
		_, errs[0] = b.CreateTopic("", Retain(-1))
		errs[1] = b.Subscribe("", "", nil)
		_, errs[2] = b.Unsubscribe("", "")
		_, errs[3] = b.Publish("", "\xff")
		_, errs[4] = b.TryPublish("", "\xff")
		_, errs[5] = b.Drain()
		_, errs[6] = b.Seek("", "", -1)
		_, errs[7] = b.Offset("", "")
		_, errs[8] = b.DeadLetters("", "")
		_, errs[9] = b.Redeliver("", "")
		_, errs[10] = b.Status("", "")
		for i, err := range errs {
			assert.ErrorIs(t, err, broker.ErrClosed, "call %d", i)
		}
	}
}

func TestCreateTopicTwice_PS01(t *testing.T) {
	b := open(t, Options{}, Retain(1))
	publish(t, b, "a", "b")
	made, err := b.CreateTopic("t")
	require.NoError(t, err)
	require.False(t, made)
	offset, err := b.Publish("t", "c")
	require.NoError(t, err)
	require.EqualValues(t, 2, offset)
	record(t, b, "a", nil)
	_, err = b.Seek("t", "a", 1)
	require.Equal(t, "offset", argumentOf(err), "the topic still keeps one message only: %v", err)
}

func TestDeadLettersAreTheCallersOwn_PS16(t *testing.T) {
	b := open(t, Options{MaxAttempts: 1})
	record(t, b, "a", refuse)
	publish(t, b, "x")
	require.Zero(t, drain(t, b))
	for range 2 {
		letters, err := b.DeadLetters("t", "a")
		require.NoError(t, err)
		require.Equal(t, []Letter{{Offset: 0, Payload: "x", Attempts: 1, Error: "no"}}, letters)
		letters[0].Payload = "changed"
	}
}

// nested calls a function from far down the stack: the way up from a publish to
// the handler it is made in may be long.
func nested(depth int, call func()) {
	if depth == 0 {
		call()
		runtime.KeepAlive(depth)
		return
	}
	nested(depth-1, call)
	runtime.KeepAlive(depth)
}
