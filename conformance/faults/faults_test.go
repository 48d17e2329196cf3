package faults_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/cases"
	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/faults/assign"
	"github.com/eventbroker/eventbroker/conformance/faults/event"
	"github.com/eventbroker/eventbroker/conformance/faults/message"
	"github.com/eventbroker/eventbroker/conformance/faults/pubsub"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

// A maker makes a broker for one case.
type maker func(args []any, options map[string]any) (model.System, error)

// all are the faults of every system.
var all = slices.Concat(event.All, message.All, pubsub.All, assign.All)

// correct makes the model that a case is about.
func correct(c corpus.Case) maker {
	return func(args []any, options map[string]any) (model.System, error) {
		return model.New(c.System, args, options)
	}
}

// TestModelPassesTheCorpus: the model can say all that a case may need, so
// every case applies to it.
func TestModelPassesTheCorpus(t *testing.T) {
	for _, c := range sequentialCases(t) {
		if divergence := judge(&c, correct(c)); divergence != nil {
			t.Errorf("%s:%d: %s: %s", c.File, c.Line, c.ID, describe(&c, divergence))
		}
	}
}

// TestEveryFaultIsCaught: by the case that it names.
func TestEveryFaultIsCaught(t *testing.T) {
	cases := sequentialCases(t)
	for _, fault := range all {
		t.Run(fault.System+"/"+fault.Name, func(t *testing.T) {
			t.Parallel()
			named, err := corpus.Select(cases, []string{fault.Case})
			if err == nil && judge(&named[0], fault.New) != nil {
				t.Logf("caught by %s", fault.Case)
				return
			}
			t.Errorf("not caught by the case that it names, %q. %s", fault.Case, fault.What)
			caught := catching(cases, fault)
			require.NotEmpty(t, caught, "nor by any other")
			t.Errorf("caught by %d others, as %s", len(caught), caught[0])
		})
	}
}

// TestFaultsAreNamed: once each, in kebab-case, and with a sentence.
func TestFaultsAreNamed(t *testing.T) {
	seen, systems := map[string]bool{}, map[string]int{}
	for _, fault := range all {
		assert.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)*$`, fault.Name)
		assert.Regexp(t, `^[A-Z].*\.$`, fault.What, fault.Name)
		name := fault.System + "/" + fault.Name
		assert.False(t, seen[name], "%s is listed twice", name)
		seen[name] = true
		systems[fault.System]++
	}
	for _, system := range surface.Systems {
		assert.GreaterOrEqual(t, systems[system.Name], 35, system.Name)
	}
}

func sequentialCases(t *testing.T) []corpus.Case {
	t.Helper()
	loaded, err := corpus.Load(cases.FS)
	require.NoError(t, err)
	return slices.DeleteFunc(loaded, func(c corpus.Case) bool { return len(c.Threads) > 0 })
}

// catching are the cases that a broken broker fails.
func catching(cases []corpus.Case, fault faults.Broken) []string {
	var caught []string
	for _, c := range cases {
		if c.System == fault.System && judge(&c, fault.New) != nil {
			caught = append(caught, c.ID)
		}
	}
	return caught
}

// judge carries a case out in this process.
func judge(c *corpus.Case, broker maker) *runner.Divergence {
	return runner.Judge(c, carryOut(c, broker), nil) // every kind by its own name
}

func carryOut(c *corpus.Case, broker maker) adapter.Response {
	system, err := broker(c.New, c.Options)
	if err != nil {
		failed := result(nil, err)
		return adapter.Response{New: &failed}
	}
	var results []adapter.Result
	for _, step := range c.Steps {
		results = append(results, result(system.Call(step.Call.Op, step.Call.Args)))
	}
	return adapter.Response{Results: [][]adapter.Result{results}}
}

// result has the model's error by the name of its kind.
func result(value any, err error) adapter.Result {
	var argument *model.InvalidArgument
	var late *model.TimedOut
	switch {
	case errors.As(err, &argument):
		return adapter.Result{Error: surface.InvalidArgument, Message: err.Error()}
	case errors.As(err, &late):
		return adapter.Result{Error: surface.TimedOut, Message: err.Error()}
	case err != nil:
		return adapter.Result{Error: "another", Message: err.Error()}
	}
	return adapter.Result{Value: value}
}

// describe says where the model parts from a case, and its state there.
func describe(c *corpus.Case, d *runner.Divergence) string {
	if d.Step == runner.Constructor {
		return fmt.Sprintf("new%v: the case wants %+v, the model has %+v", c.New, d.Want, d.Got)
	}
	step := c.Steps[d.Step]
	return fmt.Sprintf("line %d: %s%v: the case wants %+v, the model has %+v and was before:\n%s",
		step.Line, step.Call.Op, step.Call.Args, d.Want, d.Got, stateBefore(c, d.Step))
}

func stateBefore(c *corpus.Case, step int) string {
	system, err := model.New(c.System, c.New, c.Options)
	if err != nil {
		return err.Error()
	}
	for _, s := range c.Steps[:step] {
		_, _ = system.Call(s.Call.Op, s.Call.Args)
	}
	return system.String()
}
