package fuzz

import (
	"maps"
	"math/big"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// simplify makes arguments simpler, one at a time, and names shorter
// everywhere at once.
func (s *shrinker) simplify() {
	for !s.over() {
		if !s.simplifyOnce() {
			return
		}
	}
}

func (s *shrinker) simplifyOnce() bool {
	for _, c := range append(renamed(*s.best.Case), simpler(*s.best.Case)...) {
		if sizeOf(&c) < s.size() && s.try(c) {
			return true
		}
	}
	return false
}

// simpler are the cases that differ in one argument.
func simpler(c corpus.Case) (cases []corpus.Case) {
	system, _ := surface.FindSystem(c.System)
	for i, p := range system.New {
		for _, v := range simplerValues(p.Type, c.New[i]) {
			simple := c
			simple.New = with(c.New, i, v)
			cases = append(cases, simple)
		}
	}
	for _, v := range simplerOptions(system.Options, c.Options) {
		simple := c
		simple.Options = v
		cases = append(cases, simple)
	}
	for i, step := range c.Steps {
		for _, call := range simplerCalls(system, step.Call) {
			simple := c
			simple.Steps = with(c.Steps, i, corpus.Step{Call: call})
			cases = append(cases, simple)
		}
	}
	return cases
}

// with is the list with another element i.
func with[E any](list []E, i int, e E) []E {
	list = slices.Clone(list)
	list[i] = e
	return list
}

func simplerCalls(system surface.System, call corpus.Call) (calls []corpus.Call) {
	op, _ := system.Find(call.Op)
	args, options := splitOptions(op, call.Args)
	for i, p := range op.Params {
		for _, v := range simplerValues(p.Type, args[i]) {
			calls = append(calls, corpus.Call{Op: call.Op, Args: with(call.Args, i, v)})
		}
	}
	for _, v := range simplerOptions(op.Options, options) {
		simple := slices.Clone(args)
		if v != nil {
			simple = append(simple, v)
		}
		calls = append(calls, corpus.Call{Op: call.Op, Args: simple})
	}
	return calls
}

// simplerOptions leave one out, the last being no options at all, or have a
// simpler one.
func simplerOptions(params []surface.Param, options map[string]any) (simple []map[string]any) {
	for _, v := range simplerFields(params, options, true) {
		if len(v) == 0 {
			v = nil
		}
		simple = append(simple, v)
	}
	return simple
}

func simplerFields(params []surface.Param, object map[string]any, mayLeaveOut bool) (objects []map[string]any) {
	for _, p := range params {
		value, given := object[p.Name]
		if !given {
			continue
		}
		if mayLeaveOut && !keepsFinite(p.Name, object) {
			simple := maps.Clone(object)
			delete(simple, p.Name)
			objects = append(objects, simple)
		}
		for _, v := range simplerValues(p.Type, value) {
			simple := maps.Clone(object)
			simple[p.Name] = v
			objects = append(objects, simple)
		}
	}
	return objects
}

// keepsFinite: the times of a rule that makes calls stay, for without them a
// handler that seeks back has no end.
func keepsFinite(name string, rule map[string]any) bool {
	return name == "times" && rule["do"] != nil
}

// simplerValues are values of a type that are simpler in one place.
func simplerValues(t surface.Type, value any) (values []any) {
	if optional, is := t.(surface.Optional); is {
		if value == nil {
			return nil
		}
		return append([]any{nil}, simplerValues(optional.Of, value)...)
	}
	switch v := value.(type) {
	case int64:
		return simplerIntegers(t, v)
	case *big.Int:
		return []any{new(big.Int).Lsh(big.NewInt(1), 63)}
	case string:
		return simplerTexts(t, v)
	case wire.Bytes:
		return simplerBytes(v)
	case []any:
		return simplerLists(t, v)
	case map[string]any:
		return simplerMaps(t, v)
	}
	return nil
}

func simplerIntegers(t surface.Type, n int64) (values []any) {
	for _, simple := range []int64{0, 1, n / 2, n - 1} {
		least := int64(0)
		if t == surface.Limit || t == surface.Count {
			least = 1
		}
		if least <= simple && simple < max(n, -n) {
			values = append(values, simple)
		}
	}
	return values
}

// simplerTexts leave names alone, which are simpler everywhere or nowhere.
func simplerTexts(t surface.Type, s string) []any {
	choice, is := t.(*surface.Choice)
	switch {
	case t == surface.Identifier || is && !choice.Open:
		return nil
	case is:
		return []any{choice.Values[0]}
	}
	return []any{"", "a", s[:cut(s, len(s)/2)]}
}

func simplerBytes(b wire.Bytes) (values []any) {
	for i := range b {
		values = append(values, slices.Concat(b[:i], b[i+1:]))
	}
	return values
}

func simplerLists(t surface.Type, list []any) (values []any) {
	if call, is := t.(surface.Call); is {
		system, _ := surface.FindSystem(call.System)
		for _, c := range simplerCalls(system, corpus.Call{Op: list[0].(string), Args: list[1:]}) {
			values = append(values, append([]any{c.Op}, c.Args...))
		}
		return values
	}
	if tuple, is := t.(*surface.Tuple); is {
		return simplerElements(list, func(i int) surface.Type { return tuple.Fields[i].Type })
	}
	if half := len(list) / 2; half > 8 { // else there were as many trials as elements, each time
		values = append(values, list[:half], list[half:], list[1:])
		if half > 32 {
			return values
		}
	}
	for i := range list {
		values = append(values, slices.Concat(list[:i], list[i+1:]))
	}
	return append(values, simplerElements(list, func(int) surface.Type { return t.(surface.List).Of })...)
}

// simplerElements are lists with one element simpler.
func simplerElements(list []any, of func(i int) surface.Type) (values []any) {
	for i, element := range list {
		for _, v := range simplerValues(of(i), element) {
			values = append(values, with(list, i, v))
		}
	}
	return values
}

func simplerMaps(t surface.Type, object map[string]any) (values []any) {
	switch t := t.(type) {
	case surface.Map:
		for _, key := range slices.Sorted(maps.Keys(object)) {
			simple := maps.Clone(object)
			delete(simple, key)
			values = append(values, simple)
			for _, v := range simplerValues(t.Of, object[key]) {
				simple := maps.Clone(object)
				simple[key] = v
				values = append(values, simple)
			}
		}
	case *surface.Struct:
		for _, simple := range simplerFields(t.Fields, object, false) {
			values = append(values, simple)
		}
	case *surface.Options:
		for _, simple := range simplerFields(t.Fields, object, true) {
			if len(simple) > 0 {
				values = append(values, simple)
			}
		}
	}
	return values
}

// otherConstructors have the least that bounds what a broker does.
func otherConstructors(c corpus.Case) (cases []corpus.Case) {
	switch c.System {
	case "event", "message":
		for n := int64(1); n <= 2; n++ {
			other := c
			other.New = []any{n}
			cases = append(cases, other)
		}
	case "pubsub":
		other := c
		other.Options = maps.Clone(c.Options)
		if other.Options == nil {
			other.Options = map[string]any{}
		}
		other.Options["max_attempts"] = int64(1)
		cases = append(cases, other)
	}
	return cases
}
