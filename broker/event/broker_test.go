package event

import (
	"errors"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker"
)

func TestNewJudgesItsArguments(t *testing.T) {
	tests := []struct {
		capacity, maxPayload int
		argument             string // "" when it is fine
	}{
		{1, 0, ""},
		{1000, 1, ""},
		{1, 1 << 20, ""},
		{0, 0, "capacity_per_partition"},
		{1001, 0, "capacity_per_partition"},
		{-1, 0, "capacity_per_partition"},
		{1<<32 + 1, 0, "capacity_per_partition"},
		{1, -1, "max_payload"},
		{1, 1<<20 + 1, "max_payload"},
	}
	for _, test := range tests {
		b, err := New(test.capacity, Options{MaxPayload: test.maxPayload})
		assert.Equal(t, test.argument, argumentOf(err), "%+v", test)
		assert.Equal(t, test.argument == "", b != nil, "%+v", test)
	}
}

// Each call is fine but for one argument, which the error must name.
func TestErrorsNameTheArgument(t *testing.T) {
	b := newBroker(t, 2)
	_, err := b.Create("t", 3)
	require.NoError(t, err)
	_, err = b.Join("t", "g", "m")
	require.NoError(t, err)
	tests := map[string]func() error{
		"topic":           func() error { _, err := b.Create("a b", 1); return err },
		"partition_count": func() error { _, err := b.Create("t", 65); return err },
		"group":           func() error { _, err := b.Join("t", "", "m"); return err },
		"member":          func() error { _, err := b.Leave("t", "g", "é"); return err },
		"partition":       func() error { _, err := b.Publish("t", 3, ""); return err },
		"payload":         func() error { _, err := b.Publish("t", 0, strings.Repeat("x", 1025)); return err },
		"max_records":     func() error { _, err := b.Poll("t", "g", "m", 65); return err },
		"offset":          func() error { _, err := b.Ack("t", "g", "m", 0, -1); return err },
	}
	for argument, call := range tests {
		err := call()
		assert.ErrorIs(t, err, broker.ErrInvalidArgument, argument)
		assert.Equal(t, argument, argumentOf(err))
	}
	require.NoError(t, b.check())
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
	b := newBroker(t, 1)
	_, err := b.Create("t", 1)
	require.NoError(t, err)
	require.NoError(t, b.Close())
	require.NoError(t, b.Close(), "closing twice is fine")
	for name, broken := range map[string]*Broker{"closed": b, "zero": {}} {
		assert.NoError(t, broken.Close(), name)
		for call, err := range everyCall(broken) {
			assert.ErrorIs(t, err, broker.ErrClosed, "%s: %s", name, call)
		}
	}
}

// everyCall makes each call with arguments that are wrong in every way, so that
// being closed must come first.
func everyCall(b *Broker) map[string]error {
	errs := map[string]error{}
	_, errs["create"] = b.Create("", 0)
	_, errs["join"] = b.Join("", "", "")
	_, errs["leave"] = b.Leave("", "", "")
	_, errs["publish"] = b.Publish("", -1, "\xff")
	_, errs["poll"] = b.Poll("", "", "", 0)
	_, errs["ack"] = b.Ack("", "", "", -1, -1)
	_, errs["retry"] = b.Retry("", "", "", -1, -1)
	_, errs["topic"] = b.Topic("")
	_, errs["publish many"] = b.PublishMany("", make([]Message, MaxBatch+1))
	_, errs["ack many"] = b.AckMany("", "", "", make([]Position, MaxBatch+1))
	return errs
}

func TestAppendPollKeepsWhatWasThere(t *testing.T) {
	b := brokerWithRecords(t)
	first := Record{Topic: "mine"}
	records, err := b.AppendPoll([]Record{first}, "t", "g", "m", 64)
	require.NoError(t, err)
	require.Equal(t, []Record{first, {"t", 0, 0, "zero"}, {"t", 2, 0, "two"}}, records)

	records, err = b.AppendPoll([]Record{first}, "t", "g", "m", 65)
	require.Error(t, err)
	require.Equal(t, []Record{first}, records)
}

func TestPollWithinReservesNothingWithoutRoom(t *testing.T) {
	b := brokerWithRecords(t)
	const exact = 2*RecordOverhead + len("zero") + len("two")
	for room := range exact {
		records, need, err := b.AppendPollWithin(nil, "t", "g", "m", 64, room)
		require.NoError(t, err)
		require.Equal(t, exact, need)
		require.Empty(t, records)
	}
	records, need, err := b.AppendPollWithin(nil, "t", "g", "m", 64, exact)
	require.NoError(t, err)
	require.Equal(t, exact, need)
	require.Len(t, records, 2)
}

func TestJoinWithinDoesNothingWithoutRoom(t *testing.T) {
	b := newBroker(t, 1)
	_, err := b.Create("t", 3)
	require.NoError(t, err)
	partitions, need, err := b.JoinWithin("t", "g", "m", 2)
	require.NoError(t, err)
	require.Equal(t, 3, need)
	require.Nil(t, partitions)
	left, err := b.Leave("t", "g", "m")
	require.NoError(t, err)
	require.False(t, left, "it did not join")
}

// A poll allocates its result and nothing else; with a destination, nothing.
func TestAllocations(t *testing.T) {
	b := brokerWithRecords(t)
	retry := func(records []Record) {
		for _, r := range records {
			_, _ = b.Retry("t", "g", "m", r.Partition, r.Offset)
		}
	}
	assert.LessOrEqual(t, testing.AllocsPerRun(100, func() {
		records, _ := b.Poll("t", "g", "m", 64)
		retry(records)
	}), 1.0)
	dst := make([]Record, 0, 64)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		records, _ := b.AppendPoll(dst, "t", "g", "m", 64)
		retry(records)
	}))
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		_, _ = b.Ack("t", "g", "m", 0, 99)
	}))
}

// The border passes names whose bytes the caller uses again afterwards.
func TestNamesAreCopiedWhereTheyAreKept(t *testing.T) {
	b := newBroker(t, 1)
	bytes := []byte("abc")
	name := nameIn(bytes)
	_, err := b.Create(name(0), 1)
	require.NoError(t, err)
	_, err = b.Join(name(0), name(1), name(2))
	require.NoError(t, err)
	copy(bytes, "xyz")

	require.NoError(t, b.check())
	_, err = b.Publish("a", 0, "payload")
	require.NoError(t, err)
	records, err := b.Poll("a", "b", "c", 1)
	require.NoError(t, err)
	require.Equal(t, []Record{{"a", 0, 0, "payload"}}, records)
}

// nameIn gives names of one byte that change with the bytes.
func nameIn(bytes []byte) func(i int) string {
	return func(i int) string { return unsafe.String(&bytes[i], 1) }
}

func brokerWithRecords(t *testing.T) *Broker {
	b := newBroker(t, 5)
	_, err := b.Create("t", 3)
	require.NoError(t, err)
	_, err = b.Join("t", "g", "m")
	require.NoError(t, err)
	for partition, payload := range map[int]string{0: "zero", 2: "two"} {
		_, err = b.Publish("t", partition, payload)
		require.NoError(t, err)
	}
	return b
}
