package fuzz_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/fuzz"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

var everySystem = []string{"event", "message", "pubsub", "assign"}

// The model agrees with itself, and every kind of answer that the contract has
// comes in a run that is not long.
func TestRun_ReachesEverything(t *testing.T) {
	said := int64(0)
	r := fuzz.Run(t.Context(), []runner.Surface{inProcess("model", model.New, surface.Features...)}, fuzz.Options{
		Seed: 1, Systems: everySystem, Steps: 60_000, Progress: func(steps int64) { said = steps },
	})
	assert.Nil(t, r.Surfaces[0].Failure)
	assert.Equal(t, runner.ExitOK, r.Exit())
	assert.Empty(t, r.Reached.Unreached(everySystem))
	assert.Empty(t, r.Reached.Unlisted(), "which nobody would see")
	assert.GreaterOrEqual(t, r.Steps, int64(60_000))
	assert.Equal(t, r.Steps, said)
	assert.Equal(t, r.Steps, r.Surfaces[0].Steps, "a surface that can say all is spared nothing")
	assert.Equal(t, r.Traces, r.Surfaces[0].Traces)
}

func TestReached_WhatIsNotReachedIsSeen(t *testing.T) {
	r := fuzz.Run(t.Context(), []runner.Surface{inProcess("model", model.New, surface.Features...)},
		fuzz.Options{Seed: 1, Systems: []string{"event"}, Steps: 1})
	assert.Contains(t, r.Reached.Unreached([]string{"event"}), "event new: invalid capacity_per_partition")
	assert.Contains(t, r.Text([]string{"event"}), "\n  event new: invalid capacity_per_partition\n")
}

// A recorder has what a surface was asked, as it crossed the wire.
type recorder struct {
	mu    sync.Mutex
	lines []string
}

func (r *recorder) broker(system string, args []any, options map[string]any) (model.System, error) {
	r.add(system + wire.Format(args) + wire.Format(options))
	m, err := model.New(system, args, options)
	return recorded{m, r}, err
}

func (r *recorder) add(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, line)
}

type recorded struct {
	model.System
	to *recorder
}

func (r recorded) Call(op string, args []any) (any, error) {
	r.to.add(op + wire.Format(args))
	return r.System.Call(op, args)
}

// The same seed gives the same traces, whatever other surfaces and systems there
// are.
func TestRun_TracesAreThoseOfTheSeed(t *testing.T) {
	var alone, beside, other recorder
	o := fuzz.Options{Seed: 7, Systems: []string{"message"}, Steps: 2000}
	fuzz.Run(t.Context(), []runner.Surface{inProcess("a", alone.broker, surface.Features...)}, o)
	fuzz.Run(t.Context(), []runner.Surface{
		inProcess("b", beside.broker, surface.Features...), inProcess("c", other.broker),
	}, o)
	assert.Equal(t, alone.lines, beside.lines)
	assert.Less(t, len(other.lines), len(alone.lines), "it can say less")
	for _, line := range other.lines {
		require.NotContains(t, line, "null,")
	}
}

// One surface stops at its failure; the other goes on. Surfaces with the same
// fault are told of once.
func TestRun_EachSurfaceStopsAtItsFailure(t *testing.T) {
	broken := losing("ack", errors.New("of another kind"))
	r := fuzz.Run(t.Context(), []runner.Surface{
		inProcess("good", model.New, surface.Features...), inProcess("bad", broken, surface.Features...), inProcess("alike", broken),
	}, fuzz.Options{Seed: 1, Systems: []string{"message", "event"}, Steps: 5000, Shrink: time.Minute})
	assert.Equal(t, r.Steps, r.Surfaces[0].Steps)
	assert.Less(t, r.Surfaces[1].Steps, r.Steps)
	found := r.Found()
	require.Len(t, found, 1)
	assert.Equal(t, []string{"bad", "alike"}, found[0].Surfaces)
	assert.Len(t, found[0].Smallest.Case.Steps, 2, "create, ack")
	assert.Equal(t, runner.ExitFailed, r.Exit())
	assert.Contains(t, r.Text([]string{"message", "event"}), "FAILED: ")
}

func TestRun_ExitCodes(t *testing.T) {
	o := fuzz.Options{Seed: 1, Systems: []string{"assign"}, Steps: 200}
	none := inProcess("none", model.New)
	none.Start = func(context.Context) (runner.Adapter, error) { return nil, &adapter.Break{Reason: "no such program"} }
	r := fuzz.Run(t.Context(), []runner.Surface{inProcess("good", model.New, surface.Features...), none}, o)
	assert.Equal(t, runner.ExitBroken, r.Exit())
	assert.Contains(t, r.Text(o.Systems), "BROKEN adapter of none: no such program")

	other := inProcess("other", model.New)
	start := other.Start
	other.Start = func(ctx context.Context) (runner.Adapter, error) {
		a, err := start(ctx)
		a.(*inner).hello.Systems = []string{"event"}
		return a, err
	}
	r = fuzz.Run(t.Context(), []runner.Surface{other}, o)
	assert.Equal(t, runner.ExitIncomplete, r.Exit(), "nothing could be judged")
}

// The time bounds a run as well. On a clock of its own the first trace is there
// before the time is over.
func TestRun_ForATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(system string, args []any, options map[string]any) (model.System, error) {
			time.Sleep(time.Second)
			return model.New(system, args, options)
		}
		r := fuzz.Run(t.Context(), []runner.Surface{inProcess("model", slow, surface.Features...)},
			fuzz.Options{Seed: 1, Systems: everySystem, Steps: 1 << 60, For: time.Minute})
		assert.Equal(t, runner.ExitOK, r.Exit())
		assert.Positive(t, r.Traces)
	})
}
