package faults

import (
	"errors"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/model"
)

// correct are the rules that faults bend.
var correct = model.CorrectEventRules()

// An around goes around the calls of one broker.
type around = func(*model.Event) Perform

// before does something before each call of these operations.
func before(do func(e *model.Event, c Call), ops ...string) around {
	return func(e *model.Event) Perform {
		return func(c Call) (any, error) {
			if slices.Contains(ops, c.Op) {
				do(e, c)
			}
			return performOn(e)(c)
		}
	}
}

// after changes what comes of the calls of these operations that succeed.
func after(change func(e *model.Event, c Call, result any) any, ops ...string) around {
	return func(e *model.Event) Perform {
		return func(c Call) (any, error) {
			result, err := performOn(e)(c)
			if err == nil && slices.Contains(ops, c.Op) {
				result = change(e, c, result)
			}
			return result, err
		}
	}
}

// refusing does something when a call of these operations is refused, and lets
// the refusal stand.
func refusing(do func(e *model.Event, c Call), ops ...string) around {
	return func(e *model.Event) Perform {
		return func(c Call) (any, error) {
			result, err := performOn(e)(c)
			if err != nil && slices.Contains(ops, c.Op) {
				do(e, c)
			}
			return result, err
		}
	}
}

// doneAllTheSame performs a refused call with these arguments in place of the
// bad ones: the validation comes after the effect.
func doneAllTheSame(op string, good map[string]any) around {
	return refusing(func(e *model.Event, c Call) { _, _ = performOn(e)(c.with(good)) }, op)
}

// answers gives a result in place of a refusal.
func answers(result any, when func(e *model.Event, c Call) bool, ops ...string) around {
	return func(e *model.Event) Perform {
		return func(c Call) (any, error) {
			got, err := performOn(e)(c)
			if err != nil && slices.Contains(ops, c.Op) && when(e, c) {
				return result, nil
			}
			return got, err
		}
	}
}

// refuses raises an invalid argument where a call that did nothing should
// answer so.
func refuses(when func(e *model.Event, c Call) bool, ops ...string) around {
	return func(e *model.Event) Perform {
		return func(c Call) (any, error) {
			if slices.Contains(ops, c.Op) && when(e, c) {
				return nil, &model.InvalidArgument{Argument: c.Op, Reason: "is refused"}
			}
			return performOn(e)(c)
		}
	}
}

// raisesAnother fails with another type than the one for invalid arguments.
func raisesAnother(when func(e *model.Event, c Call) bool) around {
	return func(e *model.Event) Perform {
		return func(c Call) (any, error) {
			result, err := performOn(e)(c)
			if err != nil && when(e, c) {
				err = errors.New("an error of another type")
			}
			return result, err
		}
	}
}

func always(*model.Event, Call) bool { return true }

func absentTopic(e *model.Event, c Call) bool {
	return correct.Identifier(c.text("topic")) && placeOf(e, c).topic == nil
}

func absentGroup(e *model.Event, c Call) bool {
	at := placeOf(e, c)
	return at.topic != nil && at.group == nil
}

func isMember(e *model.Event, c Call) bool {
	at := placeOf(e, c)
	return at.group != nil && slices.Contains(at.group.Members, c.text("member"))
}

func absentMember(e *model.Event, c Call) bool {
	return placeOf(e, c).group != nil && !isMember(e, c)
}
