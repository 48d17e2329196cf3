package model_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// invalid stands in a transcript for an invalid argument of this name.
type invalid string

// A line is one call of a transcript and what must come of it.
type line struct {
	op   string
	args []any
	want any
}

// say writes a line: the operation, its arguments, and last what must come.
func say(op string, rest ...any) line {
	for i := range rest {
		rest[i] = wide(rest[i])
	}
	return line{op, rest[:len(rest)-1], rest[len(rest)-1]}
}

// wide makes the integers of a transcript those of the wire.
func wide(value any) any {
	if n, small := value.(int); small {
		return int64(n)
	}
	return value
}

func newEvent(t *testing.T, capacity int) *model.Event {
	t.Helper()
	e, err := model.NewEvent([]any{int64(capacity)}, nil)
	require.NoError(t, err)
	return e
}

func follow(t *testing.T, e model.System, lines ...line) {
	t.Helper()
	for i, l := range lines {
		got, err := e.Call(l.op, l.args)
		if name, refused := l.want.(invalid); refused {
			var argument *model.InvalidArgument
			require.ErrorAs(t, err, &argument, "line %d: %s%v", i, l.op, l.args)
			require.Equal(t, string(name), argument.Argument, "line %d: %s%v", i, l.op, l.args)
			continue
		}
		require.NoError(t, err, "line %d: %s%v", i, l.op, l.args)
		require.Equal(t, l.want, got, "line %d: %s%v\n%s", i, l.op, l.args, e)
	}
}

func partitions(numbers ...int) []any {
	list := []any{}
	for _, n := range numbers {
		list = append(list, int64(n))
	}
	return list
}

// records of the topic t, each as partition, offset, payload.
func records(fields ...any) []any {
	list := []any{}
	for i := 0; i < len(fields); i += 3 {
		list = append(list, map[string]any{
			"topic": "t", "partition": wide(fields[i]), "offset": wide(fields[i+1]), "payload": fields[i+2],
		})
	}
	return list
}

func TestEvent_DocumentExample(t *testing.T) {
	follow(t, newEvent(t, 2),
		say("create", "t", 1, true),
		say("publish", "t", 0, "a", 0),
		say("publish", "t", 0, "b", 1),
		say("join", "t", "billing", "m1", partitions(0)),
		say("poll", "t", "billing", "m1", 2, records(0, 0, "a")),
		say("retry", "t", "billing", "m1", 0, 0, true),
		say("poll", "t", "billing", "m1", 2, records(0, 0, "a")),
		say("ack", "t", "billing", "m1", 0, 0, true),
		say("poll", "t", "billing", "m1", 2, records(0, 1, "b")),
	)
}

func TestEvent_DocumentRebalance(t *testing.T) {
	follow(t, newEvent(t, 2),
		say("create", "t", 3, true),
		say("publish", "t", 1, "x", 0),
		say("join", "t", "g", "a", partitions(0, 1, 2)),
		say("poll", "t", "g", "a", 64, records(1, 0, "x")),
		say("join", "t", "g", "b", partitions(1)),
		say("join", "t", "g", "a", partitions(0, 2)),
		say("poll", "t", "g", "b", 64, records(1, 0, "x")),
		say("ack", "t", "g", "a", 1, 0, false),
	)
}

func TestNewEvent_EB01(t *testing.T) {
	for _, capacity := range []any{int64(0), int64(-1), int64(1001), int64(1<<32 + 1), new(big.Int).Lsh(big.NewInt(1), 64)} {
		_, err := model.New("event", []any{capacity}, nil)
		var argument *model.InvalidArgument
		require.ErrorAs(t, err, &argument, "%v", capacity)
		assert.Equal(t, "capacity_per_partition", argument.Argument)
	}
	for _, capacity := range []int64{1, 1000} {
		_, err := model.New("event", []any{capacity}, nil)
		assert.NoError(t, err, "%v", capacity)
	}
}

func TestNewEvent_MaxPayload(t *testing.T) {
	for _, limit := range []int64{0, -1, 1<<20 + 1} {
		_, err := model.NewEvent([]any{int64(1)}, map[string]any{"max_payload": limit})
		var argument *model.InvalidArgument
		require.ErrorAs(t, err, &argument, "%v", limit)
		assert.Equal(t, "max_payload", argument.Argument)
	}
	e, err := model.NewEvent([]any{int64(1)}, map[string]any{"max_payload": int64(1)})
	require.NoError(t, err)
	follow(t, e, say("create", "t", 1, true), say("publish", "t", 0, "ab", invalid("payload")), say("publish", "t", 0, "a", 0))
}

func TestEvent_Create_EB02(t *testing.T) {
	follow(t, newEvent(t, 2),
		say("create", "t", 0, invalid("partition_count")),
		say("create", "t", 65, invalid("partition_count")),
		say("create", "t", 64, true),
		say("create", "t", 1, false),
		say("create", "t", 65, invalid("partition_count")),
		say("publish", "t", 63, "a", 0),
	)
}

func TestEvent_AbsentTopic_EB03(t *testing.T) {
	follow(t, newEvent(t, 2),
		say("join", "t", "g", "m", invalid("topic")),
		say("leave", "t", "g", "m", invalid("topic")),
		say("publish", "t", 0, "a", invalid("topic")),
		say("poll", "t", "g", "m", 1, invalid("topic")),
		say("ack", "t", "g", "m", 0, 0, invalid("topic")),
		say("retry", "t", "g", "m", 0, 0, invalid("topic")),
		say("create", "t", 1, true),
	)
}

func TestEvent_Identifiers(t *testing.T) {
	e := newEvent(t, 1)
	for _, name := range []string{"", "a.b", "a ", "a\n", "é", "٣", "a\x00b", "[", strings.Repeat("a", 65)} {
		follow(t, e, say("create", name, 1, invalid("topic")))
	}
	follow(t, e, say("create", nil, 1, invalid("topic")), say("create", wire.Bytes{0xff}, 1, invalid("topic")))
	for _, name := range []any{"-", "_", "0", "t", "T", wire.Bytes("hex"), strings.Repeat("a", 64)} {
		follow(t, e, say("create", name, 1, true))
	}
	follow(t, e, say("join", "t", "g!", "m", invalid("group")), say("join", "t", "g", "m!", invalid("member")))
}

func TestEvent_Payloads(t *testing.T) {
	e := newEvent(t, 9)
	follow(t, e,
		say("create", "t", 1, true),
		say("join", "t", "g", "m", partitions(0)),
		say("publish", "t", 0, strings.Repeat("é", 512), 0),
		say("publish", "t", 0, strings.Repeat("é", 512)+"x", invalid("payload")),
		say("publish", "t", 0, wire.Bytes{0xff}, invalid("payload")),
		say("publish", "t", 0, nil, invalid("payload")),
	)
	for i, payload := range []string{"", "\x00", "e\u0301", " a "} {
		follow(t, newEvent(t, 1),
			say("create", "t", 1, true),
			say("join", "t", "g", "m", partitions(0)),
			say("publish", "t", 0, wire.Bytes(payload), 0),
			say("poll", "t", "g", "m", 1, records(0, 0, payload)),
		)
		follow(t, e, say("publish", "t", 0, payload, i+1))
	}
}

func TestEvent_Publish_EB05(t *testing.T) {
	follow(t, newEvent(t, 1),
		say("create", "t", 2, true),
		say("publish", "t", 0, "a", 0),
		say("publish", "t", 0, "b", -1),
		say("publish", "t", 1, "c", 0),
		say("publish", "t", 2, "d", invalid("partition")),
		say("publish", "t", -1, "d", invalid("partition")),
		say("join", "t", "g", "m", partitions(0, 1)),
		say("poll", "t", "g", "m", 1, records(0, 0, "a")),
		say("ack", "t", "g", "m", 0, 0, true),
		say("publish", "t", 0, "b", 1),
	)
}

func TestEvent_AbsentGroup_EB06(t *testing.T) {
	follow(t, newEvent(t, 1),
		say("create", "t", 1, true),
		say("publish", "t", 0, "a", 0),
		say("poll", "t", "g", "m", 1, records()),
		say("ack", "t", "g", "m", 0, 0, false),
		say("retry", "t", "g", "m", 0, 0, false),
		say("leave", "t", "g", "m", false),
		say("join", "t", "g", "m", partitions(0)),
		say("poll", "t", "g", "other", 1, records()),
		say("leave", "t", "g", "other", false),
		say("leave", "t", "g", "m", true),
	)
}

func TestEvent_NewGroup_EB07(t *testing.T) {
	follow(t, newEvent(t, 2),
		say("create", "t", 1, true),
		say("join", "t", "g", "m", partitions(0)),
		say("publish", "t", 0, "a", 0),
		say("poll", "t", "g", "m", 1, records(0, 0, "a")),
		say("ack", "t", "g", "m", 0, 0, true),
		say("join", "t", "empty", "m", partitions(0)),
		say("publish", "t", 0, "b", 1),
		say("join", "t", "late", "m", partitions(0)),
		say("poll", "t", "empty", "m", 1, records(0, 1, "b")),
		say("poll", "t", "late", "m", 1, records(0, 1, "b")),
	)
}

func TestEvent_Ownership_EB08(t *testing.T) {
	follow(t, newEvent(t, 1),
		say("create", "t", 3, true),
		say("join", "t", "g", "b", partitions(0, 1, 2)),
		say("join", "t", "g", "a10", partitions(0, 2)),
		say("join", "t", "g", "a9", partitions(1)),
		say("join", "t", "g", "B", partitions(0)),
		say("join", "t", "g", "b", partitions()),
	)
}

func TestEvent_NoChange_EB09(t *testing.T) {
	follow(t, newEvent(t, 1),
		say("create", "t", 1, true),
		say("publish", "t", 0, "a", 0),
		say("join", "t", "g", "m", partitions(0)),
		say("poll", "t", "g", "m", 1, records(0, 0, "a")),
		say("join", "t", "g", "m", partitions(0)),
		say("leave", "t", "g", "other", false),
		say("ack", "t", "g", "m", 0, 0, true),
	)
}

func TestEvent_Rebalance_EB10_EB11(t *testing.T) {
	follow(t, newEvent(t, 1),
		say("create", "t", 2, true),
		say("publish", "t", 0, "a", 0),
		say("publish", "t", 1, "b", 0),
		say("join", "t", "g", "m", partitions(0, 1)),
		say("poll", "t", "g", "m", 2, records(0, 0, "a", 1, 0, "b")),
		say("join", "t", "g", "n", partitions(1)),
		say("ack", "t", "g", "m", 1, 0, false),
		say("ack", "t", "g", "m", 0, 0, true),
		say("poll", "t", "g", "n", 2, records(1, 0, "b")),
		say("leave", "t", "g", "m", true),
		say("leave", "t", "g", "n", true),
		say("join", "t", "g", "n", partitions(0, 1)),
		say("ack", "t", "g", "n", 1, 0, false),
		say("poll", "t", "g", "n", 2, records(1, 0, "b")),
	)
}

func TestEvent_Poll_EB12(t *testing.T) {
	follow(t, newEvent(t, 2),
		say("create", "t", 4, true),
		say("join", "t", "g", "m", partitions(0, 1, 2, 3)),
		say("publish", "t", 3, "d", 0),
		say("publish", "t", 1, "b", 0),
		say("publish", "t", 0, "a", 0),
		say("publish", "t", 0, "aa", 1),
		say("poll", "t", "g", "m", 0, invalid("max_records")),
		say("poll", "t", "g", "m", 65, invalid("max_records")),
		say("poll", "t", "g", "m", 1, records(0, 0, "a")),
		say("poll", "t", "g", "m", 2, records(1, 0, "b", 3, 0, "d")),
		say("poll", "t", "g", "m", 64, records()),
	)
}

func TestEvent_AckAndRetry_EB13(t *testing.T) {
	follow(t, newEvent(t, 2),
		say("create", "t", 1, true),
		say("publish", "t", 0, "a", 0),
		say("join", "t", "g", "m", partitions(0)),
		say("ack", "t", "g", "m", 0, 0, false),
		say("poll", "t", "g", "m", 1, records(0, 0, "a")),
		say("ack", "t", "g", "m", 0, -1, invalid("offset")),
		say("retry", "t", "g", "m", 0, -1, invalid("offset")),
		say("ack", "t", "g", "m", 1, 0, invalid("partition")),
		say("retry", "t", "g", "m", -1, 0, invalid("partition")),
		say("ack", "t", "g", "m", 0, 1, false),
		say("ack", "t", "g", "m", 0, math.MaxInt64, false),
		say("ack", "t", "g", "m", 0, new(big.Int).Lsh(big.NewInt(1), 64), invalid("offset")),
		say("ack", "t", "g", "n", 0, 0, false),
		say("retry", "t", "g", "m", 0, 0, true),
		say("retry", "t", "g", "m", 0, 0, false),
		say("poll", "t", "g", "m", 1, records(0, 0, "a")),
		say("ack", "t", "g", "m", 0, 0, true),
		say("ack", "t", "g", "m", 0, 0, false),
	)
}

func TestEvent_Retention_EB14(t *testing.T) {
	follow(t, newEvent(t, 1),
		say("create", "t", 1, true),
		say("publish", "t", 0, "a", 0),
		say("join", "t", "fast", "m", partitions(0)),
		say("join", "t", "slow", "m", partitions(0)),
		say("leave", "t", "slow", "m", true),
		say("poll", "t", "fast", "m", 1, records(0, 0, "a")),
		say("ack", "t", "fast", "m", 0, 0, true),
		say("publish", "t", 0, "b", -1),
		say("join", "t", "slow", "n", partitions(0)),
		say("poll", "t", "slow", "n", 1, records(0, 0, "a")),
		say("ack", "t", "slow", "n", 0, 0, true),
		say("publish", "t", 0, "b", 1),
	)
}

// A call that is none of the system's is not an invalid argument: it would be a
// fault of the corpus.
func TestEvent_NoSuchCall(t *testing.T) {
	e := newEvent(t, 1)
	for _, l := range []line{
		{"seek", nil, nil},
		{"create", []any{"t"}, nil},
		{"create", []any{"t", "1"}, nil},
		{"create", []any{int64(1), int64(1)}, nil},
		{"create", []any{"t", nil}, nil},
	} {
		var argument *model.InvalidArgument
		_, err := e.Call(l.op, l.args)
		require.Error(t, err, "%s%v", l.op, l.args)
		assert.NotErrorAs(t, err, &argument, "%s%v", l.op, l.args)
	}
	for _, options := range []map[string]any{{"maxPayload": int64(1)}, {"max_payload": "1"}} {
		_, err := model.NewEvent([]any{int64(1)}, options)
		assert.Error(t, err, "%v", options)
	}
	_, err := model.New("nothing", nil, nil)
	assert.ErrorContains(t, err, `"nothing"`)
}

func TestEvent_String(t *testing.T) {
	e := newEvent(t, 2)
	follow(t, e,
		say("create", "t", 2, true),
		say("publish", "t", 0, "a", 0),
		say("join", "t", "g", "m", partitions(0, 1)),
		say("poll", "t", "g", "m", 1, records(0, 0, "a")),
		say("join", "t", "idle", "m", partitions(0, 1)),
		say("leave", "t", "idle", "m", true),
	)
	assert.Equal(t, strings.TrimLeft(`
capacity 2, payloads of at most 1024 bytes
topic t
  partition 0: retains [0], next 1
  partition 1: retains [], next 0
  group g: members [m]
    partition 0: owned by m, committed 0, 0 in flight
    partition 1: owned by m, committed 0, nothing in flight
  group idle: members []
    partition 0: owned by nobody, committed 0, nothing in flight
    partition 1: owned by nobody, committed 0, nothing in flight
`, "\n"), e.String())
}
