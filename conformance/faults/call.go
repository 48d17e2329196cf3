package faults

import (
	"maps"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// A Call is an operation with its arguments by name, its options among them.
type Call struct {
	Op     string
	Args   map[string]any
	system surface.System
}

// Perform carries out calls on one broker.
type Perform func(Call) (any, error)

// PerformOn carries them out as the broker does.
func PerformOn(s model.System) Perform {
	return func(c Call) (any, error) { return s.Call(c.Op, c.positional()) }
}

// New is the constructor where operations are named.
const New = "new"

// find is false for what is no operation.
func find(system surface.System, op string) (surface.Operation, bool) {
	if op == New {
		return surface.Operation{Params: system.New, Options: system.Options}, true
	}
	return system.Find(op)
}

// newCall is false for what is no call of the system.
func newCall(system surface.System, op string, args []any) (Call, bool) {
	operation, known := find(system, op)
	c := Call{op, map[string]any{}, system}
	if last := len(operation.Params); len(args) == last+1 {
		if options, are := args[last].(map[string]any); are {
			maps.Copy(c.Args, options)
			args = args[:last]
		}
	}
	if !known || len(operation.Params) != len(args) {
		return Call{}, false
	}
	for i, param := range operation.Params {
		c.Args[param.Name] = args[i]
	}
	return c, true
}

func hearNew(system surface.System, hears func(*Call), args []any, options map[string]any) ([]any, map[string]any) {
	c, ok := newCall(system, New, append(slices.Clone(args), options))
	if !ok {
		return args, options
	}
	hears(&c)
	return c.split()
}

// split are the arguments by position, and the options.
func (c Call) split() (args []any, options map[string]any) {
	operation, _ := find(c.system, c.Op)
	for _, param := range operation.Params {
		args = append(args, c.Args[param.Name])
	}
	options = map[string]any{}
	for _, param := range operation.Options {
		if value, given := c.Args[param.Name]; given {
			options[param.Name] = value
		}
	}
	return args, options
}

// positional are the arguments as the model takes them.
func (c Call) positional() []any {
	args, options := c.split()
	if len(options) > 0 {
		args = append(args, options)
	}
	return args
}

// With is the same call with other arguments.
func (c Call) With(replaced map[string]any) Call {
	args := maps.Clone(c.Args)
	for name, value := range replaced {
		if _, takes := args[name]; takes {
			args[name] = value
		}
	}
	c.Args = args
	return c
}

// As is another operation with the arguments that the two share.
func (c Call) As(op string) Call {
	c.Op = op
	return c
}

// Text is a string argument, or "" where there is none.
func (c Call) Text(name string) string {
	switch s := c.Args[name].(type) {
	case string:
		return s
	case wire.Bytes:
		return string(s)
	}
	return ""
}

// Number is an integer argument, or -1 where there is none within 64 bits.
func (c Call) Number(name string) int64 {
	if n, ok := c.Args[name].(int64); ok {
		return n
	}
	return -1
}
