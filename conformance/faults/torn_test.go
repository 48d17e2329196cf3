package faults_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/cases"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/history"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

// Batches that take their elements one by one, with other calls between them, are
// what a concurrent case with batches has to show: some of the ways in which its
// threads may meet are then judged to be wrong, and none where batches are whole.
func TestConcurrentCasesShowTornBatches(t *testing.T) {
	loaded, err := corpus.Load(cases.FS)
	require.NoError(t, err)
	found := 0
	for _, c := range loaded {
		if len(c.Threads) == 0 || !slices.Contains(c.Needs, surface.Batch) {
			continue
		}
		found++
		assert.Positive(t, torn(t, &c, true), "%s lets torn batches pass", c.ID)
		assert.Zero(t, torn(t, &c, false), "%s refuses batches that are whole", c.ID)
	}
	assert.Positive(t, found)
}

const searchLimit = time.Minute

// torn counts the histories of a case that show a batch half done.
func torn(t *testing.T, c *corpus.Case, tear bool) (shown int) {
	for seed := range uint64(300) {
		h := interleave(t, c, tear, rand.New(rand.NewPCG(seed, 0)))
		j, err := history.Judge(h, searchLimit)
		require.NoError(t, err)
		if j.Verdict == history.Linearizable {
			continue
		}
		require.Equal(t, history.HalfDone, j.Anomaly.Name, "%s: %s", c.ID, j.Anomaly)
		shown++
	}
	return shown
}

// interleave has the model make the calls of the threads in some order, batches
// being torn into their elements or not.
func interleave(t *testing.T, c *corpus.Case, tear bool, random *rand.Rand) history.History {
	s := runner.ScriptOf(c)
	m, err := model.New(c.System, c.New, c.Options)
	require.NoError(t, err)
	h := history.History{System: c.System, New: c.New, Options: c.Options}
	now := int64(0)
	do := func(op string, args []any) any {
		now += 2
		value, err := m.Call(op, args)
		require.NoError(t, err)
		return value
	}
	for _, call := range s.Before {
		h.Ops = append(h.Ops, history.Op{Call: call, From: now, To: now + 1, Value: do(call.Op, call.Args)})
	}
	threads := make([]thread, len(s.Threads))
	for i, calls := range s.Threads {
		threads[i].calls = calls
	}
	now += 2
	for {
		open := slices.DeleteFunc(random.Perm(len(threads)), func(i int) bool { return len(threads[i].calls) == 0 })
		if len(open) == 0 {
			return h
		}
		if op, returned := threads[open[0]].step(do, tear, &now); returned {
			op.Thread = open[0] + 1
			h.Ops = append(h.Ops, op)
		}
	}
}

// A thread is what is left of its calls, and how far the first one came.
type thread struct {
	calls   []corpus.Call
	from    int64
	answers []any
}

// step makes the next call, or the next element of it, and gives the call when
// it returned.
func (th *thread) step(do func(op string, args []any) any, tear bool, now *int64) (history.Op, bool) {
	call := th.calls[0]
	if th.answers == nil {
		th.from = *now
	}
	op, _ := surfaceOf(call.Op)
	if !tear || op.Feature != surface.Batch {
		value := do(call.Op, call.Args)
		th.calls = th.calls[1:]
		return history.Op{Call: call, From: th.from, To: *now + 1, Value: value}, true
	}
	last := len(call.Args) - 1
	elements := call.Args[last].([]any)
	n := len(th.answers)
	one := append(slices.Clone(call.Args[:last]), []any{elements[n]})
	th.answers = append(th.answers, do(call.Op, one).([]any)...)
	if len(th.answers) < len(elements) {
		return history.Op{}, false
	}
	done := history.Op{Call: call, From: th.from, To: *now + 1, Value: th.answers}
	th.calls, th.answers = th.calls[1:], nil
	return done, true
}

func surfaceOf(op string) (surface.Operation, bool) {
	event, _ := surface.FindSystem("event")
	return event.Find(op)
}
