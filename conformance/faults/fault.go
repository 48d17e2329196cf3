// Package faults breaks brokers: a broken one is the model with one deliberate
// deviation. They prove the corpus: every fault must be caught by the case that
// it names, or the corpus would let a broker pass that is broken in the same
// way. Each system has its faults in a package of its own.
package faults

import (
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

// A Fault is one way to be wrong. It sets one or more of the three functions,
// each of which is called once for every broker and may keep state of its own.
type Fault[Rules any, Broker model.System] struct {
	Name string
	What string // what the broken broker does, in a sentence
	Case string // the case that must catch it

	// Rules decides otherwise than the contract.
	Rules func(*Rules)
	// Hears takes other arguments than were said, those of new included.
	Hears func(*Call)
	// Around does more than the call asks for, or answers otherwise.
	Around func(Broker) Perform
}

// A Model is what the faults of one system break.
type Model[Rules any, Broker model.System] struct {
	System  string
	Correct func() Rules
	New     func(rules Rules, args []any, options map[string]any) (Broker, error)
}

// A Broken makes brokers that have a fault.
type Broken struct {
	System, Name, What, Case string
	New                      func(args []any, options map[string]any) (model.System, error)
}

// Break gives each fault a broker to be in.
func (m Model[Rules, Broker]) Break(faults []Fault[Rules, Broker]) []Broken {
	var all []Broken
	for _, f := range faults {
		all = append(all, Broken{m.System, f.Name, f.What, f.Case, m.with(f)})
	}
	return all
}

func (m Model[Rules, Broker]) with(f Fault[Rules, Broker]) func([]any, map[string]any) (model.System, error) {
	system, _ := surface.FindSystem(m.System)
	return func(args []any, options map[string]any) (model.System, error) {
		rules := m.Correct()
		if f.Rules != nil {
			f.Rules(&rules)
		}
		if f.Hears != nil {
			args, options = hearNew(system, f.Hears, args, options)
		}
		b, err := m.New(rules, args, options)
		if err != nil {
			return nil, err
		}
		broken := &broken{System: b, row: system, hears: f.Hears, perform: PerformOn(b)}
		if f.Around != nil {
			broken.perform = f.Around(b)
		}
		if nests, is := any(b).(interface{ CallThrough(model.System) }); is {
			nests.CallThrough(broken) // what a handler calls, the fault is in as well
		}
		return broken, nil
	}
}

// broken is a model whose calls go through the fault.
type broken struct {
	model.System
	row     surface.System
	hears   func(*Call)
	perform Perform
}

func (b *broken) Call(op string, args []any) (any, error) {
	c, ok := newCall(b.row, op, args)
	if !ok { // the model says what is wrong with it
		return b.System.Call(op, args)
	}
	if b.hears != nil {
		b.hears(&c)
	}
	return b.perform(c)
}
