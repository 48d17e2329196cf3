package faults

import (
	"maps"

	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// A Call is an operation with its arguments by name.
type Call struct {
	Op   string
	Args map[string]any
}

// Perform carries out calls on one broker.
type Perform func(Call) (any, error)

// newOp is the constructor where operations are named. Its options stand beside
// its arguments.
const newOp = "new"

// event is the row of the surface that all faults break.
var event, _ = surface.FindSystem("event")

// paramsOf is false for what is no operation.
func paramsOf(op string) ([]surface.Param, bool) {
	if op == newOp {
		return event.New, true
	}
	operation, known := event.Find(op)
	return operation.Params, known
}

// newCall is false for what is no call of the system.
func newCall(op string, args []any) (Call, bool) {
	params, known := paramsOf(op)
	if !known || len(params) != len(args) {
		return Call{}, false
	}
	c := Call{op, map[string]any{}}
	for i, param := range params {
		c.Args[param.Name] = args[i]
	}
	return c, true
}

// positional are the arguments as the model takes them.
func (c Call) positional() []any {
	var args []any
	params, _ := paramsOf(c.Op)
	for _, param := range params {
		args = append(args, c.Args[param.Name])
	}
	return args
}

// with is the same call with other arguments.
func (c Call) with(replaced map[string]any) Call {
	args := maps.Clone(c.Args)
	for name, value := range replaced {
		if _, takes := args[name]; takes {
			args[name] = value
		}
	}
	return Call{c.Op, args}
}

// as is another operation with the arguments that the two share.
func (c Call) as(op string) Call { return Call{op, c.Args} }

// text is a string argument, or "" where there is none.
func (c Call) text(name string) string {
	switch s := c.Args[name].(type) {
	case string:
		return s
	case wire.Bytes:
		return string(s)
	}
	return ""
}

// number is an integer argument, or -1 where there is none within 64 bits.
func (c Call) number(name string) int64 {
	if n, ok := c.Args[name].(int64); ok {
		return n
	}
	return -1
}

func (f Fault) hearNew(args []any, options map[string]any) ([]any, map[string]any) {
	c, ok := newCall(newOp, args)
	if !ok {
		return args, options
	}
	maps.Copy(c.Args, options)
	f.Hears(&c)
	heard := map[string]any{}
	for name := range options {
		heard[name] = c.Args[name]
	}
	return c.positional(), heard
}

func performOn(e *model.Event) Perform {
	return func(c Call) (any, error) { return e.Call(c.Op, c.positional()) }
}

// A place is what a call is about, as far as it exists.
type place struct {
	topic     *model.EventTopic
	partition *model.EventPartition
	group     *model.EventGroup
	cursor    *model.EventCursor
}

func placeOf(e *model.Event, c Call) place {
	var at place
	if at.topic = e.Topics[c.text("topic")]; at.topic == nil {
		return at
	}
	at.group = at.topic.Groups[c.text("group")]
	p := c.number("partition")
	if p < 0 || p >= int64(len(at.topic.Partitions)) {
		return at
	}
	at.partition = at.topic.Partitions[p]
	if at.group != nil {
		at.cursor = &at.group.Cursors[p]
	}
	return at
}
