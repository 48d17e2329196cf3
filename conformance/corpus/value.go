package corpus

import (
	"strings"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"gopkg.in/yaml.v3"
)

// A side is where a value stands: a call says more than it can be answered.
type side bool

const (
	given    side = true  // an argument
	returned side = false // a result
)

// argument reads an argument of the given type, which may be null where it is
// a string.
func (r *reader) argument(n *yaml.Node, t surface.Type) any {
	if s, ok := t.(surface.Scalar); ok && s.IsString() && isNull(n) {
		r.need(surface.NullStrings, n)
		return nil
	}
	return r.value(n, t, given)
}

// result reads what a call of the given type returns.
func (r *reader) result(n *yaml.Node, t surface.Type) any {
	return r.value(n, t, returned)
}

func (r *reader) value(n *yaml.Node, t surface.Type, side side) any {
	switch t := t.(type) {
	case surface.Scalar:
		return r.scalarOf(n, t, side)
	case *surface.Choice:
		return r.choice(n, t)
	case surface.List:
		return r.list(n, t.Of, side)
	case surface.Map:
		return r.dictionary(n, t.Of, side)
	case surface.Optional:
		if isNull(n) {
			return nil
		}
		return r.value(n, t.Of, side)
	case *surface.Tuple:
		return r.tuple(n, t, side)
	case *surface.Struct:
		return r.structure(n, t, side)
	case *surface.Options:
		return r.options(n, t.Name, t.Fields)
	case surface.Call:
		return r.inner(n, t)
	}
	panic("surface has a type that the cases cannot say: " + t.String())
}

// need notes that the case being read needs a feature.
func (r *reader) need(feature string, n *yaml.Node) {
	if _, ok := r.needed[feature]; !ok {
		r.needed[feature] = n.Line
	}
}

// list reads a list, which may be empty.
func (r *reader) list(n *yaml.Node, of surface.Type, side side) any {
	if n.Kind != yaml.SequenceNode {
		r.fail(n.Line, "list expected, not %s", describe(n))
		return nil
	}
	list := make([]any, len(n.Content))
	for i, element := range n.Content {
		list[i] = r.value(element, of, side)
	}
	return list
}

// tuple reads a list with an element for each field.
func (r *reader) tuple(n *yaml.Node, t *surface.Tuple, side side) any {
	form := "[" + strings.Join(names(t.Fields), ", ") + "]"
	if n.Kind != yaml.SequenceNode {
		r.fail(n.Line, "%s expected, %s, not %s", t, form, describe(n))
		return nil
	}
	if len(n.Content) != len(t.Fields) {
		r.fail(n.Line, "a %s is %s, %d elements are given", t, form, len(n.Content))
		return nil
	}
	list := make([]any, len(t.Fields))
	for i, f := range t.Fields {
		list[i] = r.value(n.Content[i], f.Type, side)
	}
	return list
}

// dictionary reads a map, which may be empty. Its keys are strings as they
// stand: on the wire a key cannot be spelled out.
func (r *reader) dictionary(n *yaml.Node, of surface.Type, side side) any {
	if n.Kind != yaml.MappingNode {
		r.fail(n.Line, "map expected, not %s", describe(n))
		return nil
	}
	dictionary := map[string]any{}
	for i := 0; i < len(n.Content); i += 2 {
		key, _ := r.text(n.Content[i]).(string)
		dictionary[key] = r.value(n.Content[i+1], of, side)
	}
	return dictionary
}

// structure reads a map with the fields of a struct, all of them but what may
// be null in an argument.
func (r *reader) structure(n *yaml.Node, t *surface.Struct, side side) any {
	fields := r.fields(n, names(t.Fields)...)
	value := map[string]any{}
	for _, f := range t.Fields {
		_, optional := f.Type.(surface.Optional)
		switch field := fields[f.Name]; {
		case field != nil:
			value[f.Name] = r.value(field, f.Type, side)
		case optional && side == given:
			value[f.Name] = nil
		case n.Kind == yaml.MappingNode:
			r.fail(n.Line, "the %s has no %s", t, f.Name)
		}
	}
	return value
}

// inner reads a call within an argument. Whether it fails is not told.
func (r *reader) inner(n *yaml.Node, t surface.Call) any {
	defer func(fails bool) { r.fails = fails }(r.fails)
	r.fails = false
	system, _ := surface.FindSystem(t.System)
	call, _ := r.call(n, system)
	return append([]any{call.Op}, call.Args...)
}

func names(params []surface.Param) []string {
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.Name
	}
	return names
}
