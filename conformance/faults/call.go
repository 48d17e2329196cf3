package faults

import (
	"maps"

	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// A Call is an operation with its arguments by name.
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

// New is the constructor where operations are named. Its options stand beside
// its arguments.
const New = "new"

// paramsOf is false for what is no operation.
func paramsOf(system surface.System, op string) ([]surface.Param, bool) {
	if op == New {
		return system.New, true
	}
	operation, known := system.Find(op)
	return operation.Params, known
}

// newCall is false for what is no call of the system.
func newCall(system surface.System, op string, args []any) (Call, bool) {
	params, known := paramsOf(system, op)
	if !known || len(params) != len(args) {
		return Call{}, false
	}
	c := Call{op, map[string]any{}, system}
	for i, param := range params {
		c.Args[param.Name] = args[i]
	}
	return c, true
}

func hearNew(system surface.System, hears func(*Call), args []any, options map[string]any) ([]any, map[string]any) {
	c, ok := newCall(system, New, args)
	if !ok {
		return args, options
	}
	maps.Copy(c.Args, options)
	hears(&c)
	heard := map[string]any{}
	for name := range options {
		heard[name] = c.Args[name]
	}
	return c.positional(), heard
}

// positional are the arguments as the model takes them.
func (c Call) positional() []any {
	var args []any
	params, _ := paramsOf(c.system, c.Op)
	for _, param := range params {
		args = append(args, c.Args[param.Name])
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
