package main

import (
	"fmt"
	"reflect"

	"github.com/eventbroker/eventbroker/conformance/wire"
)

// A system is one broker.
type system struct {
	// operation => the Go function that carries it out, which takes the
	// operation's arguments, options perhaps, and returns a value and an error
	operations map[string]any

	close func() error // nil where there is nothing to close
}

// misuse is a call that cannot be made in Go at all.
type misuse string

func (m misuse) Error() string { return string(m) }

// prepare gets a call ready to be made; arguments are values of package wire.
func (s system) prepare(op string, args []any) prepared {
	f, ok := s.operations[op]
	if !ok {
		return refuse("there is no operation %q", op)
	}
	return prepare(f, args)
}

// A prepared call has its arguments as Go values.
type prepared func() (reflect.Value, error)

func refuse(format string, args ...any) prepared {
	return func() (reflect.Value, error) { return reflect.Value{}, misuse(fmt.Sprintf(format, args...)) }
}

func prepare(f any, args []any) prepared {
	function := reflect.ValueOf(f)
	types := parameters(function.Type())
	if n := len(types); len(args) != n && (!function.Type().IsVariadic() || len(args) != n-1) {
		return refuse("%d arguments where there are %d", len(args), n)
	}
	in := make([]reflect.Value, len(args))
	for i, arg := range args {
		var ok bool
		if in[i], ok = toGo(arg, types[i]); !ok {
			return refuse("argument %d: Go cannot say %s", i+1, wire.Format(arg))
		}
	}
	return func() (reflect.Value, error) {
		out := function.Call(in)
		err, _ := out[1].Interface().(error)
		return out[0], err
	}
}

// parameters of a function. Those behind ... are options, given once or not at
// all.
func parameters(function reflect.Type) []reflect.Type {
	types := make([]reflect.Type, function.NumIn())
	for i := range types {
		types[i] = function.In(i)
	}
	if last := len(types) - 1; function.IsVariadic() {
		types[last] = types[last].Elem()
	}
	return types
}
