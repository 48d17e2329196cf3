package history_test

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/history"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestGenerate_SameSeedSameScript(t *testing.T) {
	for _, system := range history.Systems {
		a, err := history.Generate(system, 7, 8, 25)
		require.NoError(t, err)
		b, err := history.Generate(system, 7, 8, 25)
		require.NoError(t, err)
		assert.Equal(t, a, b)
		assert.Len(t, a.Threads, 8)
		for _, calls := range a.Threads {
			assert.Len(t, calls, 25)
		}
		other, err := history.Generate(system, 8, 8, 25)
		require.NoError(t, err)
		assert.NotEqual(t, a, other)
	}
	_, err := history.Generate("assign", 1, 2, 2)
	assert.ErrorContains(t, err, "no histories")
}

// Topics and groups come into being again and again, and threads meet over each: a
// race of two that make one is over after one.
func TestGenerate_ManyBeginnings(t *testing.T) {
	for system, create := range map[string]string{"event": "create", "message": "create_topic"} {
		most := 0
		for seed := range uint64(30) {
			s, err := history.Generate(system, seed, 8, 25)
			require.NoError(t, err)
			makers := map[any]int{} // of each topic
			for _, calls := range s.Threads {
				for _, c := range calls {
					if c.Op == create {
						makers[c.Args[0]]++
					}
				}
			}
			maps.DeleteFunc(makers, func(_ any, n int) bool { return n < 2 })
			most = max(most, len(makers))
		}
		assert.GreaterOrEqual(t, most, 5, system)
	}
}

// What the model does when the threads take turns by chance is linearizable, and
// so it stays when calls seem to take longer than they did. The scan, which
// would panic, sees nothing in it.
func TestJudge_AcceptsWhatTheModelDoes(t *testing.T) {
	reached := map[string]bool{}
	for _, system := range history.Systems {
		for seed := range uint64(60) {
			h := simulate(t, system, seed, reached)
			j, err := history.Judge(h, ample)
			require.NoError(t, err)
			require.Equal(t, history.Linearizable, j.Verdict, "%s, seed %d: %s", system, seed, j.Anomaly)
		}
	}
	for _, op := range []string{"ack", "retry", "nack", "leave", "create", "create_topic", "publish_many", "ack_many"} {
		assert.True(t, reached[op], "%s was never true", op)
	}
}

// Where a surface has no batches, its script has as many calls, and none is one.
func TestScript_Single(t *testing.T) {
	batches := 0
	for seed := range uint64(20) {
		s, err := history.Generate("event", seed, 8, 25)
		require.NoError(t, err)
		single := s.Single()
		batches += countBatches(s)
		assert.Zero(t, countBatches(single))
		assert.Len(t, single.Threads[7], len(s.Threads[7]))
	}
	assert.Positive(t, batches)
}

func countBatches(s history.Script) (n int) {
	event, _ := surface.FindSystem("event")
	for _, call := range slices.Concat(s.Threads...) {
		if op, _ := event.Find(call.Op); op.Feature == surface.Batch {
			n++
		}
	}
	return n
}

func simulate(t *testing.T, system string, seed uint64, reached map[string]bool) history.History {
	s, err := history.Generate(system, seed, 4, 20)
	require.NoError(t, err)
	m, err := model.New(system, s.New, nil)
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(seed, 1))
	h := history.History{System: system, New: s.New}
	now := int64(0)
	last := map[int]int64{} // thread => when its last call returned
	perform := func(thread int, op history.Op) {
		now += 10
		op.Thread = thread
		op.Value, err = m.Call(op.Call.Op, op.Call.Args)
		var invalid *model.InvalidArgument
		if errors.As(err, &invalid) {
			op.Error = surface.InvalidArgument
		} else {
			require.NoError(t, err)
		}
		many, _ := op.Value.([]any)
		reached[op.Call.Op] = reached[op.Call.Op] || op.Value == true || slices.Contains(many, any(true)) || slices.Contains(many, any(int64(1)))
		op.From, op.To = max(last[thread]+1, now-random.Int64N(60)), now+random.Int64N(9)
		last[thread] = op.To
		h.Ops = append(h.Ops, op)
	}
	for _, call := range s.Before {
		perform(0, history.Op{Call: call})
	}
	for thread := range s.Threads {
		last[thread+1] = last[0]
	}
	for slices.ContainsFunc(s.Threads, func(left []corpus.Call) bool { return len(left) > 0 }) {
		if i := random.IntN(len(s.Threads)); len(s.Threads[i]) > 0 {
			perform(i+1, history.Op{Call: s.Threads[i][0]})
			s.Threads[i] = s.Threads[i][1:]
		}
	}
	return h
}
