package event

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker"
)

// The error names the batch and the element from 0, and what is wrong with it
// (EB-17). Nothing has happened.
func TestBatchErrorsNameTheElement(t *testing.T) {
	b := brokerWithRecords(t)
	fine := Message{0, "x"}
	for said, messages := range map[string][]Message{
		"messages: partition of message 2: 3 is outside 0 through 2":                    {fine, fine, {3, "x"}},
		"messages: partition of message 0: -1 is outside 0 through 2":                   {{-1, "\xff"}, fine},
		"messages: has 1025 elements; at most 1024 are allowed":                         make([]Message, MaxBatch+1),
		"messages: payload of message 1: " + payloadFault(t, "\xff"):                    {fine, {0, "\xff"}},
		"messages: payload of message 1: " + payloadFault(t, strings.Repeat("x", 1025)): {fine, {0, strings.Repeat("x", 1025)}},
	} {
		offsets, err := b.PublishMany("t", messages)
		assert.Nil(t, offsets)
		assert.Equal(t, "messages", argumentOf(err))
		assert.EqualError(t, err, "invalid argument: "+said)
	}
	for said, positions := range map[string][]Position{
		"positions: partition of position 1: 3 is outside 0 through 2": {{0, 0}, {3, 0}},
		"positions: has 1025 elements; at most 1024 are allowed":       make([]Position, MaxBatch+1),
		"positions: offset of position 0: -1 is negative":              {{0, -1}},
	} {
		acked, err := b.AckMany("t", "absent", "m", positions)
		assert.Nil(t, acked)
		assert.Equal(t, "positions", argumentOf(err))
		assert.EqualError(t, err, "invalid argument: "+said)
	}
	_, err := b.AckMany("t", "g!", "m", nil)
	assert.Equal(t, "group", argumentOf(err))
	_, err = b.AckMany("t", "g", "", nil)
	assert.Equal(t, "member", argumentOf(err))
	offset, err := b.Publish("t", 0, "next")
	require.NoError(t, err)
	require.EqualValues(t, 1, offset, "no refused batch has used one")
	require.NoError(t, b.check())
}

func payloadFault(t *testing.T, payload string) string {
	t.Helper()
	var refused *broker.ArgumentError
	require.ErrorAs(t, broker.CheckPayload(payload, 1024), &refused)
	return refused.Reason
}

func TestBatchesAppendToWhatWasThere(t *testing.T) {
	b := brokerWithRecords(t)
	topic, err := b.Topic("t")
	require.NoError(t, err)
	offsets, err := topic.AppendPublishMany([]int64{7}, []Message{{0, "a"}, {1, "b"}})
	require.NoError(t, err)
	require.Equal(t, []int64{7, 1, 0}, offsets)
	offsets, err = topic.AppendPublishMany([]int64{7}, []Message{{3, "a"}})
	require.Error(t, err)
	require.Equal(t, []int64{7}, offsets)

	c, err := topic.Join("g", "m")
	require.NoError(t, err)
	_, err = c.Poll(64)
	require.NoError(t, err)
	acked, err := c.AppendAckMany([]bool{true}, []Position{{2, 0}, {2, 0}, {0, 1}})
	require.NoError(t, err)
	require.Equal(t, []bool{true, true, false, false}, acked)
	acked, err = c.AppendAckMany([]bool{true}, []Position{{2, -1}})
	require.Error(t, err)
	require.Equal(t, []bool{true}, acked)
}

// With room in the destination, a batch allocates nothing but what the log does
// when it grows, and an ack that finds nothing does not even that.
func TestBatchesAllocateNothing(t *testing.T) {
	b := brokerWithRecords(t)
	topic, err := b.Topic("t")
	require.NoError(t, err)
	c, err := topic.Consumer("g", "m")
	require.NoError(t, err)
	positions := []Position{{0, 9}, {2, 9}}
	acked := make([]bool, 0, len(positions))
	assert.Zero(t, testing.AllocsPerRun(100, func() { _, _ = c.AppendAckMany(acked, positions) }))
	full := []Message{{0, "a"}, {0, "b"}, {0, "c"}, {0, "d"}, {0, "e"}}
	offsets := make([]int64, 0, len(full))
	_, _ = topic.AppendPublishMany(offsets, full)
	assert.Zero(t, testing.AllocsPerRun(100, func() { _, _ = topic.AppendPublishMany(offsets, full) }))
}
