package model_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/conformance/fuzz"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// TestEvent_Invariants follows random traces and looks at the whole state
// after every step.
func TestEvent_Invariants(t *testing.T) {
	for n := range uint64(100) {
		c := fuzz.NewTrace(1, "event", n).Case(nil)
		if c.NewRaises != "" {
			continue
		}
		e, err := model.NewEvent(c.New, c.Options)
		require.NoError(t, err)
		for _, step := range c.Steps {
			before := snapshot(t, e)
			got, err := e.Call(step.Call.Op, step.Call.Args)
			assertTransition(t, e, before, step.Call.Op, got, err)
			for _, topic := range e.Topics {
				assertTopic(t, e, topic)
			}
		}
	}
}

// snapshot copies the topics.
func snapshot(t *testing.T, e *model.Event) map[string]*model.EventTopic {
	written, err := json.Marshal(e.Topics)
	require.NoError(t, err)
	var topics map[string]*model.EventTopic
	require.NoError(t, json.Unmarshal(written, &topics))
	return topics
}

// assertTransition: a call that failed, or said that it did nothing, did
// nothing (EB-04, EB-05, EB-06, EB-13); no offset is used twice and no progress
// is lost (EB-05, EB-10, EB-11).
func assertTransition(t *testing.T, e *model.Event, before map[string]*model.EventTopic, op string, got any, err error) {
	if err != nil || got == false || got == model.Full || (op == "poll" && len(got.([]any)) == 0) {
		assert.Equal(t, before, snapshot(t, e), "%s changed something", op)
		return
	}
	for name, old := range before {
		topic := e.Topics[name]
		for p, log := range old.Partitions {
			require.GreaterOrEqual(t, topic.Partitions[p].Next, log.Next)
		}
		for name, group := range old.Groups {
			for p, cursor := range group.Cursors {
				require.GreaterOrEqual(t, topic.Groups[name].Cursors[p].Committed, cursor.Committed)
			}
		}
	}
}

func assertTopic(t *testing.T, e *model.Event, topic *model.EventTopic) {
	for p, log := range topic.Partitions {
		assertRetained(t, e, log)
		if len(topic.Groups) > 0 {
			require.Equal(t, slowest(topic, p), log.Next-int64(len(log.Retained)), "what all have acknowledged is removed (EB-14)")
		}
	}
	for _, group := range topic.Groups {
		require.Len(t, group.Cursors, len(topic.Partitions))
		assertOwnership(t, group)
		for p, cursor := range group.Cursors {
			assertDelivery(t, cursor, topic.Partitions[p])
		}
	}
}

// assertRetained: within capacity, without a gap, up to the next offset (EB-05).
func assertRetained(t *testing.T, e *model.Event, log *model.EventPartition) {
	require.LessOrEqual(t, int64(len(log.Retained)), e.Capacity)
	for i, record := range log.Retained {
		require.Equal(t, log.Next-int64(len(log.Retained)-i), record.Offset)
	}
}

// assertOwnership: every partition of a non-empty group has one owner among its
// members, their shares differ by at most one, and nobody owns those of an
// empty group (EB-08).
func assertOwnership(t *testing.T, group *model.EventGroup) {
	shares := map[string]int{}
	for _, member := range group.Members {
		shares[member] = 0
	}
	require.Len(t, shares, len(group.Members), "a member is listed twice")
	for _, cursor := range group.Cursors {
		if len(group.Members) == 0 {
			require.Empty(t, cursor.Owner)
			continue
		}
		require.Contains(t, shares, cursor.Owner)
		shares[cursor.Owner]++
	}
	for _, share := range shares {
		require.InDelta(t, float64(len(group.Cursors))/float64(len(shares)), share, 0.999)
	}
}

// assertDelivery: in flight implies owned, and a retained record at the
// committed offset (EB-10, EB-12, EB-14).
func assertDelivery(t *testing.T, cursor model.EventCursor, log *model.EventPartition) {
	require.LessOrEqual(t, cursor.Committed, log.Next)
	if cursor.InFlight == model.NoDelivery {
		return
	}
	require.NotEmpty(t, cursor.Owner)
	require.Equal(t, cursor.Committed, cursor.InFlight)
	_, retained := log.At(cursor.InFlight)
	require.True(t, retained)
}

func slowest(topic *model.EventTopic, partition int) int64 {
	committed := topic.Partitions[partition].Next
	for _, group := range topic.Groups {
		committed = min(committed, group.Cursors[partition].Committed)
	}
	return committed
}
