package runner

import (
	"cmp"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// Constructor stands for a step's index where the constructor is meant.
const Constructor = -1

// A Divergence is the first place where a surface did not do what the case
// says.
type Divergence struct {
	Step int // index into the case's steps, or Constructor
	Want adapter.Result
	Got  adapter.Result
}

// Judge compares a sequential case with what became of it; nil means as
// expected. The map gives kind of error => the surface's native type.
func Judge(c *corpus.Case, r adapter.Response, errors map[string]string) *Divergence {
	want, got := adapter.Result{Error: native(c.NewRaises, errors)}, adapter.Result{}
	if r.New != nil {
		got = *r.New
	}
	if want.Error != got.Error {
		return &Divergence{Constructor, want, got}
	}
	if got.Error != "" {
		return nil
	}
	for i, step := range c.Steps {
		want := adapter.Result{Value: step.Returns, Error: native(step.Raises, errors)}
		if got := r.Results[0][i]; !same(want, got) {
			return &Divergence{i, want, got}
		}
	}
	return nil
}

// native is the type for a kind of error. One that the surface has not declared
// must go by the kind's own name, never by none. No kind is no error, whatever a
// hello declares under the empty name.
func native(kind string, errors map[string]string) string {
	if kind == "" {
		return ""
	}
	return cmp.Or(errors[kind], kind)
}

func same(want, got adapter.Result) bool {
	if want.Error != "" || got.Error != "" {
		return want.Error == got.Error
	}
	return wire.Equal(want.Value, got.Value)
}
