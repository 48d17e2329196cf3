// Package fuzz draws traces, random cases whose answers the reference model
// gives, has them carried out on every surface, and makes the smallest case of
// one that fails.
//
// There is one generator for all that needs random calls: a trace is drawn from
// a seed alone, whatever the surfaces.
package fuzz

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

// A Trace is what a random case is drawn from: a seed for the constructor and
// one for each step. What a step comes to depends on the state that it meets, so
// that a trace with some of its steps taken out is still about what there is.
type Trace struct {
	System string
	New    uint64
	Steps  []uint64
}

// How long a trace is. Of a very short one no step might return, which makes no
// case; a longer one would find little more, and take longer to shrink.
const (
	fewestSteps = 20
	mostSteps   = 100
)

// NewTrace gives trace number n of a system.
func NewTrace(seed uint64, system string, n uint64) Trace {
	name := fnv.New64a()
	_, _ = name.Write([]byte(system)) // it never fails
	r := rand.New(rand.NewPCG(seed, name.Sum64()+n))
	t := Trace{System: system, New: r.Uint64(), Steps: make([]uint64, fewestSteps+r.IntN(mostSteps-fewestSteps+1))}
	for i := range t.Steps {
		t.Steps[i] = r.Uint64()
	}
	return t
}

// Case draws the case, its answers being the model's. What it comes to is told
// to reached, unless that is nil.
func (t Trace) Case(reached *Reached) corpus.Case {
	v := vocabularies[t.System]
	c := corpus.Case{System: t.System}
	c.New, c.Options = v.construct(drawerOf(t.New))
	teller := newTeller(&c, reached)
	for _, seed := range t.Steps {
		if c.NewRaises != "" {
			break
		}
		teller.ask(v.call(drawerOf(seed), teller.model))
	}
	c.Needs = needs(&c)
	return c
}

// Retell is the case as the model answers it, without the steps that a surface
// with these features cannot say. It is false where that leaves no case: the
// constructor cannot be said, or no step returns.
func Retell(c corpus.Case, features []string) (corpus.Case, bool) {
	told := c
	told.Steps, told.NewRaises = nil, ""
	told.Needs = needs(&told)
	if !contain(features, told.Needs) {
		return told, false
	}
	teller := newTeller(&told, nil)
	if told.NewRaises != "" {
		return told, true
	}
	returns := false
	for _, step := range c.Steps {
		if contain(features, needsOfCall(c.System, step.Call)) {
			returns = teller.ask(step.Call) || returns
		}
	}
	told.Needs = needs(&told)
	return told, returns
}

// A teller writes a case as the model answers it.
type teller struct {
	c       *corpus.Case
	model   model.System
	reached *Reached
}

func newTeller(c *corpus.Case, reached *Reached) *teller {
	m, err := model.New(c.System, c.New, c.Options)
	c.NewRaises = kindOf(err)
	reached.add(c.System, constructor, nil, err)
	return &teller{c, m, reached}
}

// ask appends a step, and reports whether the call returned.
func (t *teller) ask(call corpus.Call) bool {
	value, err := t.model.Call(call.Op, call.Args)
	t.c.Steps = append(t.c.Steps, corpus.Step{Call: call, Returns: value, Raises: kindOf(err)})
	t.reached.add(t.c.System, call.Op, value, err)
	return err == nil
}

// kindOf is the kind of an error of the model, "" for none.
func kindOf(err error) string {
	var argument *model.InvalidArgument
	var late *model.TimedOut
	switch {
	case err == nil:
		return ""
	case errors.As(err, &argument):
		return surface.InvalidArgument
	case errors.As(err, &late):
		return surface.TimedOut
	}
	panic(fmt.Sprintf("what was drawn is no call: %v", err))
}
