package runner_test

import (
	"testing"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var declared = map[string]string{surface.InvalidArgument: "ValueError"}

func TestJudge_Constructor(t *testing.T) {
	refused := &corpus.Case{NewRaises: surface.InvalidArgument}
	made := &corpus.Case{}
	failed := adapter.Response{New: &adapter.Result{Error: "ValueError", Message: "0 is outside"}}

	assert.Nil(t, runner.Judge(refused, failed, declared))
	assert.Nil(t, runner.Judge(made, adapter.Response{Results: [][]adapter.Result{{}}}, declared))

	for why, d := range map[string]*runner.Divergence{
		"it must fail and did not":      runner.Judge(refused, adapter.Response{}, declared),
		"it must not fail and did":      runner.Judge(made, failed, declared),
		"it failed with the wrong type": runner.Judge(refused, adapter.Response{New: &adapter.Result{Error: "KeyError"}}, declared),
	} {
		require.NotNil(t, d, why)
		assert.Equal(t, runner.Constructor, d.Step, why)
	}
}

// A hello is a third party's own: one that declares a type for no kind of error
// must not turn every refusal into what was expected.
func TestJudge_ATypeForNoErrorIsNotExpected(t *testing.T) {
	lie := map[string]string{surface.InvalidArgument: "E", "": "E"}
	c := &corpus.Case{Steps: []corpus.Step{{Returns: true}}}
	failed := adapter.Result{Error: "E"}

	assert.NotNil(t, runner.Judge(c, adapter.Response{New: &failed}, lie))
	assert.NotNil(t, runner.Judge(c, adapter.Response{Results: [][]adapter.Result{{failed}}}, lie))
	assert.Nil(t, runner.Judge(c, adapter.Response{Results: [][]adapter.Result{{{Value: true}}}}, lie))
}

func TestJudge_Step(t *testing.T) {
	value := func(v any) adapter.Result { return adapter.Result{Value: v} }
	failure := func(name string) adapter.Result { return adapter.Result{Error: name} }
	returns := func(v any) corpus.Step { return corpus.Step{Returns: v} }
	raises := corpus.Step{Raises: surface.InvalidArgument}

	for why, tc := range map[string]struct {
		step corpus.Step
		got  adapter.Result
		same bool
	}{
		"the value":                         {returns(int64(1)), value(int64(1)), true},
		"another value":                     {returns(int64(1)), value(int64(2)), false},
		"true is not 1":                     {returns(int64(1)), value(true), false},
		"1 is not true":                     {returns(true), value(int64(1)), false},
		"a float is not an integer":         {returns(int64(0)), value(adapter.Unreadable("0.0")), false},
		"a list in another order":           {returns([]any{int64(0), int64(1)}), value([]any{int64(1), int64(0)}), false},
		"nothing is not an empty list":      {returns([]any{}), value(nil), false},
		"an error is not a value":           {returns(nil), failure("ValueError"), false},
		"the declared error":                {raises, failure("ValueError"), true},
		"a value is not an error":           {raises, value(nil), false},
		"another error":                     {raises, failure("KeyError"), false},
		"the kind's name is no native type": {raises, failure(surface.InvalidArgument), false},
	} {
		c := &corpus.Case{Steps: []corpus.Step{tc.step}}
		d := runner.Judge(c, adapter.Response{Results: [][]adapter.Result{{tc.got}}}, declared)
		assert.Equal(t, tc.same, d == nil, why)
	}
}

func TestJudge_KindWithoutDeclaredTypeIsNoValue(t *testing.T) {
	c := &corpus.Case{Steps: []corpus.Step{{Raises: "closed"}}}
	returned := adapter.Response{Results: [][]adapter.Result{{{Value: nil}}}}
	assert.NotNil(t, runner.Judge(c, returned, declared))
}

func TestJudge_FirstDivergence(t *testing.T) {
	c := &corpus.Case{Steps: []corpus.Step{{Returns: true}, {Returns: true}, {Returns: true}}}
	got := []adapter.Result{{Value: true}, {Value: false}, {Value: false}}
	d := runner.Judge(c, adapter.Response{Results: [][]adapter.Result{got}}, declared)
	require.NotNil(t, d)
	assert.Equal(t, 1, d.Step)
}
