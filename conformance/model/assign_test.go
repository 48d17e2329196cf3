package model_test

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

type fields = map[string]any

func newAssign(t *testing.T) *model.Assign {
	t.Helper()
	a, err := model.NewAssign(nil, nil)
	require.NoError(t, err)
	return a
}

func raw(digits string) wire.Bytes {
	bytes, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		panic(err)
	}
	return bytes
}

func list(values ...any) []any {
	for i := range values {
		values[i] = wide(values[i])
	}
	return append([]any{}, values...)
}

func subscription(version int, replaced fields) fields {
	s := fields{
		"version": int64(version), "topics": list("a"), "user_data": nil,
		"owned_partitions": list(), "generation_id": int64(-1), "rack_id": nil,
	}
	for name, value := range replaced {
		s[name] = wide(value)
	}
	return s
}

const (
	head  = "00000001 000161 ffffffff" // topics and user data
	owned = "00000001 000161 00000001 00000001"
)

func TestAssign_DecodeSubscription_RA01(t *testing.T) {
	ofA1 := list(fields{"topic": "a", "partitions": list(1)})
	follow(t, newAssign(t),
		say("decode_subscription", raw("0000"+head), subscription(0, nil)),
		say("decode_subscription", raw("0000"+head+owned), subscription(0, nil)),
		say("decode_subscription", raw("0001"+head), subscription(1, nil)),
		say("decode_subscription", raw("0001"+head+owned), subscription(1, fields{"owned_partitions": ofA1})),
		say("decode_subscription", raw("0002"+head+owned+"00000007"), subscription(2, fields{"owned_partitions": ofA1, "generation_id": 7})),
		say("decode_subscription", raw("0003"+head+owned+"00000007 000172"),
			subscription(3, fields{"owned_partitions": ofA1, "generation_id": 7, "rack_id": "r"})),
		say("decode_subscription", raw("0004"+head+owned+"00000007 0001"), subscription(4, nil)),
		say("decode_subscription", raw("0003"+head+owned+"00000007 0001"), invalid("bytes")),
	)
}

func TestAssign_DecodeRefuses_RA02(t *testing.T) {
	a := newAssign(t)
	for _, input := range []string{
		"", "00", "ffff" + head, "0000 ffffffff", "0000 7fffffff", "0000 00000001 ffff ffffffff",
		"0000 00000001 0001ff ffffffff", "0000 00000000 fffffffe", "0000 00000000 00000001",
		"0003 00000000 ffffffff 00000000 00000000 fffe",
	} {
		follow(t, a, say("decode_subscription", raw(input), invalid("bytes")))
	}
	_, err := a.Call("decode_subscription", []any{raw("0000 00000001 0001ff ffffffff")})
	require.EqualError(t, err, `invalid argument: bytes: topics[0] at byte 8: "\xff" is not UTF-8`)
}

func TestAssign_Encode_RA03(t *testing.T) {
	s := fields{"owned_partitions": list(fields{"topic": "a", "partitions": list(1)}), "generation_id": 7, "rack_id": "r"}
	follow(t, newAssign(t),
		say("encode_subscription", subscription(0, s), raw("0000"+head)),
		say("encode_subscription", subscription(1, s), raw("0001"+head+owned)),
		say("encode_subscription", subscription(2, s), raw("0002"+head+owned+"00000007")),
		say("encode_subscription", subscription(3, s), raw("0003"+head+owned+"00000007 000172")),
		say("encode_subscription", subscription(4, s), invalid("subscription")),
		say("encode_subscription", subscription(0, fields{"topics": list(strings.Repeat("x", 32768))}), invalid("subscription")),
		say("encode_assignment", fields{"version": int64(1), "partitions": s["owned_partitions"], "user_data": ""}, raw("0001"+owned+"00000000")),
		say("decode_assignment", raw("0001"+owned+"00000000"),
			fields{"version": int64(1), "partitions": s["owned_partitions"], "user_data": wire.Bytes{}}),
		say("decode_assignment", raw("0001"+owned), invalid("bytes")),
	)
}

func TestAssign_Range_RA04_RA05(t *testing.T) {
	member := func(id string, instance any, topics ...any) fields {
		return fields{"id": id, "topics": list(topics...), "instance_id": instance}
	}
	follow(t, newAssign(t),
		say("range_assign", fields{"t": int64(7), "u": int64(1), "none": int64(0)},
			list(member("consumer-2", nil, "t"), member("consumer-10", nil, "t", "t", "none"), member("c", nil, "t", "u", "absent"), member("idle", nil)),
			fields{
				"c":           fields{"t": list(0, 1, 2), "u": list(0)},
				"consumer-10": fields{"t": list(3, 4)},
				"consumer-2":  fields{"t": list(5, 6)},
				"idle":        fields{},
			}),
		say("range_assign", fields{"t": int64(4)},
			list(member("\uff5e", nil, "t"), member("\U00010000", nil, "t"), member("z", "i2", "t"), member("y", "i10", "t")),
			fields{
				"y": fields{"t": list(0)}, "z": fields{"t": list(1)},
				"\U00010000": fields{"t": list(2)}, "\uff5e": fields{"t": list(3)},
			}),
		say("range_assign", fields{"t": int64(4)}, list(), fields{}),
	)
}

func TestAssign_RangeRefuses_RA06(t *testing.T) {
	m := func(id, instance any) fields { return fields{"id": id, "topics": list(), "instance_id": instance} }
	follow(t, newAssign(t),
		say("range_assign", fields{"t": int64(-1)}, list(), invalid("partitions_by_topic")),
		say("range_assign", fields{"t": int64(5_000_000), "u": int64(5_000_001)}, list(), invalid("partitions_by_topic")),
		say("range_assign", fields{"t": int64(5_000_000), "u": int64(5_000_000)}, list(), fields{}),
		say("range_assign", fields{}, list(m("", nil)), invalid("members")),
		say("range_assign", fields{}, list(m(nil, nil)), invalid("members")),
		say("range_assign", fields{}, list(m("a", nil), m("a", nil)), invalid("members")),
		say("range_assign", fields{}, list(m("a", "i"), m("b", "i")), invalid("members")),
		say("range_assign", fields{}, list(m("a", "")), invalid("members")),
		say("range_assign", fields{}, list(m("a", "a"), m("b", "b")), fields{"a": fields{}, "b": fields{}}),
	)
}
