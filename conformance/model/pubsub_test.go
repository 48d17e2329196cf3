package model_test

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/conformance/model"
)

type options = map[string]any

// newPubSub makes a broker with a topic t. Options are those of the wire.
func newPubSub(t *testing.T, o options) *model.PubSub {
	t.Helper()
	p, err := model.NewPubSub(nil, wideOptions(o))
	require.NoError(t, err)
	follow(t, p, say("create_topic", "t", true))
	return p
}

func wideOptions(o options) options {
	for name, value := range o {
		o[name] = wide(value)
	}
	return o
}

// rules of a handler.
func rules(list ...options) []any {
	all := []any{}
	for _, rule := range list {
		all = append(all, wideOptions(rule))
	}
	return all
}

// do is a call from inside a handler.
func do(calls ...[]any) []any {
	all := []any{}
	for _, call := range calls {
		for i := range call {
			call[i] = wide(call[i])
		}
		all = append(all, call)
	}
	return all
}

func fails(match string) []any { return rules(options{"match": match, "ret": "throw"}) }

func failsOnce(match string) []any {
	return rules(options{"match": match, "times": 1, "ret": false})
}

func payloads(list ...any) []any { return append([]any{}, list...) }

// parked dead letters, each as offset, payload, attempts.
func parked(fields ...any) []any {
	list := []any{}
	for i := 0; i < len(fields); i += 3 {
		list = append(list, map[string]any{
			"offset": wide(fields[i]), "payload": fields[i+1], "attempts": wide(fields[i+2]),
		})
	}
	return list
}

func standing(offset, attempts, lost int) map[string]any {
	return map[string]any{
		"subscribed": true, "offset": int64(offset), "attempts": int64(attempts), "lost": int64(lost), "disconnected": false,
	}
}

func ended(disconnected bool) map[string]any {
	return map[string]any{
		"subscribed": false, "offset": int64(-1), "attempts": int64(0), "lost": int64(0), "disconnected": disconnected,
	}
}

func TestNewPubSub_PS07_PS11(t *testing.T) {
	for argument, refused := range map[string][]any{
		"dispatcher":   {"threads", ""},
		"workers":      {int64(0), int64(1025), int64(-1)},
		"max_attempts": {int64(-1), int64(math.MaxInt32) + 1, new(big.Int).Lsh(big.NewInt(1), 64)},
		"max_payload":  {int64(-1), int64(1<<20 + 1)},
	} {
		for _, value := range refused {
			_, err := model.NewPubSub(nil, options{"dispatcher": "pool", argument: value})
			var invalid *model.InvalidArgument
			require.ErrorAs(t, err, &invalid, "%s %v", argument, value)
			assert.Equal(t, argument, invalid.Argument)
		}
	}
	_, err := model.NewPubSub(nil, options{"workers": int64(2)})
	assert.ErrorContains(t, err, "workers")
	_, err = model.NewPubSub(nil, options{"dispatcher": "pool", "workers": int64(1024), "max_attempts": int64(0)})
	assert.NoError(t, err)
}

func TestPubSub_Topics_PS01_PS02(t *testing.T) {
	follow(t, newPubSub(t, nil),
		say("publish", "u", "a", -1),
		say("publish", "t", "a", 0),
		say("create_topic", "t", false),
		say("create_topic", "t", options{"retain": int64(-1)}, invalid("retain")),
		say("publish", "t", strings.Repeat("x", 1025), invalid("payload")),
		say("publish", "t", "b", 1),
		say("subscribe", "u", "A", rules(), invalid("topic")),
		say("subscribe", "t", "A", rules(), nil),
		say("subscribe", "t", "A", rules(), invalid("name")),
		say("offset", "t", "A", 2),
		say("publish", "t", "c", 2),
		say("drain", 1),
		say("calls_of", "t", "A", payloads("c")),
	)
}

// The document's main use case.
func TestPubSub_Drain_PS05_PS06(t *testing.T) {
	follow(t, newPubSub(t, nil),
		say("subscribe", "t", "billing", failsOnce("o2"), nil),
		say("subscribe", "t", "email", rules(), nil),
		say("publish", "t", "o1", 0),
		say("drain", 2),
		say("publish", "t", "o2", 1),
		say("publish", "t", "o3", 2),
		say("drain", 2),
		say("offset", "t", "billing", 1),
		say("offset", "t", "email", 3),
		say("drain", 2),
		say("calls_of", "t", "billing", payloads("o1", "o2", "o2", "o3")),
		say("drain", 0),
	)
}

func TestPubSub_Walk_PS05(t *testing.T) {
	made := rules(options{"match": "a", "times": 1, "do": do(
		[]any{"publish", "t", "b"},
		[]any{"subscribe", "t", "N", rules()},
		[]any{"create_topic", "u"},
		[]any{"subscribe", "u", "U", rules()},
		[]any{"publish", "u", "c"},
		[]any{"publish", "t", "d"},
	)})
	follow(t, newPubSub(t, nil),
		say("subscribe", "t", "A", made, nil),
		say("publish", "t", "a", 0),
		say("drain", 3),
		say("calls_of", "t", "A", payloads("a", "b", "d")),
		say("calls_of", "t", "N", payloads()),
		say("calls_of", "u", "U", payloads()),
		say("drain", 2),
		say("calls_of", "t", "N", payloads("d")),
		say("calls_of", "u", "U", payloads("c")),
	)
}

func TestPubSub_NestedDrain_PS05_PS10(t *testing.T) {
	follow(t, newPubSub(t, nil),
		say("subscribe", "t", "A", rules(options{"do": do([]any{"drain"})}), nil),
		say("subscribe", "t", "B", failsOnce("a"), nil),
		say("publish", "t", "a", 0),
		say("drain", 2), // B failed inside and is offered the message again
		say("calls_of", "t", "A", payloads("a")),
		say("calls_of", "t", "B", payloads("a", "a")),
		say("publish", "t", "b", 1),
		say("drain", 1), // B confirmed inside, where another count is kept
	)
}

func TestPubSub_DeadLetters_PS07_PS16(t *testing.T) {
	follow(t, newPubSub(t, options{"max_attempts": 2}),
		say("subscribe", "t", "A", fails("bad"), nil),
		say("publish", "t", "bad", 0),
		say("publish", "t", "ok", 1),
		say("drain", 0),
		say("status", "t", "A", standing(0, 1, 0)),
		say("dead_letters", "t", "A", parked()),
		say("drain", 1),
		say("dead_letters", "t", "A", parked(0, "bad", 2)),
		say("status", "t", "A", standing(2, 0, 0)),
		say("seek", "t", "A", 0, true),
		say("drain", 0),
		say("drain", 1),
		say("dead_letters", "t", "A", parked(0, "bad", 2, 0, "bad", 2)),
		say("dead_letters", "t", "B", parked()),
		say("dead_letters", "u", "A", parked()),
		say("dead_letters", "u", "é", invalid("name")),
		say("unsubscribe", "t", "A", true),
		say("dead_letters", "t", "A", parked()),
	)
}

func TestPubSub_NoLimit_PS07(t *testing.T) {
	p := newPubSub(t, options{"max_attempts": 0})
	follow(t, p, say("subscribe", "t", "A", fails("bad"), nil), say("publish", "t", "bad", 0))
	for range 10 {
		follow(t, p, say("drain", 0))
	}
	follow(t, p, say("status", "t", "A", standing(0, 10, 0)), say("dead_letters", "t", "A", parked()))
}

func TestPubSub_Unsubscribe_PS08(t *testing.T) {
	follow(t, newPubSub(t, nil),
		say("subscribe", "t", "A", rules(options{"do": do([]any{"unsubscribe", "t", "A"}, []any{"unsubscribe", "t", "C"})}), nil),
		say("subscribe", "t", "B", rules(), nil),
		say("subscribe", "t", "C", rules(), nil),
		say("publish", "t", "a", 0),
		say("publish", "t", "b", 1),
		say("drain", 3), // A confirms the message in whose call it left
		say("calls_of", "t", "A", payloads("a")),
		say("calls_of", "t", "B", payloads("a", "b")),
		say("calls_of", "t", "C", payloads()),
		say("unsubscribe", "t", "A", false),
		say("unsubscribe", "u", "A", false),
		say("unsubscribe", "u", "", invalid("name")),
		say("subscribe", "t", "A", rules(), nil),
		say("offset", "t", "A", 2),
	)
}

func TestPubSub_Seek_PS09_PS16(t *testing.T) {
	follow(t, newPubSub(t, nil),
		say("publish", "t", "a", 0),
		say("subscribe", "t", "A", fails("b"), nil),
		say("publish", "t", "b", 1),
		say("drain", 0),
		say("status", "t", "A", standing(1, 1, 0)),
		say("seek", "t", "A", 1, true),
		say("status", "t", "A", standing(1, 0, 0)),
		say("seek", "t", "A", 3, invalid("offset")),
		say("seek", "t", "B", 3, false),
		say("seek", "t", "B", -1, invalid("offset")),
		say("seek", "u", "B", math.MaxInt64, false),
		say("seek", "t", "A", 0, true),
		say("drain", 1),
		say("calls_of", "t", "A", payloads("b", "a", "b")),
		say("seek", "t", "A", 2, true),
		say("drain", 0),
	)
}

func TestPubSub_SeekInTheCall_PS09(t *testing.T) {
	back := func(ret any) []any {
		return rules(options{"match": "b", "times": 1, "do": do([]any{"seek", "t", "A", 0}), "ret": ret})
	}
	for _, want := range []struct {
		ret    any
		first  int
		second int
	}{{true, 4, 0}, {false, 1, 2}} {
		follow(t, newPubSub(t, nil),
			say("subscribe", "t", "A", back(want.ret), nil),
			say("publish", "t", "a", 0),
			say("publish", "t", "b", 1),
			say("drain", want.first),
			say("drain", want.second),
			say("calls_of", "t", "A", payloads("a", "b", "a", "b")),
			say("status", "t", "A", standing(2, 0, 0)),
		)
	}
}

// A failure that reaches the limit parks nothing where a seek was made in it.
func TestPubSub_SeekInTheLastTry_PS09(t *testing.T) {
	follow(t, newPubSub(t, options{"max_attempts": 1}),
		say("subscribe", "t", "A", rules(options{"do": do([]any{"seek", "t", "A", 0}), "times": 1, "ret": "throw"}), nil),
		say("publish", "t", "a", 0),
		say("drain", 0),
		say("dead_letters", "t", "A", parked()),
		say("drain", 1),
	)
}

func TestPubSub_OtherDispatchers_PS11(t *testing.T) {
	for _, dispatcher := range []string{"lanes", "pool"} {
		follow(t, newPubSub(t, options{"dispatcher": dispatcher}),
			say("subscribe", "t", "A", rules(), options{"policy": "block"}, nil),
			say("drain", 0),
			say("offset", "t", "A", 0),
			say("unsubscribe", "t", "A", true),
		)
	}
}

func TestPubSub_Block_PS13(t *testing.T) {
	p := newPubSub(t, options{"dispatcher": "lanes"})
	follow(t, p,
		say("create_topic", "r", options{"retain": int64(1)}, true),
		say("subscribe", "r", "A", rules(), options{"policy": "block", "group": "g"}, nil),
		say("publish", "r", "a", 0),
	)
	_, err := p.Call("publish", []any{"r", "b"})
	var late *model.TimedOut
	require.ErrorAs(t, err, &late)
	assert.ErrorContains(t, err, `"r"`)
	follow(t, p,
		say("unsubscribe", "r", "A", true),
		say("publish", "r", "b", 1),
	)
}

func TestPubSub_Filter_PS12(t *testing.T) {
	filter := options{"filter": options{"pass": payloads("a", "c"), "throw": payloads("x")}}
	follow(t, newPubSub(t, options{"max_attempts": 2}),
		say("subscribe", "t", "A", rules(), filter, nil),
		say("publish", "t", "a", 0),
		say("publish", "t", "b", 1),
		say("publish", "t", "x", 2),
		say("publish", "t", "c", 3),
		say("drain", 1),
		say("status", "t", "A", standing(2, 1, 0)),
		say("drain", 1),
		say("calls_of", "t", "A", payloads("a", "c")),
		say("dead_letters", "t", "A", parked(2, "x", 2)),
		say("subscribe", "t", "B", rules(), options{"filter": options{}, "group": "g"}, invalid("filter")),
	)
}

func TestPubSub_Retention_PS13(t *testing.T) {
	p := newPubSub(t, nil)
	follow(t, p,
		say("create_topic", "r", options{"retain": int64(2)}, true),
		say("subscribe", "r", "A", failsOnce("a"), nil),
		say("subscribe", "r", "B", rules(), options{"policy": "disconnect"}, nil),
		say("subscribe", "r", "C", rules(), options{"policy": "block"}, invalid("policy")),
		say("publish", "r", "a", 0),
		say("publish", "r", "b", 1),
		say("drain", 2),
		say("publish", "r", "c", 2),
		say("publish", "r", "d", 3),
		say("publish", "r", "e", 4),
		say("offset", "r", "A", 0),
		say("offset", "r", "B", 2),
		say("status", "r", "A", standing(0, 1, 0)),
		say("drain", 2),
		say("calls_of", "r", "A", payloads("a", "d", "e")),
		say("status", "r", "A", standing(5, 0, 3)),
		say("status", "r", "B", ended(true)),
		say("offset", "r", "B", -1),
		say("unsubscribe", "r", "B", false),
		say("status", "r", "B", ended(false)),
		say("seek", "r", "A", 2, invalid("offset")),
		say("seek", "r", "A", 3, true),
		say("drain", 2),
	)
}

func TestPubSub_Groups_PS14(t *testing.T) {
	in := func(group string) options { return options{"group": group} }
	follow(t, newPubSub(t, options{"max_attempts": 2}),
		say("subscribe", "t", "A", rules(), in("g"), nil),
		say("subscribe", "t", "X", rules(), nil),
		say("publish", "t", "a", 0),
		say("subscribe", "t", "B", fails("b"), in("g"), nil),
		say("subscribe", "t", "C", rules(), options{"group": "g", "policy": "disconnect"}, invalid("policy")),
		say("offset", "t", "B", 0),
		say("publish", "t", "b", 1),
		say("publish", "t", "c", 2),
		say("drain", 4), // a to A, b to B, which fails
		say("status", "t", "A", standing(1, 1, 0)),
		say("unsubscribe", "t", "A", true),
		say("drain", 1), // b to B again, which parks it; c to B
		say("calls_of", "t", "A", payloads("a")),
		say("calls_of", "t", "B", payloads("b", "b", "c")),
		say("dead_letters", "t", "B", parked(1, "b", 2)),
		say("unsubscribe", "t", "B", true),
		say("publish", "t", "d", 3),
		say("drain", 1),
		say("subscribe", "t", "D", rules(), options{"group": "g", "policy": "disconnect"}, nil),
		say("dead_letters", "t", "D", parked(1, "b", 2)),
		say("drain", 1),
		say("calls_of", "t", "D", payloads("d")),
	)
}

// Whoever takes the place of a member that left in its call has the next one.
func TestPubSub_GroupTurns_PS14(t *testing.T) {
	leaves := rules(options{"do": do([]any{"unsubscribe", "t", "B"})})
	in := options{"group": "g"}
	follow(t, newPubSub(t, nil),
		say("subscribe", "t", "A", rules(), in, nil),
		say("subscribe", "t", "B", leaves, in, nil),
		say("subscribe", "t", "C", rules(), in, nil),
		say("publish", "t", "a", 0),
		say("publish", "t", "b", 1),
		say("publish", "t", "c", 2),
		say("publish", "t", "d", 3),
		say("drain", 4),
		say("calls_of", "t", "A", payloads("a", "d")),
		say("calls_of", "t", "B", payloads("b")),
		say("calls_of", "t", "C", payloads("c")),
	)
}

// A disconnected group is forgotten with all its members.
func TestPubSub_GroupDisconnected_PS13_PS14(t *testing.T) {
	in := options{"group": "g", "policy": "disconnect"}
	follow(t, newPubSub(t, nil),
		say("create_topic", "r", options{"retain": int64(1)}, true),
		say("subscribe", "r", "A", rules(), in, nil),
		say("subscribe", "r", "B", rules(), in, nil),
		say("publish", "r", "a", 0),
		say("publish", "r", "b", 1),
		say("drain", 0),
		say("status", "r", "A", ended(true)),
		say("status", "r", "B", ended(true)),
		say("subscribe", "r", "A", rules(), options{"group": "g"}, nil),
		say("status", "r", "A", standing(2, 0, 0)),
	)
}

func TestPubSub_Redeliver_PS17(t *testing.T) {
	follow(t, newPubSub(t, options{"max_attempts": 1}),
		say("subscribe", "t", "A", rules(options{"match": "a", "times": 2, "ret": false}, options{"match": "b", "times": 1, "ret": false}), nil),
		say("publish", "t", "a", 0),
		say("publish", "t", "b", 1),
		say("drain", 0),
		say("dead_letters", "t", "A", parked(0, "a", 1, 1, "b", 1)),
		say("redeliver", "t", "A", 2),
		say("redeliver", "t", "A", 0),
		say("redeliver", "t", "B", 0),
		say("dead_letters", "t", "A", parked()),
		say("publish", "t", "c", 2),
		say("seek", "t", "A", 2, true),
		say("drain", 2),
		say("calls_of", "t", "A", payloads("a", "b", "a", "b", "c")),
		say("dead_letters", "t", "A", parked(0, "a", 1)),
		say("status", "t", "A", standing(3, 0, 0)),
	)
}

func TestPubSub_RedeliverFails_PS17(t *testing.T) {
	follow(t, newPubSub(t, options{"max_attempts": 2}),
		say("subscribe", "t", "A", rules(options{"match": "a", "times": 3, "ret": false}), nil),
		say("publish", "t", "a", 0),
		say("drain", 0),
		say("drain", 0),
		say("redeliver", "t", "A", 1),
		say("publish", "t", "b", 1),
		say("drain", 0), // ends the turn
		say("status", "t", "A", standing(1, 0, 0)),
		say("drain", 2),
		say("calls_of", "t", "A", payloads("a", "a", "a", "a", "b")),
	)
}

// What handlers do goes through what stands around the broker.
func TestPubSub_CallThrough(t *testing.T) {
	p := newPubSub(t, nil)
	heard := &listener{System: p}
	p.CallThrough(heard)
	follow(t, p,
		say("subscribe", "t", "A", rules(options{"do": do([]any{"publish", "u", "x"}, []any{"offset", "t", "é"})}), nil),
		say("publish", "t", "a", 0),
		say("drain", 1),
	)
	assert.Equal(t, []string{"publish", "offset"}, heard.ops)
}

type listener struct {
	model.System
	ops []string
}

func (l *listener) Call(op string, args []any) (any, error) {
	l.ops = append(l.ops, op)
	return l.System.Call(op, args)
}

// What is no call of the system is no invalid argument either.
func TestPubSub_NoCalls(t *testing.T) {
	p := newPubSub(t, nil)
	for _, args := range [][]any{
		{"subscribe", "t", "A", "no list"},
		{"subscribe", "t", "A", rules(options{"when": "a"})},
		{"subscribe", "t", "A", rules(options{"ret": "perhaps"})},
		{"subscribe", "t", "A", rules(options{"do": do([]any{"explode"})})},
		{"subscribe", "t", "A", rules(), options{"retain": int64(1)}},
		{"publish", "t"},
		{"explode"},
	} {
		_, err := p.Call(args[0].(string), args[1:])
		var argument *model.InvalidArgument
		require.Error(t, err, "%v", args)
		assert.NotErrorAs(t, err, &argument, "%v", args)
	}
}

func TestPubSub_String(t *testing.T) {
	p := newPubSub(t, options{"max_attempts": 1})
	follow(t, p,
		say("create_topic", "u", options{"retain": int64(1)}, true),
		say("subscribe", "t", "A", fails("a"), nil),
		say("subscribe", "t", "B", rules(), options{"group": "g"}, nil),
		say("subscribe", "u", "C", rules(), options{"policy": "disconnect"}, nil),
		say("publish", "t", "a", 0),
		say("publish", "u", "a", 0),
		say("publish", "u", "b", 1),
		say("drain", 1),
	)
	assert.Equal(t, strings.TrimLeft(`
synchronous, 1 tries, payloads of at most 1024 bytes
topic t: messages 0 through 0
  A: at 1, failed 0 times, drop, lost 0, dead letters [0], again []
  group g: at 1, failed 0 times, drop, lost 0, dead letters [], again [], members [B], next B
topic u: messages 1 through 1
  C: disconnected
`, "\n"), p.String())
}
