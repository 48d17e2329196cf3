package fuzz

import (
	"math/big"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// needs are the features that a case needs, in the order of the surface.
func needs(c *corpus.Case) []string {
	system, _ := surface.FindSystem(c.System)
	needed := map[string]bool{}
	needAll(needed, system.New, c.New)
	needOptions(needed, system.Options, c.Options)
	for _, step := range c.Steps {
		needCall(needed, system, step.Call)
	}
	return inOrder(needed)
}

func needsOfCall(system string, call corpus.Call) []string {
	s, _ := surface.FindSystem(system)
	needed := map[string]bool{}
	needCall(needed, s, call)
	return inOrder(needed)
}

func inOrder(needed map[string]bool) (features []string) {
	for _, feature := range surface.Features {
		if needed[feature] {
			features = append(features, feature)
		}
	}
	return features
}

func contain(features, all []string) bool {
	return !slices.ContainsFunc(all, func(f string) bool { return !slices.Contains(features, f) })
}

func needCall(needed map[string]bool, system surface.System, call corpus.Call) {
	op, _ := system.Find(call.Op)
	needed[op.Feature] = true
	args, options := splitOptions(op, call.Args)
	needAll(needed, op.Params, args)
	needOptions(needed, op.Options, options)
}

// splitOptions parts the arguments of a call from the map of options behind
// them, nil where there is none.
func splitOptions(op surface.Operation, args []any) ([]any, map[string]any) {
	if len(args) == len(op.Params) {
		return args, nil
	}
	return args[:len(op.Params)], args[len(op.Params)].(map[string]any)
}

func needAll(needed map[string]bool, params []surface.Param, args []any) {
	for i, p := range params {
		if isString(p.Type) && args[i] == nil {
			needed[surface.NullStrings] = true
		}
		need(needed, p.Type, args[i])
	}
}

func needOptions(needed map[string]bool, params []surface.Param, options map[string]any) {
	for _, p := range params {
		if value, given := options[p.Name]; given {
			need(needed, p.Type, value)
		}
	}
}

// need looks into a value. Bytes need nothing where they are bytes, and say a
// string that is not UTF-8 everywhere else.
func need(needed map[string]bool, of surface.Type, value any) {
	switch v := value.(type) {
	case *big.Int:
		needed[surface.WideIntegers] = true
	case wire.Bytes:
		if of != surface.Bytes && of != (surface.Optional{Of: surface.Bytes}) {
			needed[surface.RawBytes] = true
		}
	case []any:
		needList(needed, of, v)
	case map[string]any:
		needMap(needed, of, v)
	}
}

func needList(needed map[string]bool, of surface.Type, list []any) {
	switch of := of.(type) {
	case surface.List:
		for _, v := range list {
			need(needed, of.Of, v)
		}
	case *surface.Tuple:
		needAll(needed, of.Fields, list)
	case surface.Call:
		system, _ := surface.FindSystem(of.System)
		needCall(needed, system, corpus.Call{Op: list[0].(string), Args: list[1:]})
	}
}

func needMap(needed map[string]bool, of surface.Type, object map[string]any) {
	switch of := of.(type) {
	case surface.Map:
		for _, v := range object {
			need(needed, of.Of, v)
		}
	case *surface.Struct:
		needOptions(needed, of.Fields, object)
	case *surface.Options:
		needOptions(needed, of.Fields, object)
	case surface.Optional:
		needMap(needed, of.Of, object)
	}
}
