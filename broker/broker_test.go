package broker_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker"
)

func TestArgumentErrorsAreFoundByIsAndAs(t *testing.T) {
	err := broker.CheckRange("max_records", 65, 1, 64)
	require.ErrorIs(t, err, broker.ErrInvalidArgument)
	var argument *broker.ArgumentError
	require.ErrorAs(t, err, &argument)
	assert.Equal(t, "max_records", argument.Argument)
	assert.Equal(t, "65 is outside 1 through 64", argument.Reason)
	assert.EqualError(t, err, "invalid argument: max_records: 65 is outside 1 through 64")
	assert.NotErrorIs(t, err, broker.ErrClosed)
}

// Every byte there is, at every place that matters: a table of examples would
// miss the neighbours of the ranges.
func TestCheckIdentifierJudgesEveryByte(t *testing.T) {
	const allowed = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
	for c := range 256 {
		for _, format := range []string{"?", "?ab", "a?b", "ab?"} {
			value := strings.ReplaceAll(format, "?", string([]byte{byte(c)}))
			err := broker.CheckIdentifier("topic", value)
			if strings.IndexByte(allowed, byte(c)) >= 0 {
				assert.NoError(t, err, "%q", value)
			} else {
				assert.ErrorIs(t, err, broker.ErrInvalidArgument, "%q", value)
				assert.ErrorContains(t, err, "topic: ", "%q", value)
			}
		}
	}
}

func TestCheckIdentifierCountsBytes(t *testing.T) {
	require.NoError(t, broker.CheckIdentifier("group", strings.Repeat("a", 64)))
	require.EqualError(t, broker.CheckIdentifier("group", strings.Repeat("a", 65)),
		"invalid argument: group: is 65 bytes long; an identifier has 1 to 64 bytes")
	require.EqualError(t, broker.CheckIdentifier("group", ""),
		"invalid argument: group: is empty; an identifier has 1 to 64 bytes")
}

func TestCheckIdentifierEscapesWhatItShows(t *testing.T) {
	require.EqualError(t, broker.CheckIdentifier("member", "é\n"),
		`invalid argument: member: "\u00e9\n" has a wrong character at byte 0; an identifier is made of A-Z a-z 0-9 _ -`)
}

func TestCheckPayload(t *testing.T) {
	tests := []struct {
		why, value string
		limit      int
		complaint  string
	}{
		{"the empty payload is valid", "", 1, ""},
		{"a NUL is an ordinary byte", "\x00", 1, ""},
		{"the limit is in bytes", "é", 2, ""},
		{"the limit is in bytes, not characters", "é", 1, "is 2 bytes long; at most 1 are allowed"},
		{"U+FFFD itself is valid, though decoders use it for errors", "\ufffd", 3, ""},
		{"the place of the fault is told", "ab\ufffd\xff", 9, "is not valid UTF-8 at byte 5"},
		{"surrogates are not UTF-8", "\xed\xa0\x80", 9, "is not valid UTF-8 at byte 0"},
		{"nor is a sequence cut short", "a\xe2\x82", 9, "is not valid UTF-8 at byte 1"},
		{"nor an overlong form", "\xc0\x80", 9, "is not valid UTF-8 at byte 0"},
	}
	for _, test := range tests {
		err := broker.CheckPayload(test.value, test.limit)
		if test.complaint == "" {
			assert.NoError(t, err, test.why)
			continue
		}
		assert.EqualError(t, err, "invalid argument: payload: "+test.complaint, test.why)
	}
}

func TestUnknownTopicSaysWhetherTheNameIsWrong(t *testing.T) {
	assert.EqualError(t, broker.UnknownTopic("orders"), `invalid argument: topic: "orders" does not exist`)
	assert.ErrorContains(t, broker.UnknownTopic("a b"), "wrong character")
}
