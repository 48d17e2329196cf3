// Package faults has broken brokers: the model with one deliberate deviation
// each. They prove the corpus: every fault must be caught by the case that it
// names, or the corpus would let a broker pass that is broken in the same way.
package faults

import "github.com/eventbroker/eventbroker/conformance/model"

// A Fault is one way to be wrong. It sets one or more of the three functions,
// each of which is called once for every broker and may keep state of its own.
type Fault struct {
	Name string
	What string // what the broken broker does, in a sentence
	Case string // the case that must catch it

	// Rules decides otherwise than the contract.
	Rules func(*model.EventRules)
	// Hears takes other arguments than were said, those of new included.
	Hears func(*Call)
	// Around does more than the call asks for, or answers otherwise.
	Around func(*model.Event) Perform
}

// New makes a broker with the fault.
func (f Fault) New(args []any, options map[string]any) (model.System, error) {
	rules := model.CorrectEventRules()
	if f.Rules != nil {
		f.Rules(&rules)
	}
	if f.Hears != nil {
		args, options = f.hearNew(args, options)
	}
	event, err := model.NewEventWith(rules, args, options)
	if err != nil {
		return nil, err
	}
	broker := &broken{Event: event, hears: f.Hears, perform: performOn(event)}
	if f.Around != nil {
		broker.perform = f.Around(event)
	}
	return broker, nil
}

// broken is a model whose calls go through the fault.
type broken struct {
	*model.Event
	hears   func(*Call)
	perform Perform
}

func (b *broken) Call(op string, args []any) (any, error) {
	c, ok := newCall(op, args)
	if !ok { // the model says what is wrong with it
		return b.Event.Call(op, args)
	}
	if b.hears != nil {
		b.hears(&c)
	}
	return b.perform(c)
}
