package corpus

import (
	"slices"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"gopkg.in/yaml.v3"
)

// Bounds of a concurrent case: a checker has to try the orders of its calls.
const (
	maxThreads = 8
	maxCalls   = 200
	maxRounds  = 10_000
)

// Linearizable is what a concurrent case can check.
const Linearizable = "linearizable"

// constructor reads `new` and `new_raises`.
func (r *reader) constructor(c *Case, n *yaml.Node, fields map[string]*yaml.Node, system surface.System) {
	if kind := fields["new_raises"]; kind != nil {
		c.NewRaises = r.kind(kind)
	}
	r.fails = fields["new_raises"] != nil
	list := fields["new"]
	if list == nil {
		list = &yaml.Node{Kind: yaml.SequenceNode, Line: n.Line}
	}
	if list.Kind != yaml.SequenceNode {
		r.fail(list.Line, "new: list of arguments expected, not %s", describe(list))
		return
	}
	args, options := splitOptions(list.Content, system.New, system.Options)
	if options != nil {
		c.Options = r.options(options, "options", system.Options)
	}
	c.New = r.arguments(list.Line, "new", args, system.New)
}

// splitOptions parts arguments from the map of options behind them, nil where
// there is none.
func splitOptions(args []*yaml.Node, params, options []surface.Param) ([]*yaml.Node, *yaml.Node) {
	n := len(args) - 1
	if len(options) == 0 || n < len(params) || args[n].Kind != yaml.MappingNode {
		return args, nil
	}
	return args[:n], args[n]
}

// options reads a map that has at least one of the known keys. None is null: to
// some languages that is to leave it out.
func (r *reader) options(n *yaml.Node, what string, known []surface.Param) map[string]any {
	fields := r.fields(n, names(known)...)
	options := map[string]any{}
	for _, p := range known {
		if field := fields[p.Name]; field != nil {
			options[p.Name] = r.value(field, p.Type, given)
		}
	}
	if n.Kind == yaml.MappingNode && len(n.Content) == 0 {
		r.fail(n.Line, "an empty map of %s", what)
	}
	return options
}

func (r *reader) arguments(line int, of string, nodes []*yaml.Node, params []surface.Param) []any {
	if len(nodes) != len(params) {
		r.fail(line, "%s takes (%s), %d arguments are given", of, strings.Join(names(params), ", "), len(nodes))
		return nil
	}
	args := make([]any, len(nodes))
	for i, n := range nodes {
		args[i] = r.argument(n, params[i].Type)
	}
	return args
}

func (r *reader) steps(n *yaml.Node, what string, system surface.System) []Step {
	var steps []Step
	for _, node := range r.items(n, what) {
		steps = append(steps, r.step(node, system))
	}
	return steps
}

func (r *reader) step(n *yaml.Node, system surface.System) Step {
	fields := r.fields(n, "call", "returns", "raises")
	step := Step{Line: n.Line}
	if !r.required(n, fields, "call") {
		return step
	}
	r.fails = fields["raises"] != nil
	call, op := r.call(fields["call"], system)
	step.Call = call
	switch result, kind := fields["returns"], fields["raises"]; {
	case result == nil && kind == nil:
		r.fail(n.Line, "neither returns nor raises: a step says what comes of it")
	case result != nil && kind != nil:
		r.fail(n.Line, "both returns and raises: a step has one of them")
	case kind != nil:
		step.Raises = r.kind(kind)
	case op != nil:
		step.Returns = r.result(result, op.Returns)
	}
	return step
}

// call reads an operation and its arguments; the operation is nil when there
// is none of that name.
func (r *reader) call(n *yaml.Node, system surface.System) (Call, *surface.Operation) {
	nodes := r.items(n, "call")
	if len(nodes) == 0 {
		return Call{}, nil
	}
	name := r.name(nodes[0])
	op, ok := system.Find(name)
	if !ok {
		r.fail(nodes[0].Line, "%s has no operation %s", system.Name, describe(nodes[0]))
		return Call{}, nil
	}
	if op.Feature != "" {
		r.need(op.Feature, nodes[0])
	}
	given, options := splitOptions(nodes[1:], op.Params, op.Options)
	args := r.arguments(n.Line, name, given, op.Params)
	if options != nil {
		args = append(args, r.options(options, "options", op.Options))
	}
	return Call{name, args}, &op
}

// kind reads a kind of error.
func (r *reader) kind(n *yaml.Node) string {
	kind := r.name(n)
	if !slices.Contains(surface.Kinds, kind) {
		r.fail(n.Line, "there is no kind of error %s, but %s", describe(n), strings.Join(surface.Kinds, ", "))
	}
	return kind
}

// concurrent reads a case whose threads run at once.
func (r *reader) concurrent(c *Case, n *yaml.Node, fields map[string]*yaml.Node, system surface.System) {
	if before := fields["before"]; before != nil {
		c.Before = r.steps(before, "before", system)
	}
	c.Threads = r.threads(fields["threads"], system)
	if !r.required(n, fields, "rounds", "check") {
		return
	}
	c.Rounds = r.rounds(fields["rounds"])
	if c.Check = r.name(fields["check"]); c.Check != Linearizable {
		r.fail(fields["check"].Line, "there is no check %s, but %s", describe(fields["check"]), Linearizable)
	}
}

func (r *reader) threads(n *yaml.Node, system surface.System) [][]Call {
	var threads [][]Call
	total := 0
	for _, thread := range r.items(n, "threads") {
		var calls []Call
		for _, node := range r.items(thread, "thread") {
			r.fails = false
			call, _ := r.call(node, system)
			calls = append(calls, call)
		}
		threads = append(threads, calls)
		total += len(calls)
	}
	if len(threads) < 2 || len(threads) > maxThreads || total > maxCalls {
		r.fail(n.Line, "%d threads with %d calls: 2 through %d threads with at most %d calls expected",
			len(threads), total, maxThreads, maxCalls)
	}
	return threads
}

func (r *reader) rounds(n *yaml.Node) int {
	rounds, _ := r.integer(n).(int64)
	if rounds < 1 || rounds > maxRounds {
		r.fail(n.Line, "rounds: %s is outside 1 through %d", describe(n), maxRounds)
	}
	return int(rounds)
}

// absent refuses keys that have no meaning in this kind of case.
func (r *reader) absent(fields map[string]*yaml.Node, kind string, keys ...string) {
	for _, key := range keys {
		if n := fields[key]; n != nil {
			r.fail(n.Line, "%s has no %s", kind, key)
		}
	}
}
