// Package assign has the faults of range assignment and of its encodings.
package assign

import (
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

var broken = faults.Model[model.AssignRules, *model.Assign]{
	System: "assign", Correct: model.CorrectAssignRules, New: model.NewAssignWith,
}

// correct are the rules that faults bend.
var correct = model.CorrectAssignRules()

type (
	fault   = faults.Fault[model.AssignRules, *model.Assign]
	call    = faults.Call
	perform = faults.Perform
	fields  = map[string]any // of a struct
)

// after changes what comes of these operations.
func after(change func(result any) any, ops ...string) func(*model.Assign) perform {
	return faults.After(func(_ *model.Assign, _ call, result any) any { return change(result) }, ops...)
}

// mending performs a refused call of these operations as if it had been made
// with another argument.
func mending(argument string, mend func(value any) any, ops ...string) func(*model.Assign) perform {
	return func(a *model.Assign) perform {
		return func(c call) (any, error) {
			result, err := faults.PerformOn(a)(c)
			if err == nil || !slices.Contains(ops, c.Op) {
				return result, err
			}
			return faults.PerformOn(a)(c.With(fields{argument: mend(c.Args[argument])}))
		}
	}
}

// inField changes one field of what comes of an operation.
func inField(op, field string, change func(any) any) func(*model.Assign) perform {
	return after(func(result any) any {
		s := result.(fields)
		s[field] = change(s[field])
		return s
	}, op)
}

// hearing changes one field of the struct that an operation is given.
func hearing(op, argument, field string, change func(any) any) func(*call) {
	return func(c *call) {
		if c.Op == op {
			c.Args[argument] = with(c.Args[argument].(fields), fields{field: change(c.Args[argument].(fields)[field])})
		}
	}
}

// with is a struct with other fields.
func with(s, replaced fields) fields {
	changed := fields{}
	for _, source := range []fields{s, replaced} {
		for name, value := range source {
			changed[name] = value
		}
	}
	return changed
}

// instead gives a value in place of another.
func instead(of, value any) func(any) any {
	return func(v any) any {
		if wire.Equal(v, of) {
			return value
		}
		return v
	}
}
