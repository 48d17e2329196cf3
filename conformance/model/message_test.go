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

func newMessage(t *testing.T, maxAttempts int) *model.Message {
	t.Helper()
	m, err := model.NewMessage([]any{int64(maxAttempts)}, nil)
	require.NoError(t, err)
	return m
}

// delivery of the topic t.
func delivery(offset int, payload string, attempt int) map[string]any {
	return map[string]any{"topic": "t", "offset": int64(offset), "payload": payload, "attempt": int64(attempt)}
}

// letters of the topic t, each as offset, payload, attempts.
func letters(fields ...any) []any {
	list := []any{}
	for i := 0; i < len(fields); i += 3 {
		list = append(list, map[string]any{
			"topic": "t", "offset": wide(fields[i]), "payload": fields[i+1], "attempts": wide(fields[i+2]),
		})
	}
	return list
}

func TestMessage_New_MB01(t *testing.T) {
	for _, refused := range []any{int64(0), int64(-1), int64(math.MaxInt32) + 1, new(big.Int).Lsh(big.NewInt(1), 64)} {
		_, err := model.NewMessage([]any{refused}, nil)
		assert.ErrorContains(t, err, "max_attempts", "%v", refused)
	}
	_, err := model.NewMessage([]any{int64(math.MaxInt32)}, map[string]any{"max_payload": int64(1 << 20)})
	assert.NoError(t, err)
}

func TestMessage_Topics_MB02_MB03(t *testing.T) {
	follow(t, newMessage(t, 2),
		say("publish", "t", "a", invalid("topic")),
		say("poll", "t", "g", invalid("topic")),
		say("ack", "t", "g", 0, 1, invalid("topic")),
		say("nack", "t", "g", 0, 1, invalid("topic")),
		say("dead_letters", "t", "g", invalid("topic")),
		say("create_topic", "t", true),
		say("publish", "t", "a", 0),
		say("create_topic", "t", false),
		say("publish", "t", "a", 1),
		say("publish", "t", strings.Repeat("x", 1025), invalid("payload")),
		say("create_topic", "u", true),
		say("publish", "u", "a", 0),
	)
}

func TestMessage_Poll_MB04_MB05(t *testing.T) {
	follow(t, newMessage(t, 2),
		say("create_topic", "t", true),
		say("poll", "t", "g", nil),
		say("publish", "t", "a", 0),
		say("publish", "t", "b", 1),
		say("poll", "t", "g", delivery(0, "a", 1)),
		say("poll", "t", "g", delivery(0, "a", 1)),
		say("ack", "t", "g", 0, 1, true),
		say("poll", "t", "late", delivery(0, "a", 1)),
		say("poll", "t", "g", delivery(1, "b", 1)),
		say("poll", "t", "g!", invalid("group")),
	)
}

func TestMessage_AckAndNack_MB06_MB07(t *testing.T) {
	follow(t, newMessage(t, 3),
		say("create_topic", "t", true),
		say("publish", "t", "a", 0),
		say("ack", "t", "g", 0, 1, false),
		say("poll", "t", "g", delivery(0, "a", 1)),
		say("ack", "t", "g", 1, 1, false),
		say("nack", "t", "g", 0, 2, false),
		say("nack", "t", "g", 0, 1, true),
		say("nack", "t", "g", 0, 1, false),
		say("ack", "t", "g", 0, 1, false),
		say("poll", "t", "g", delivery(0, "a", 2)),
		say("ack", "t", "g", 0, 1, false),
		say("ack", "t", "g", 0, 2, true),
		say("ack", "t", "g", 0, 2, false),
		say("poll", "t", "g", nil),
	)
}

func TestMessage_DeadLetters_MB08_MB09_MB10(t *testing.T) {
	follow(t, newMessage(t, 2),
		say("create_topic", "t", true),
		say("publish", "t", "a", 0),
		say("publish", "t", "b", 1),
		say("dead_letters", "t", "g", letters()),
		say("poll", "t", "g", delivery(0, "a", 1)),
		say("nack", "t", "g", 0, 1, true),
		say("poll", "t", "g", delivery(0, "a", 2)),
		say("nack", "t", "g", 0, 2, true),
		say("nack", "t", "g", 0, 2, false),
		say("dead_letters", "t", "g", letters(0, "a", 2)),
		say("dead_letters", "t", "h", letters()),
		say("poll", "t", "g", delivery(1, "b", 1)),
		say("poll", "t", "h", delivery(0, "a", 1)),
	)
}

func TestMessage_Numbers_MB11(t *testing.T) {
	m := newMessage(t, 2)
	follow(t, m, say("create_topic", "t", true))
	for _, op := range []string{"ack", "nack"} {
		follow(t, m,
			say(op, "t", "g", -1, 1, invalid("offset")),
			say(op, "t", "g", 0, 0, invalid("attempt")),
			say(op, "t", "g", 0, 1<<31, invalid("attempt")),
			say(op, "t", "g", math.MaxInt64, math.MaxInt32, false),
		)
	}
}

func TestMessage_String(t *testing.T) {
	m := newMessage(t, 1)
	follow(t, m,
		say("create_topic", "t", true),
		say("publish", "t", "a", 0),
		say("publish", "t", "b", 1),
		say("poll", "t", "g", delivery(0, "a", 1)),
		say("nack", "t", "g", 0, 1, true),
		say("poll", "t", "g", delivery(1, "b", 1)),
		say("poll", "t", "h", delivery(0, "a", 1)),
		say("ack", "t", "h", 0, 1, true),
	)
	assert.Equal(t, strings.TrimLeft(`
1 attempts, payloads of at most 1024 bytes
topic t: 2 messages
  group g: at 1, delivered 1 times, in flight, dead letters [0]
  group h: at 1, delivered 0 times, nothing in flight, dead letters []
`, "\n"), m.String())
}
