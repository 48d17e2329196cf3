package fuzz_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/faults/assign"
	"github.com/eventbroker/eventbroker/conformance/faults/event"
	"github.com/eventbroker/eventbroker/conformance/faults/message"
	"github.com/eventbroker/eventbroker/conformance/faults/pubsub"
	"github.com/eventbroker/eventbroker/conformance/fuzz"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

// fuzzOne fuzzes one system of one surface.
func fuzzOne(t *testing.T, s runner.Surface, system string, steps int64) fuzz.Result {
	return fuzz.Run(t.Context(), []runner.Surface{s}, fuzz.Options{Seed: 1, Systems: []string{system}, Steps: steps, Shrink: time.Minute})
}

func (m maker) surface(features ...string) runner.Surface { return inProcess("broken", m, features...) }

func brokenBy(f faults.Broken) maker {
	return func(_ string, args []any, options map[string]any) (model.System, error) { return f.New(args, options) }
}

// every gives each nth of the faults.
func every(n int, faults []faults.Broken) []faults.Broken {
	kept := faults[:0:0]
	for i := n / 2; i < len(faults); i += n {
		kept = append(kept, faults[i])
	}
	return kept
}

// Of the faults that the corpus is proved with, most are found by chance, too,
// and nearly all of those in less than ten steps. Those that are not found need
// a hundred groups, a certain character, or a dispatcher with threads.
func TestShrink_FaultsAreFoundAndSmall(t *testing.T) {
	const inEach = 5
	sample := slices.Concat(every(len(event.All)/inEach, event.All), every(len(message.All)/inEach, message.All),
		every(len(pubsub.All)/inEach, pubsub.All), every(len(assign.All)/inEach, assign.All))
	found, small := 0, 0
	for _, f := range sample {
		failure := fuzzOne(t, brokenBy(f).surface(surface.Features...), f.System, 5_000).Surfaces[0].Failure
		if failure == nil {
			t.Logf("not found: %s/%s", f.System, f.Name)
			continue
		}
		found++
		require.True(t, failure.Again, f.Name)
		retold, is := fuzz.Retell(*failure.Smallest.Case, surface.Features)
		require.True(t, is, f.Name)
		require.Equal(t, corpus.Format(&retold), corpus.Format(failure.Smallest.Case), "what it expects is right")
		if len(failure.Smallest.Case.Steps) < 10 {
			small++
		}
	}
	assert.GreaterOrEqual(t, found, len(sample)*8/10, "of %d", len(sample))
	assert.GreaterOrEqual(t, small, found*9/10, "of %d", found)
}

// One fault a system, by name: in how many steps it shows is known.
func TestShrink_ToTheSmallest(t *testing.T) {
	for name, want := range map[string]int{
		"event/owner-compared-ignoring-case":           5, // create, publish, join, poll, ack
		"message/parking-skips-the-next-message":       7,
		"pubsub/tries-not-cleared-by-seek":             6,
		"pubsub/redelivered-stays":                     7,
		"assign/decoded-cut-characters-accepted":       2, // one that returns beside the one that must not
		"event/capacity-1000-refused":                  1, // the constructor, and a step since a case has one
		"event/retry-goes-back-to-the-earliest-record": 10,
	} {
		all := slices.Concat(event.All, message.All, pubsub.All, assign.All)
		i := slices.IndexFunc(all, func(f faults.Broken) bool { return f.System+"/"+f.Name == name })
		if i < 0 {
			t.Errorf("there is no fault %s", name)
			continue
		}
		failure := fuzzOne(t, brokenBy(all[i]).surface(surface.Features...), all[i].System, 60_000).Surfaces[0].Failure
		if assert.NotNil(t, failure, name) {
			assert.LessOrEqual(t, len(failure.Smallest.Case.Steps), want, "%s:\n%s", name, corpus.Format(failure.Smallest.Case))
		}
	}
}

// lost is a broker that takes its adapter with it.
type lost struct {
	model.System
	at  string // the operation
	how error
}

func (l lost) Call(op string, args []any) (any, error) {
	value, err := l.System.Call(op, args)
	if op == l.at && err == nil {
		return nil, l.how
	}
	return value, err
}

func losing(at string, how error) maker {
	return func(system string, args []any, options map[string]any) (model.System, error) {
		m, err := model.New(system, args, options)
		return lost{m, at, how}, err
	}
}

func TestShrink_CrashesAndTimeouts(t *testing.T) {
	for verdict, how := range map[runner.Verdict]error{
		runner.Crash: &adapter.Crash{How: "killed"}, runner.Timeout: &adapter.Timeout{After: time.Second},
	} {
		s := fuzzOne(t, losing("retry", how).surface(surface.Features...), "event", 5_000).Surfaces[0]
		require.NotNil(t, s.Failure)
		o := s.Failure.Smallest
		assert.Equal(t, verdict, o.Verdict)
		require.Len(t, o.Case.Steps, 2, corpus.Format(o.Case))
		assert.Equal(t, "create", o.Case.Steps[0].Call.Op)
		assert.Equal(t, "retry", o.Case.Steps[1].Call.Op)
	}
}

// A failure that does not come again is shown as it was, not lost.
func TestShrink_WhatDoesNotFailAgain(t *testing.T) {
	brokers := 0
	once := maker(func(system string, args []any, options map[string]any) (model.System, error) {
		m, err := model.New(system, args, options)
		if brokers++; brokers == 5 {
			return lost{m, "publish", &adapter.Crash{How: "killed"}}, err
		}
		return m, err
	})
	r := fuzzOne(t, once.surface(surface.Features...), "message", 5_000)
	require.NotNil(t, r.Surfaces[0].Failure)
	assert.False(t, r.Surfaces[0].Failure.Again)
	assert.NotEmpty(t, r.Surfaces[0].Failure.Smallest.Case.ID)
	assert.Equal(t, runner.ExitFailed, r.Exit())
}

// Without time to shrink, the trace is shown as it was.
func TestShrink_WithoutTime(t *testing.T) {
	s := losing("publish", &adapter.Crash{How: "killed"}).surface(surface.Features...)
	r := fuzz.Run(t.Context(), []runner.Surface{s}, fuzz.Options{Seed: 1, Systems: []string{"message"}, Steps: 1000})
	assert.Greater(t, len(r.Surfaces[0].Failure.Smallest.Case.Steps), 2)
}

func TestCutList(t *testing.T) {
	list := make([]int, 100)
	for i := range list {
		list[i] = i
	}
	tries := 0
	small := fuzz.CutList(list, func(l []int) bool {
		tries++
		return slices.Contains(l, 3) && slices.Contains(l, 50) && slices.Contains(l, 99)
	})
	assert.Equal(t, []int{3, 50, 99}, small)
	assert.Less(t, tries, 100)
	assert.Empty(t, fuzz.CutList(list, func([]int) bool { return true }))
	assert.Empty(t, fuzz.CutList(nil, func([]int) bool { return true }))
}

// A handler that makes calls acts a few times only, however simple it becomes:
// without end the model would have none either.
func TestSimplerValues_HandlersHaveAnEnd(t *testing.T) {
	rule := map[string]any{"times": int64(2), "match": "a", "ret": false, "do": []any{[]any{"seek", "t", "a", int64(0)}}}
	todo := []any{rule}
	for range 200 {
		if len(todo) == 0 {
			return
		}
		simple := todo[0].(map[string]any)
		todo = todo[1:]
		if _, calls := simple["do"]; calls {
			require.Contains(t, slices.Collect(maps.Keys(simple)), "times")
		}
		todo = append(todo, fuzz.SimplerValues(surface.Rule, simple)...)
	}
}
