package cases_test

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/surface"
)

type (
	object = map[string]any
	list   = []any
)

func schema() object {
	definitions := object{
		"string":  spelled(),
		"integer": object{"type": "integer", "description": "In plain digits."},
		"bytes":   bytesOnly(),
	}
	var systems, rules list
	for _, s := range surface.Systems {
		systems = append(systems, s.Name)
		rules = append(rules, object{
			"if":   object{"properties": object{"system": object{"const": s.Name}}},
			"then": object{"properties": object{"cases": object{"items": ref(s.Name + "_case")}}},
		})
		definitions[s.Name+"_case"] = caseOf(s)
		definitions[s.Name+"_step"] = stepOf(s)
		definitions[s.Name+"_call"] = callOf(s)
		for _, op := range s.Operations {
			for _, p := range slices.Concat(op.Params, op.Options) {
				define(definitions, p.Type, given)
			}
			define(definitions, op.Returns, returned)
		}
	}
	top := closed([]string{"system", "cases"}, object{
		"system": object{"enum": systems, "description": "The broker that the cases of this file are about."},
		"cases":  object{"type": "array", "minItems": 1, "description": "Each with a broker of its own."},
	})
	top["$schema"] = "http://json-schema.org/draft-07/schema#"
	top["title"] = "A file of cases"
	top["description"] = "Generated from package conformance/surface by: go test ./cases -update"
	top["allOf"] = rules
	top["definitions"] = definitions
	return top
}

// closed is a map that takes these properties and no other.
func closed(required []string, properties object) object {
	return object{"type": "object", "required": required, "properties": properties, "additionalProperties": false}
}

func ref(definition string) object {
	return object{"$ref": "#/definitions/" + definition}
}

// describe adds a description; beside a $ref, draft-07 would overlook it.
func describe(schema object, description string) object {
	return object{"allOf": list{schema}, "description": description}
}

func array(items object, more object) object {
	schema := object{"type": "array", "items": items}
	for key, value := range more {
		schema[key] = value
	}
	return schema
}

func spelled() object {
	repeat := closed([]string{"repeat", "times"}, object{
		"repeat": object{"type": "string", "minLength": 1, "description": "What is repeated."},
		"times":  object{"type": "integer", "minimum": 2, "description": "How many times it stands there."},
	})
	return object{"anyOf": list{object{"type": "string"}, bytesOnly(), repeat}}
}

func bytesOnly() object {
	return closed([]string{"hex"}, object{
		"hex": object{"type": "string", "pattern": "^([0-9a-fA-F]{2})*$", "description": "Bytes, two digits each; in quotes if all digits are decimal."},
	})
}

// A side is where a value stands: a call may leave out what is null, a result
// may not.
type side string

const (
	given    side = "argument"
	returned side = "result"
)

// define adds the structs that a type is made of.
func define(definitions object, t surface.Type, side side) {
	switch t := t.(type) {
	case surface.List:
		define(definitions, t.Of, side)
	case surface.Map:
		define(definitions, t.Of, side)
	case surface.Optional:
		define(definitions, t.Of, side)
	case *surface.Struct:
		definitions[definition(t, side)] = structure(t, side)
		for _, f := range t.Fields {
			define(definitions, f.Type, side)
		}
	case *surface.Options:
		definitions[definition(t, side)] = optionsOf(t.Fields)
		for _, f := range t.Fields {
			define(definitions, f.Type, side)
		}
	}
}

func definition(t surface.Type, side side) string {
	return strings.ReplaceAll(t.String(), " ", "_") + "_" + string(side)
}

// fieldOf describes the fields of structs.
var fieldOf = map[string]string{
	"topic":            "The topic's name.",
	"partition":        "The partition, from 0.",
	"offset":           "The offset, from 0.",
	"payload":          "What was published.",
	"attempt":          "Which delivery of this message to the group it is, from 1.",
	"attempts":         "How often the message was delivered to the group.",
	"version":          "The version of the consumer protocol.",
	"topics":           "The topics that the member subscribes to, in the order of the message.",
	"user_data":        "What the client adds, or null.",
	"owned_partitions": "What the member owned before the rebalance; from version 1.",
	"generation_id":    "The generation in which it owned them, or -1; from version 2.",
	"rack_id":          "Where the member is, or null; from version 3.",
	"partitions":       "Partitions, in the order of the message.",
	"id":               "The member's id.",
	"instance_id":      "The group instance id of a static member; null, or left out, for another.",
	"subscribed":       "Whether the name has a subscription with a handler.",
	"lost":             "How many messages were no longer kept when they would have been offered.",
	"disconnected":     "Whether a reason is kept for which the subscription ended.",
}

// optionOf describes options, and the fields of maps of which any may be left out.
var optionOf = map[string]string{
	"max_payload":  "How many bytes a payload may have; not 0.",
	"dispatcher":   "Who runs the handlers: synchronous, lanes or pool; another word where the call must fail.",
	"workers":      "How many workers a pool has; not 0.",
	"max_attempts": "How often a message is tried; 0 for no limit.",
	"retain":       "How many messages the topic keeps, the last ones; not 0.",
	"group":        "The group that the subscription is one of.",
	"policy":       "What becomes of the subscription when its next message is no longer kept: drop, disconnect or block; another word where the call must fail.",
	"filter":       "Which payloads the subscription is for.",
	"match":        "The payload that the rule is about; all, where it is left out.",
	"times":        "How often the rule acts; without end, where it is left out.",
	"do":           "Calls that the handler makes, in order. One that fails is passed over.",
	"ret":          "What the handler comes to in the end: true, which confirms, false or throw. True, where it is left out.",
	"pass":         "Payloads that the filter lets through. What is in neither list is passed over.",
	"throw":        "Payloads over which the filter throws.",
}

func structure(t *surface.Struct, side side) object {
	properties := object{}
	var required []string
	for _, f := range t.Fields {
		properties[f.Name] = describe(value(f.Type, side), fieldOf[f.Name])
		if _, optional := f.Type.(surface.Optional); !optional || side == returned {
			required = append(required, f.Name)
		}
	}
	return closed(required, properties)
}

// value is what a case may write for a type.
func value(t surface.Type, side side) object {
	switch t := t.(type) {
	case surface.Scalar:
		return scalar(t)
	case surface.List:
		return array(value(t.Of, side), nil)
	case surface.Map:
		return object{"type": "object", "additionalProperties": value(t.Of, side)}
	case surface.Optional:
		return orNull(value(t.Of, side))
	case *surface.Choice:
		return choice(t)
	case *surface.Tuple:
		return elementsOf(t)
	case *surface.Struct, *surface.Options:
		return ref(definition(t, side))
	case surface.Call:
		return ref(t.System + "_call")
	}
	panic("the schema has no form for " + t.String())
}

func elementsOf(t *surface.Tuple) object {
	var elements list
	for _, f := range t.Fields {
		elements = append(elements, describe(value(f.Type, given), f.Name))
	}
	return tuple(len(elements), elements)
}

// choice has editors complete the known words of an open choice, too.
func choice(t *surface.Choice) object {
	known := object{"enum": t.Values}
	if t.Open {
		return object{"anyOf": list{known, ref("string")}}
	}
	return known
}

func optionsOf(params []surface.Param) object {
	properties := object{}
	for _, p := range params {
		properties[p.Name] = describe(value(p.Type, given), optionOf[p.Name])
	}
	return object{"type": "object", "properties": properties, "additionalProperties": false, "minProperties": 1}
}

func scalar(t surface.Scalar) object {
	switch t {
	case surface.Identifier, surface.Text, surface.String:
		return ref("string")
	case surface.Bytes:
		return ref("bytes")
	case surface.Int32, surface.Int64:
		return ref("integer")
	case surface.Field16:
		return object{"type": "integer", "minimum": math.MinInt16, "maximum": math.MaxInt16}
	case surface.Field32:
		return object{"type": "integer", "minimum": math.MinInt32, "maximum": math.MaxInt32}
	case surface.Limit:
		return object{"type": "integer", "not": object{"const": 0}}
	case surface.Count:
		return object{"type": "integer", "minimum": 1, "maximum": math.MaxInt32}
	case surface.Bool:
		return object{"type": "boolean"}
	case surface.Null:
		return object{"type": "null"}
	}
	panic("the schema has no form for " + t.String())
}

func orNull(schema object) object {
	return object{"anyOf": list{schema, object{"type": "null"}}}
}

// argument is what a case may write for a parameter: null, too, for a string.
func argument(t surface.Type) object {
	if s, ok := t.(surface.Scalar); ok && s.IsString() {
		return orNull(scalar(s))
	}
	return value(t, given)
}

// tuple is a list with one element for each of the schemas, the last ones
// being optional.
func tuple(required int, elements list) object {
	if len(elements) == 0 {
		return object{"type": "array", "maxItems": 0}
	}
	return object{"type": "array", "items": elements, "additionalItems": false, "minItems": required}
}

func callOf(s surface.System) object {
	var operations list
	for _, op := range s.Operations {
		elements := list{object{"const": op.Name}}
		for _, p := range op.Params {
			elements = append(elements, describe(argument(p.Type), p.Name))
		}
		required := len(elements)
		if len(op.Options) > 0 {
			elements = append(elements, optionsOf(op.Options))
		}
		call := tuple(required, elements)
		call["description"] = fmt.Sprintf("%s returns: %s.", op.Name, op.Returns)
		operations = append(operations, call)
	}
	return object{"oneOf": operations}
}

func stepOf(s surface.System) object {
	var results list
	seen := map[surface.Type]bool{}
	for _, op := range s.Operations {
		if !seen[op.Returns] {
			results = append(results, value(op.Returns, returned))
		}
		seen[op.Returns] = true
	}
	step := closed([]string{"call"}, object{
		"call":    describe(ref(s.Name+"_call"), "The operation and its arguments, by position."),
		"returns": object{"anyOf": results, "description": "What the call must return."},
		"raises":  object{"enum": surface.Kinds, "description": "The kind of error that the call must fail with."},
	})
	step["oneOf"] = list{object{"required": list{"returns"}}, object{"required": list{"raises"}}}
	return step
}

func constructorOf(s surface.System) object {
	var elements list
	for _, p := range s.New {
		elements = append(elements, describe(argument(p.Type), p.Name))
	}
	if len(s.Options) > 0 {
		elements = append(elements, optionsOf(s.Options))
	}
	return tuple(len(s.New), elements)
}

func caseOf(s surface.System) object {
	steps := array(ref(s.Name+"_step"), object{"minItems": 1})
	calls := array(ref(s.Name+"_call"), object{"minItems": 1})
	required := []string{"id", "spec", "why"}
	if len(s.New) > 0 {
		required = append(required, "new")
	}
	schema := closed(required, object{
		"id": object{
			"type": "string", "pattern": "^[a-z0-9]+(-[a-z0-9]+)*$",
			"description": "The name of the one behaviour that the case shows. It never changes and is never used again.",
		},
		"spec": array(object{"type": "string", "pattern": "^[A-Z]{2}-[0-9]{2}$"}, object{
			"minItems": 1, "uniqueItems": true, "description": "The clauses of CONTRACT.md that the case proves: [EB-07].",
		}),
		"why": object{"type": "string", "minLength": 1, "description": "What would be wrong in a broker that fails the case."},
		"needs": array(object{"enum": surface.Features}, object{
			"minItems": 1, "uniqueItems": true, "description": "What a language must be able to say, or a surface must have, for the case to apply to it.",
		}),
		"new":        describe(constructorOf(s), "The arguments of the constructor, then a map of options perhaps."),
		"new_raises": object{"enum": surface.Kinds, "description": "The kind of error that the constructor must fail with; then there are no steps."},
		"steps":      describe(steps, "The calls, one after the other, and what must come of each."),
		"before":     describe(steps, "Steps before the threads begin."),
		"threads": array(calls, object{
			"minItems": 2, "maxItems": 8, "description": "In place of steps: lists of calls that run at once, one a thread.",
		}),
		"rounds": object{"type": "integer", "minimum": 1, "maximum": 10000, "description": "How many times the threads run, each time with a new broker."},
		"check":  object{"enum": list{"linearizable"}, "description": "What must hold of all that the threads saw."},
	})
	schema["oneOf"] = list{
		object{"required": list{"steps"}},
		object{"required": list{"new_raises"}},
		object{"required": list{"threads", "rounds", "check"}},
	}
	schema["dependencies"] = object{
		"before": list{"threads"}, "rounds": list{"threads"}, "check": list{"threads"},
	}
	return schema
}
