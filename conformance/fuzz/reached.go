package fuzz

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

// constructor stands for the operation where a broker is made.
const constructor = "new"

// A pair is an operation and a kind of answer to it.
type pair struct{ system, op, outcome string }

// Reached counts how often each kind of answer came. Nil counts nothing.
type Reached struct{ times map[pair]int64 }

// NewReached has reached nothing.
func NewReached() *Reached { return &Reached{map[pair]int64{}} }

func (r *Reached) add(system, op string, value any, err error) {
	if r != nil {
		r.times[pair{system, op, outcome(op, value, err)}]++
	}
}

// outcome is the kind of an answer.
func outcome(op string, value any, err error) string {
	var argument *model.InvalidArgument
	var late *model.TimedOut
	switch {
	case errors.As(err, &argument):
		return invalid(argument.Argument)
	case errors.As(err, &late):
		return "timed out"
	case op == constructor:
		return made
	}
	switch v := value.(type) {
	case nil:
		return null
	case bool:
		return fmt.Sprint(v)
	case int64:
		return integerOutcome(v)
	case []any:
		return some(len(v))
	case map[string]any:
		return mapOutcome(v)
	}
	return some(1)
}

// What outcomes are called.
const (
	made                         = "made"
	null                         = "null"
	none, several                = "empty", "some"
	negative, zero, more         = "-1", "0", "above 0"
	subscribed, ended, unheardOf = "subscribed", "disconnected", "unsubscribed"
	invalidPrefix                = "invalid "
)

func invalid(argument string) string { return invalidPrefix + argument }

func integerOutcome(n int64) string {
	switch {
	case n < 0:
		return negative
	case n == 0:
		return zero
	}
	return more
}

func some(length int) string {
	if length == 0 {
		return none
	}
	return several
}

// mapOutcome tells apart how a subscription stands.
func mapOutcome(object map[string]any) string {
	switch {
	case object["subscribed"] == true:
		return subscribed
	case object["disconnected"] == true:
		return ended
	case object["subscribed"] == false:
		return unheardOf
	}
	return some(len(object))
}

// possible are the outcomes that the contract has for an operation.
func possible(system surface.System, op surface.Operation) []string {
	outcomes := outcomesOf(op.Returns)
	if op.Name == constructor {
		outcomes = []string{made}
	}
	outcomes = slices.DeleteFunc(outcomes, func(o string) bool { return never[pair{system.Name, op.Name, o}] })
	if op.Name == "calls_of" { // which no broker judges
		return outcomes
	}
	for _, p := range slices.Concat(op.Params, op.Options) {
		if p.Type != (surface.List{Of: surface.Rule}) {
			outcomes = append(outcomes, invalid(p.Name))
		}
	}
	return outcomes
}

// never are integers that an operation does not return, whatever the type.
var never = map[pair]bool{
	{"message", "publish", negative}: true, {"pubsub", "drain", negative}: true, {"pubsub", "redeliver", negative}: true,
}

func outcomesOf(t surface.Type) []string {
	switch t := t.(type) {
	case surface.List, surface.Map:
		return []string{none, several}
	case surface.Optional:
		return append([]string{null}, outcomesOf(t.Of)...)
	case *surface.Struct:
		if t == surface.Standing {
			return []string{subscribed, ended, unheardOf}
		}
		return []string{several}
	}
	switch t {
	case surface.Bool:
		return []string{"true", "false"}
	case surface.Int32, surface.Int64:
		return []string{negative, zero, more}
	case surface.Null:
		return []string{null}
	}
	return []string{several}
}

// operationsOf are those of a system, its constructor first.
func operationsOf(system surface.System) []surface.Operation {
	return append([]surface.Operation{{Name: constructor, Params: system.New, Options: system.Options}}, system.Operations...)
}

// Unreached are the pairs that the contract has and no trace had, each as
// "event poll: invalid group".
func (r *Reached) Unreached(systems []string) (pairs []string) {
	for _, name := range systems {
		system, _ := surface.FindSystem(name)
		for _, op := range operationsOf(system) {
			for _, o := range possible(system, op) {
				if r.times[pair{name, op.Name, o}] == 0 {
					pairs = append(pairs, fmt.Sprintf("%s %s: %s", name, op.Name, o))
				}
			}
		}
	}
	return pairs
}

// Text has a line an operation: what it came to, and how often.
func (r *Reached) Text(systems []string) string {
	var b strings.Builder
	for _, name := range systems {
		system, _ := surface.FindSystem(name)
		fmt.Fprintf(&b, "%s\n", name)
		for _, op := range operationsOf(system) {
			fmt.Fprintf(&b, "  %-19s  %s\n", op.Name, r.counts(system, op))
		}
	}
	pairs := r.Unreached(systems)
	fmt.Fprintf(&b, "not reached: %d\n", len(pairs))
	for _, p := range pairs {
		fmt.Fprintf(&b, "  %s\n", p)
	}
	return b.String()
}

func (r *Reached) counts(system surface.System, op surface.Operation) string {
	var parts, refused []string
	for _, o := range possible(system, op) {
		n := r.times[pair{system.Name, op.Name, o}]
		if argument, is := strings.CutPrefix(o, invalidPrefix); is {
			refused = append(refused, fmt.Sprintf("%s %d", argument, n))
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %d", o, n))
	}
	said := strings.Join(parts, ", ")
	if len(refused) > 0 {
		said += "; invalid: " + strings.Join(refused, ", ")
	}
	return said
}
