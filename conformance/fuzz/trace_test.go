package fuzz_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/cases"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/fuzz"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

// eachTrace draws the first n traces of every system.
func eachTrace(n uint64, do func(system string, number uint64, c corpus.Case)) {
	for _, s := range surface.Systems {
		for i := range n {
			do(s.Name, i, fuzz.NewTrace(1, s.Name, i).Case(nil))
		}
	}
}

func TestTrace_IsThatOfItsSeed(t *testing.T) {
	eachTrace(20, func(system string, n uint64, c corpus.Case) {
		require.Equal(t, c, fuzz.NewTrace(1, system, n).Case(nil))
		require.NotEqual(t, c, fuzz.NewTrace(2, system, n).Case(nil))
	})
}

// About a third of the calls are wrong in one way. Not all of those are errors:
// a stale offset is false.
func TestTrace_IsWrongNowAndThen(t *testing.T) {
	steps, refused := map[string]int{}, map[string]int{}
	eachTrace(200, func(system string, _ uint64, c corpus.Case) {
		steps[system] += len(c.Steps)
		for _, s := range c.Steps {
			if s.Raises != "" {
				refused[system]++
			}
		}
	})
	for system, n := range steps {
		assert.InDelta(t, 0.2, float64(refused[system])/float64(n), 0.1, system)
	}
}

// A case that was drawn can be written, and reads back as what it was, whatever
// is in it. So the loader refuses nothing that is drawn.
func TestTrace_ReadsBackAsACase(t *testing.T) {
	eachTrace(100, func(system string, n uint64, c corpus.Case) {
		c, is := fuzz.Retell(c, surface.Features)
		if !is { // no step returns
			return
		}
		c.ID, c.Why, c.Spec = "x", "a reason: \"with\" # all", []string{"EB-01"}
		files := fstest.MapFS{"x.yaml": {Data: []byte(corpus.Format(&c))}}
		read, err := corpus.Load(files)
		require.NoError(t, err, "%s %d", system, n)
		if corpus.Format(&c) != corpus.Format(&read[0]) { // require would print all of it
			t.Fatalf("%s %d reads back as another case", system, n)
		}
	})
}

// What is found can be linted: the clauses that it names are in the contract.
func TestName_ClausesAreInTheContract(t *testing.T) {
	contract, err := corpus.ReadContract(cases.FS)
	require.NoError(t, err)
	known := map[string]bool{}
	for _, c := range contract {
		known[c.ID] = true
	}
	for _, s := range surface.Systems {
		for _, op := range append([]surface.Operation{{Name: "new"}}, s.Operations...) {
			assert.True(t, known[fuzz.ClauseOf(s.Name, op.Name)], "%s %s", s.Name, op.Name)
		}
	}
}

// A surface is spared what it cannot say; the answers are those of a broker that
// never heard it.
func TestRetell_LeavesOutWhatCannotBeSaid(t *testing.T) {
	c := corpus.Case{System: "pubsub", Steps: []corpus.Step{
		{Call: corpus.Call{Op: "create_topic", Args: []any{"t"}}},
		{Call: corpus.Call{Op: "create_topic", Args: []any{nil}}},
		{Call: corpus.Call{Op: "status", Args: []any{"t", "a"}}},
		{Call: corpus.Call{Op: "subscribe", Args: []any{"t", "a", []any{map[string]any{
			"do": []any{[]any{"redeliver", "t", "a"}}, "times": int64(1),
		}}}}},
		{Call: corpus.Call{Op: "offset", Args: []any{"t", "a"}}},
	}}
	whole, is := fuzz.Retell(c, surface.Features)
	require.True(t, is)
	assert.Equal(t, []string{surface.NullStrings, surface.Redeliver, surface.Status}, whole.Needs)
	assert.Equal(t, int64(0), whole.Steps[4].Returns)

	less, is := fuzz.Retell(c, []string{surface.NullStrings})
	require.True(t, is)
	assert.Equal(t, []string{surface.NullStrings}, less.Needs)
	require.Len(t, less.Steps, 3)
	assert.Equal(t, surface.InvalidArgument, less.Steps[1].Raises)
	assert.Equal(t, int64(-1), less.Steps[2].Returns, "nobody subscribed")
}

func TestRetell_NoCaseIsLeft(t *testing.T) {
	refused := corpus.Call{Op: "poll", Args: []any{"t", "g", "m", int64(1)}}
	_, is := fuzz.Retell(corpus.Case{System: "event", New: []any{int64(1)}, Steps: []corpus.Step{{Call: refused}}}, nil)
	assert.False(t, is, "no step returns")
	c, is := fuzz.Retell(corpus.Case{System: "event", New: []any{int64(0)}}, nil)
	assert.True(t, is)
	assert.Equal(t, surface.InvalidArgument, c.NewRaises)
}
