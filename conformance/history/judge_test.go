package history_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/history"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const ample = time.Minute

// made is a call of a history by hand; later calls begin after earlier ones have
// returned.
func made(value any, op string, args ...any) history.Op {
	for i, arg := range args {
		if n, ok := arg.(int); ok {
			args[i] = int64(n)
		}
	}
	if n, ok := value.(int); ok {
		value = int64(n)
	}
	return history.Op{Call: corpus.Call{Op: op, Args: args}, Value: value}
}

// meanwhile has a call begin at once with the one before it.
func meanwhile(op history.Op) history.Op {
	op.Thread = 2
	return op
}

// record of the topic t.
func record(partition, offset int, payload string) any {
	return map[string]any{"topic": "t", "partition": int64(partition), "offset": int64(offset), "payload": payload}
}

func records(list ...any) any { return append([]any{}, list...) }

func owned(partitions ...int) any {
	list := []any{}
	for _, p := range partitions {
		list = append(list, int64(p))
	}
	return list
}

func delivery(offset int, payload string, attempt int) any {
	return map[string]any{"topic": "t", "offset": int64(offset), "payload": payload, "attempt": int64(attempt)}
}

func letters(offsets ...int) any {
	list := []any{}
	for _, offset := range offsets {
		list = append(list, map[string]any{"topic": "t", "offset": int64(offset), "payload": "a", "attempts": int64(2)})
	}
	return list
}

// pair is an element of a batch.
func pair(partition int, of any) any {
	if n, is := of.(int); is {
		of = int64(n)
	}
	return []any{int64(partition), of}
}

func publishMany(offsets []any, messages ...any) history.Op {
	for i, offset := range offsets {
		offsets[i] = int64(offset.(int))
	}
	return made(offsets, "publish_many", "t", messages)
}

func ackMany(acked []any, positions ...any) history.Op {
	return made(acked, "ack_many", "t", "g", "a", positions)
}

// lasting has a call return only when the last one has.
func lasting(call int, h history.History) history.History {
	h.Ops[call].To = h.Ops[len(h.Ops)-1].To + 1
	return h
}

// in gives the calls their times, on a broker with this limit.
func in(system string, limit int, ops ...history.Op) history.History {
	h := history.History{System: system, New: []any{int64(limit)}}
	for i, op := range ops {
		op.From, op.To = int64(10*i), int64(10*i+5)
		if op.Thread == 2 {
			op.From = h.Ops[i-1].From
		} else {
			op.Thread = 1
		}
		h.Ops = append(h.Ops, op)
	}
	return h
}

var (
	create  = made(true, "create", "t", 2)
	joinA   = made(owned(0, 1), "join", "t", "g", "a")
	joinB   = made(owned(1), "join", "t", "g", "b")
	first   = made(0, "publish", "t", 0, "x")
	second  = made(1, "publish", "t", 0, "y")
	other   = made(0, "publish", "t", 1, "z")
	pollX   = made(records(record(0, 0, "x")), "poll", "t", "g", "a", 64)
	pollNo  = made(records(), "poll", "t", "g", "a", 64)
	pollXZ  = made(records(record(0, 0, "x"), record(1, 0, "z")), "poll", "t", "g", "a", 64)
	ackX    = made(true, "ack", "t", "g", "a", 0, 0)
	retryX  = made(true, "retry", "t", "g", "a", 0, 0)
	topic   = made(true, "create_topic", "t")
	message = made(0, "publish", "t", "a")
	next    = made(1, "publish", "t", "b")
	deliver = made(delivery(0, "a", 1), "poll", "t", "g")
	again   = made(delivery(0, "a", 2), "poll", "t", "g")
	nack1   = made(true, "nack", "t", "g", 0, 1)
	nack2   = made(true, "nack", "t", "g", 0, 2)
)

// A history for every anomaly, wrong in just this, and the call over which it
// becomes so.
func TestJudge_NamesEveryAnomaly(t *testing.T) {
	failed := made(nil, "poll", "t", "g", "a", 64)
	failed.Error = "EB_INTERNAL"
	for _, tc := range []struct {
		name string
		h    history.History
	}{
		{history.UnexpectedError, in("event", 2, create, failed)},
		{history.OffsetReused, in("event", 2, create, first, made(0, "publish", "t", 0, "y"))},
		{history.OffsetOutOfOrder, in("event", 3, create, meanwhile(second), first, made(2, "publish", "t", 0, "w"))},
		{history.OffsetSkipped, in("event", 3, create, first, made(2, "publish", "t", 0, "w"))},
		{history.NeverPublished, in("event", 2, create, joinA, pollX, first)},
		{history.NeverPublished, in("event", 2, create, joinA, first, made(records(record(0, 0, "y")), "poll", "t", "g", "a", 64))},
		{history.DeliveredTwice, in("event", 2, create, joinA, first, pollX, meanwhile(pollX))},
		{history.DeliveredTwice, in("event", 2, create, joinA, first, pollX, ackX, pollX)},
		{history.TwoOwners, in("event", 2, create, joinA, joinB, other, made(records(record(1, 0, "z")), "poll", "t", "g", "b", 1),
			made(true, "ack", "t", "g", "a", 1, 0))},
		{history.TwoOwners, in("event", 2, create, joinA, made(owned(0, 1), "join", "t", "g", "b"))},
		{history.TwoOwners, in("event", 2, create, joinA, joinB, first, pollX, meanwhile(made(records(record(0, 0, "x")), "poll", "t", "g", "b", 1)))},
		{history.NoOwner, in("event", 2, create, joinA, made(owned(), "join", "t", "g", "b"))},
		{history.SettledTwice, in("event", 2, create, joinA, first, pollX, ackX, meanwhile(ackX))},
		{history.BothTrue, in("event", 2, create, joinA, first, pollX, ackX, meanwhile(retryX))},
		{history.NotInFlight, in("event", 2, create, joinA, first, ackX)},
		{history.NotInFlight, in("event", 2, create, joinA, first, pollX, retryX, retryX)},
		{history.Lost, in("event", 2, create, joinA, first, pollNo)},
		{history.Lost, in("event", 2, create, joinA, first, pollX, made(false, "ack", "t", "g", "a", 0, 0))},
		{history.Lost, in("event", 2, create, joinA, first, second, made(records(record(0, 1, "y")), "poll", "t", "g", "a", 1))},
		{history.CapacityFreedLate, in("event", 1, create, joinA, first, pollX, ackX, made(-1, "publish", "t", 0, "y"))},
		{history.CapacityFreedLate, in("event", 2, create, made(-1, "publish", "t", 0, "x"))},
		{history.CapacityExceeded, in("event", 1, create, joinA, first, pollX, second)},
		{history.DifferentInstants, in("event", 2, create, joinA, first, meanwhile(other),
			made(records(record(1, 0, "z")), "poll", "t", "g", "a", 64), meanwhile(pollX), pollNo)},
		{history.NoOrder, in("event", 2, create, made(true, "create", "t", 1))},

		{history.HalfDone, in("event", 4, create, publishMany([]any{0, 2}, pair(0, "x"), pair(0, "y")), meanwhile(made(1, "publish", "t", 0, "z")))},
		{history.HalfDone, in("event", 1, create, joinA, first, pollX, publishMany([]any{-1, 1}, pair(0, "y"), pair(0, "z")), meanwhile(ackX))},
		{history.HalfDone, in("event", 4, create, joinA, first, second, pollX, ackMany([]any{true, true}, pair(0, 0), pair(0, 1)),
			meanwhile(made(records(record(0, 1, "y")), "poll", "t", "g", "a", 64)))},
		{history.HalfDone, lasting(1, in("event", 4, create, publishMany([]any{0, 1}, pair(0, "x"), pair(1, "z")),
			made(1, "publish", "t", 0, "y"), made(0, "publish", "t", 1, "w")))},
		{history.HalfDone, lasting(2, in("event", 4, create, joinA, publishMany([]any{0, 1}, pair(0, "x"), pair(1, "z")),
			pollX, made(0, "publish", "t", 1, "w")))},
		{history.HalfDone, in("event", 2, create, joinA, publishMany([]any{0, 0}, pair(0, "x"), pair(1, "z")), meanwhile(pollX),
			made(records(record(1, 0, "z")), "poll", "t", "g", "a", 64))},
		{history.HalfDone, in("event", 1, create, joinA, first, other, pollXZ, ackMany([]any{true, true}, pair(0, 0), pair(1, 0)),
			meanwhile(publishMany([]any{1, -1}, pair(0, "y"), pair(1, "w"))), made(1, "publish", "t", 1, "w"))},
		{history.OffsetReused, in("event", 4, create, first, publishMany([]any{0}, pair(0, "y")))},
		{history.CapacityExceeded, in("event", 1, create, joinA, publishMany([]any{0, 1}, pair(0, "x"), pair(0, "y")))},
		{history.CapacityFreedLate, in("event", 1, create, joinA, first, pollX, ackMany([]any{true}, pair(0, 0)), publishMany([]any{0, -1}, pair(1, "z"), pair(0, "y")))},
		{history.NotInFlight, in("event", 2, create, joinA, first, ackMany([]any{false, true}, pair(1, 0), pair(0, 0)))},
		{history.BothTrue, in("event", 2, create, joinA, first, pollX, ackMany([]any{true}, pair(0, 0)), meanwhile(retryX))},
		{history.Lost, in("event", 2, create, joinA, first, pollX, ackMany([]any{false, false}, pair(1, 0), pair(0, 0)))},
		{history.NoOrder, in("event", 2, create, ackMany([]any{}, pair(0, 0)))},

		{history.OffsetReused, in("message", 2, topic, message, made(0, "publish", "t", "b"))},
		{history.NeverPublished, in("message", 2, topic, deliver)},
		{history.DeliveredTwice, in("message", 2, topic, message, deliver, made(true, "ack", "t", "g", 0, 1), deliver)},
		{history.BothTrue, in("message", 2, topic, message, deliver, nack1, meanwhile(made(true, "ack", "t", "g", 0, 1)))},
		{history.SettledTwice, in("message", 2, topic, message, deliver, nack1, meanwhile(nack1))},
		{history.NotInFlight, in("message", 2, topic, message, nack1)},
		{history.AttemptSkipped, in("message", 2, topic, message, deliver, again)},
		{history.Lost, in("message", 2, topic, message, next, made(delivery(1, "b", 1), "poll", "t", "g"))},
		{history.Lost, in("message", 2, topic, message, made(nil, "poll", "t", "g"))},
		{history.DeadLetterLost, in("message", 2, topic, message, deliver, nack1, again, nack2, made(letters(), "dead_letters", "t", "g"))},
		{history.DeadLetterTwice, in("message", 2, topic, message, deliver, nack1, again, nack2, made(letters(0, 0), "dead_letters", "t", "g"))},
		{history.DeadLetterEarly, in("message", 2, topic, message, deliver, nack1, made(letters(0), "dead_letters", "t", "g"))},
	} {
		j, err := history.Judge(tc.h, ample)
		require.NoError(t, err)
		assert.Equal(t, history.Illegal, j.Verdict, tc.name)
		assert.Equal(t, tc.name, j.Anomaly.Name, j.Anomaly)
		assert.NotEmpty(t, j.Anomaly.Words, tc.name)
		assert.Contains(t, j.Text(), "→", tc.name)
	}
}

// What is said is about the calls that are shown: a scan of all of them may see
// something that came later, and of another cause.
func TestJudge_SpeaksOfWhatIsShown(t *testing.T) {
	none := made(owned(), "join", "t", "g", "a") // who is alone, and has both
	j, err := history.Judge(in("event", 2, create, none, first, made(0, "publish", "t", 0, "y")), ample)
	require.NoError(t, err)
	assert.Len(t, j.Prefix, 2)
	assert.Equal(t, history.NoOwner, j.Anomaly.Name)
	assert.Contains(t, j.Anomaly.Words, "join t g a → []")
	assert.Contains(t, j.Anomaly.Words, `; further on: offset reused: offset 0 of partition 0 for "x" and for "y"`)
}

// What could not be even if calls took effect in parts is not said to be that.
func TestJudge_WhatIsNotTorn(t *testing.T) {
	for _, last := range []history.Op{
		made(owned(0), "join", "u", "g", "a"), // there is no such topic
		made(owned(0, 1, 2), "join", "t", "g", "a"),
		made("odd", "poll", "t", "g", "a", 64),
		made(owned(0), "poll", "t", "g", "a", 1),
		made(records(record(7, 0, "x")), "poll", "t", "g", "a", 64),
	} {
		j, err := history.Judge(in("event", 2, create, joinA, meanwhile(first), last), ample)
		require.NoError(t, err)
		assert.Equal(t, history.Illegal, j.Verdict, last)
		assert.NotContains(t, []string{history.HalfRebalanced, history.DifferentInstants}, j.Anomaly.Name, last)
	}
}

// The number of attempts is no measure of the work.
func TestJudge_AttemptsWithoutEnd(t *testing.T) {
	j, err := history.Judge(in("message", 1<<31-1, topic, message, next, made(delivery(1, "b", 1), "poll", "t", "g")), ample)
	require.NoError(t, err)
	assert.Equal(t, history.Lost, j.Anomaly.Name)
}

// What is allowed because calls met is not when they did not.
func TestJudge_Meeting(t *testing.T) {
	for _, ops := range [][]history.Op{
		{create, joinA, first, meanwhile(pollX)},
		{create, joinA, first, meanwhile(pollNo)},
		{create, joinA, first, pollX, ackX, meanwhile(made(-1, "publish", "t", 0, "y"))},
		{create, joinA, first, pollX, retryX, meanwhile(made(false, "ack", "t", "g", "a", 0, 0))},
		{create, joinA, publishMany([]any{0, 0}, pair(0, "x"), pair(1, "z")), meanwhile(pollNo), pollXZ},
		{create, joinA, publishMany([]any{0, 0}, pair(0, "x"), pair(1, "z")), meanwhile(pollXZ)},
		{create, joinA, publishMany([]any{}), ackMany([]any{})},
	} {
		j, err := history.Judge(in("event", 1, ops...), ample)
		require.NoError(t, err)
		assert.Equal(t, history.Linearizable, j.Verdict, ops[len(ops)-1])
		assert.Empty(t, j.Text())
	}
}

func TestJudge_ShortestPrefix(t *testing.T) {
	elsewhere := made(true, "create", "u", 1)
	h := in("event", 2, create, elsewhere, joinA, first, pollX, ackX, ackX, pollNo, second)
	j, err := history.Judge(h, ample)
	require.NoError(t, err)
	assert.Equal(t, "t", j.Topic)
	assert.Len(t, j.Prefix, 6, "through the second ack, without the other topic")
	assert.Equal(t, h.Ops[6].To, j.Prefix[5].To)

	var picture bytes.Buffer
	require.NoError(t, j.Picture(&picture, h, ample))
	assert.Contains(t, picture.String(), "ack t g a 0 0 → true")
}

// A search that gives up has judged nothing, but the scan needs none. There are
// 2^40 sets of publishes that may have come before the last call, which no order
// explains.
func TestJudge_TakesTooLong(t *testing.T) {
	const calls = 40
	h := in("event", 2, made(true, "create", "t", calls))
	for p := range calls {
		op := made(0, "publish", "t", p, "x")
		op.Thread, op.From, op.To = p+1, 10, int64(20+p)
		h.Ops = append(h.Ops, op)
	}
	last := made(true, "leave", "t", "g", "a")
	last.Thread, last.From, last.To = 1, 100, 110
	h.Ops = append(h.Ops, last)
	j, err := history.Judge(h, time.Millisecond)
	require.NoError(t, err)
	assert.Equal(t, history.Unknown, j.Verdict)

	j, err = history.Judge(in("event", 2, create, first, made(0, "publish", "t", 0, "y")), 0)
	require.NoError(t, err)
	assert.Equal(t, history.Illegal, j.Verdict)
	assert.Equal(t, history.OffsetReused, j.Anomaly.Name)
}

func TestJudge_OtherSystems(t *testing.T) {
	for system, reason := range map[string]string{"assign": "no histories", "other": "no model"} {
		_, err := history.Judge(history.History{System: system}, ample)
		assert.ErrorContains(t, err, reason)
	}
}

func TestText_LongHistories(t *testing.T) {
	ops := []history.Op{create, joinA}
	for range 50 {
		ops = append(ops, pollNo)
	}
	j, err := history.Judge(in("event", 2, append(ops, first, pollNo)...), ample)
	require.NoError(t, err)
	assert.Contains(t, j.Text(), "… 24 calls before these\n")
	assert.Contains(t, j.Text(), "  the model's state there:\n    capacity 2")
	assert.Equal(t, 1, strings.Count(j.Text(), "  → thread"))
}
