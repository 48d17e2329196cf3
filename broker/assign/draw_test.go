package assign

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"github.com/eventbroker/eventbroker/broker"
)

// drawSubscription draws one that its version can say in full.
func drawSubscription(t *rapid.T) Subscription {
	s := Subscription{
		Version:      rapid.Int16Range(0, MaxVersion).Draw(t, "version"),
		Topics:       nilIfEmpty(rapid.SliceOf(rapid.String()).Draw(t, "topics")),
		UserData:     drawUserData(t),
		GenerationID: NoGeneration,
	}
	if s.Version >= 1 {
		s.OwnedPartitions = drawTopicPartitions(t)
	}
	if s.Version >= 2 {
		s.GenerationID = rapid.Int32().Draw(t, "generation")
	}
	if s.Version >= 3 {
		s.RackID = rapid.Ptr(rapid.String(), true).Draw(t, "rack")
	}
	return s
}

func drawUserData(t *rapid.T) []byte {
	if rapid.Bool().Draw(t, "null") {
		return nil
	}
	return rapid.SliceOf(rapid.Byte()).Draw(t, "user data")
}

func drawTopicPartitions(t *rapid.T) []TopicPartitions {
	one := rapid.Custom(func(t *rapid.T) TopicPartitions {
		partitions := rapid.SliceOf(rapid.Int32()).Draw(t, "partitions")
		return TopicPartitions{rapid.String().Draw(t, "topic"), nilIfEmpty(partitions)}
	})
	return nilIfEmpty(rapid.SliceOf(one).Draw(t, "owned"))
}

func nilIfEmpty[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return list
}

func topics(names ...string) []string { return names }

func text(s string) *string { return &s }

func owned(topic string, partitions ...int32) []TopicPartitions {
	return []TopicPartitions{{topic, partitions}}
}

// unhex is for hexadecimal digits that stand in a test.
func unhex(s string) []byte {
	data, err := hex.DecodeString(s)
	if err != nil {
		panic(err)
	}
	return data
}

func assertInvalid(t testing.TB, err error, argument, reason string, why ...any) {
	t.Helper()
	assert.ErrorIs(t, err, broker.ErrInvalidArgument, why...)
	var invalid *broker.ArgumentError
	if assert.ErrorAs(t, err, &invalid, why...) {
		assert.Equal(t, argument, invalid.Argument, why...)
		assert.Equal(t, reason, invalid.Reason, why...)
	}
}
