package fuzz

import (
	"maps"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

// simpleNames are those that the cases would take; an empty one is no name.
var simpleNames = map[string][]string{
	"topic": {"t", "u", ""}, "group": {"g", "h", ""}, "member": {"a", "b", ""}, "name": {"a", "b", ""},
	anyString: {"a", "b"},
}

// anyString stands for the parameter where names are any strings: those of
// topics and of members are not told apart then.
const anyString = "any string"

// renamed are the cases in which one name is another one, wherever it stands.
func renamed(c corpus.Case) (cases []corpus.Case) {
	found := map[string]map[string]bool{} // parameter => its names
	rewrite(c, func(param, name string) string {
		if found[param] == nil {
			found[param] = map[string]bool{}
		}
		found[param][name] = true
		return name
	})
	for _, param := range slices.Sorted(maps.Keys(found)) {
		for _, old := range slices.Sorted(maps.Keys(found[param])) {
			for _, simple := range simpleNames[param] {
				cases = append(cases, rewrite(c, func(p, name string) string {
					if p == param && name == old {
						return simple
					}
					return name
				}))
			}
		}
	}
	return cases
}

// rewrite is the case with other names, those in handlers too.
func rewrite(c corpus.Case, name func(param, name string) string) corpus.Case {
	system, _ := surface.FindSystem(c.System)
	c.Steps = slices.Clone(c.Steps)
	for i, step := range c.Steps {
		c.Steps[i].Call = rewriteCall(system, step.Call, name)
	}
	return c
}

func rewriteCall(system surface.System, call corpus.Call, name func(param, name string) string) corpus.Call {
	op, _ := system.Find(call.Op)
	args := slices.Clone(call.Args)
	for i, p := range op.Params {
		args[i] = rewriteValue(p, args[i], name)
	}
	if _, options := splitOptions(op, args); options != nil {
		args[len(args)-1] = rewriteFields(op.Options, options, name)
	}
	return corpus.Call{Op: call.Op, Args: args}
}

func rewriteFields(params []surface.Param, object map[string]any, name func(param, name string) string) map[string]any {
	object = maps.Clone(object)
	for _, p := range params {
		if value, given := object[p.Name]; given {
			object[p.Name] = rewriteValue(p, value, name)
		}
	}
	return object
}

func rewriteValue(p surface.Param, value any, name func(param, name string) string) any {
	switch t := p.Type.(type) {
	case surface.Scalar:
		return rewriteText(p.Name, t, value, name)
	case surface.List:
		return rewriteList(surface.Param{Name: p.Name, Type: t.Of}, value.([]any), name)
	case surface.Call:
		system, _ := surface.FindSystem(t.System)
		list := value.([]any)
		call := rewriteCall(system, corpus.Call{Op: list[0].(string), Args: list[1:]}, name)
		return append([]any{call.Op}, call.Args...)
	case *surface.Options:
		return rewriteFields(t.Fields, value.(map[string]any), name)
	case *surface.Struct:
		return rewriteFields(t.Fields, value.(map[string]any), name)
	case surface.Map:
		return rewriteKeys(value.(map[string]any), name)
	case surface.Optional:
		return rewriteValue(surface.Param{Name: p.Name, Type: t.Of}, value, name)
	}
	return value
}

func rewriteText(param string, t surface.Scalar, value any, name func(param, name string) string) any {
	s, is := value.(string)
	switch {
	case is && t == surface.Identifier:
		return name(param, s)
	case is && t == surface.String:
		return name(anyString, s)
	}
	return value
}

// rewriteKeys leaves the values alone, which are counts.
func rewriteKeys(object map[string]any, name func(param, name string) string) map[string]any {
	renamed := map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		renamed[name(anyString, key)] = object[key]
	}
	return renamed
}

func rewriteList(element surface.Param, list []any, name func(param, name string) string) []any {
	list = slices.Clone(list)
	for i, v := range list {
		list[i] = rewriteValue(element, v, name)
	}
	return list
}
