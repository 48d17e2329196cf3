package faults

import (
	"errors"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/model"
)

// Before does something before each call of these operations.
func Before[B model.System](do func(b B, c Call), ops ...string) func(B) Perform {
	return func(b B) Perform {
		return func(c Call) (any, error) {
			if slices.Contains(ops, c.Op) {
				do(b, c)
			}
			return PerformOn(b)(c)
		}
	}
}

// After changes what comes of the calls of these operations that succeed.
func After[B model.System](change func(b B, c Call, result any) any, ops ...string) func(B) Perform {
	return func(b B) Perform {
		return func(c Call) (any, error) {
			result, err := PerformOn(b)(c)
			if err == nil && slices.Contains(ops, c.Op) {
				result = change(b, c, result)
			}
			return result, err
		}
	}
}

// Refusing does something when a call of these operations is refused, and lets
// the refusal stand.
func Refusing[B model.System](do func(b B, c Call), ops ...string) func(B) Perform {
	return func(b B) Perform {
		return func(c Call) (any, error) {
			result, err := PerformOn(b)(c)
			if err != nil && slices.Contains(ops, c.Op) {
				do(b, c)
			}
			return result, err
		}
	}
}

// DoneAllTheSame performs a refused call with these arguments in place of the
// bad ones: the validation comes after the effect.
func DoneAllTheSame[B model.System](op string, good map[string]any) func(B) Perform {
	return Refusing(func(b B, c Call) { _, _ = PerformOn(b)(c.With(good)) }, op)
}

// Answers gives a result in place of a refusal.
func Answers[B model.System](result any, when func(b B, c Call) bool, ops ...string) func(B) Perform {
	return func(b B) Perform {
		return func(c Call) (any, error) {
			got, err := PerformOn(b)(c)
			if err != nil && slices.Contains(ops, c.Op) && when(b, c) {
				return result, nil
			}
			return got, err
		}
	}
}

// Refuses raises an invalid argument where a call that did nothing should
// answer so.
func Refuses[B model.System](when func(b B, c Call) bool, ops ...string) func(B) Perform {
	return func(b B) Perform {
		return func(c Call) (any, error) {
			if slices.Contains(ops, c.Op) && when(b, c) {
				return nil, &model.InvalidArgument{Argument: c.Op, Reason: "is refused"}
			}
			return PerformOn(b)(c)
		}
	}
}

// RaisesAnother fails with another type than the one for invalid arguments.
func RaisesAnother[B model.System](when func(b B, c Call) bool) func(B) Perform {
	return func(b B) Perform {
		return func(c Call) (any, error) {
			result, err := PerformOn(b)(c)
			if err != nil && when(b, c) {
				err = errors.New("an error of another type")
			}
			return result, err
		}
	}
}

// Always is true of every call.
func Always[B model.System](B, Call) bool { return true }
