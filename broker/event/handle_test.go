package event

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker"
)

// Handles that were found while the broker was open fail as every call does
// afterwards (EB-18), whatever is wrong with the arguments beside that.
func TestHandlesOfAClosedBroker(t *testing.T) {
	b := brokerWithRecords(t)
	topic, err := b.Topic("t")
	require.NoError(t, err)
	c, err := topic.Consumer("g", "m")
	require.NoError(t, err)
	_, err = c.Poll(1)
	require.NoError(t, err, "and the consumer has found its member")
	require.NoError(t, b.Close())
	for call, err := range everyCallOfHandles(topic, c) {
		assert.ErrorIs(t, err, broker.ErrClosed, call)
	}
}

func TestZeroHandles(t *testing.T) {
	for call, err := range everyCallOfHandles(&Topic{}, &Consumer{}) {
		assert.ErrorIs(t, err, broker.ErrClosed, call)
	}
	assert.Empty(t, (&Topic{}).Name())
}

func everyCallOfHandles(t *Topic, c *Consumer) map[string]error {
	errs := map[string]error{}
	_, errs["consumer"] = t.Consumer("", "")
	_, errs["topic join"] = t.Join("", "")
	_, errs["publish"] = t.Publish(-1, "\xff")
	_, errs["publish many"] = t.PublishMany(make([]Message, MaxBatch+1))
	_, errs["join"] = c.Join()
	_, errs["leave"] = c.Leave()
	_, errs["poll"] = c.Poll(0)
	_, errs["ack"] = c.Ack(-1, -1)
	_, errs["ack many"] = c.AckMany(make([]Position, MaxBatch+1))
	_, errs["retry"] = c.Retry(-1, -1)
	return errs
}

func TestHandlesNeedATopicAndNames(t *testing.T) {
	b := brokerWithRecords(t)
	_, err := b.Topic("absent")
	require.Equal(t, "topic", argumentOf(err))
	topic, err := b.Topic("t")
	require.NoError(t, err)
	require.Equal(t, "t", topic.Name())
	for names, argument := range map[[2]string]string{
		{"", "m"}: "group", {"g", "m!"}: "member", {"g!", "m!"}: "group",
	} {
		_, err := topic.Consumer(names[0], names[1])
		assert.Equal(t, argument, argumentOf(err))
		_, err = topic.Join(names[0], names[1])
		assert.Equal(t, argument, argumentOf(err))
	}
	require.NoError(t, b.check())
}

// A consumer stands for its names: that of a member who is away finds nothing,
// and finds the next membership as it found the first (EB-18).
func TestConsumerOutlivesMemberships(t *testing.T) {
	b := brokerWithRecords(t)
	topic, err := b.Topic("t")
	require.NoError(t, err)
	c, err := topic.Consumer("g", "late")
	require.NoError(t, err)
	for range 3 {
		assertAway(t, c)
		owned, err := c.Join()
		require.NoError(t, err)
		require.Equal(t, []int{0, 2}, owned, "late before m")
		records, err := c.Poll(64)
		require.NoError(t, err)
		require.Equal(t, []Record{{"t", 0, 0, "zero"}, {"t", 2, 0, "two"}}, records)
		require.NoError(t, b.check())
		left, err := c.Leave()
		require.NoError(t, err)
		require.True(t, left)
		require.Nil(t, c.seat.group, "a member that left says so to those who remember it")
		require.NoError(t, b.check())
	}
	assertAway(t, c)
}

func assertAway(t *testing.T, c *Consumer) {
	t.Helper()
	records, err := c.Poll(64)
	assert.NoError(t, err)
	assert.Empty(t, records)
	acked, err := c.AckMany([]Position{{0, 0}, {2, 0}})
	assert.NoError(t, err)
	assert.Equal(t, []bool{false, false}, acked)
	retried, err := c.Retry(0, 0)
	assert.NoError(t, err)
	assert.False(t, retried)
	left, err := c.Leave()
	assert.NoError(t, err)
	assert.False(t, left)
}

// The border passes names whose bytes the caller uses again afterwards.
func TestHandlesCopyTheirNames(t *testing.T) {
	b := brokerWithRecords(t)
	bytes := []byte("tgm")
	name := nameIn(bytes)
	topic, err := b.Topic(name(0))
	require.NoError(t, err)
	c, err := topic.Consumer(name(1), name(2))
	require.NoError(t, err)
	copy(bytes, "xyz")
	require.Equal(t, "t", topic.Name())
	records, err := c.Poll(1)
	require.NoError(t, err)
	require.Len(t, records, 1)
}
