package cases_test

import (
	"fmt"

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
		"record":  record(),
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
	hex := closed([]string{"hex"}, object{
		"hex": object{"type": "string", "pattern": "^([0-9a-fA-F]{2})*$", "description": "Bytes, two digits each; in quotes if all digits are decimal."},
	})
	repeat := closed([]string{"repeat", "times"}, object{
		"repeat": object{"type": "string", "minLength": 1, "description": "What is repeated."},
		"times":  object{"type": "integer", "minimum": 2, "description": "How many times it stands there."},
	})
	return object{"anyOf": list{object{"type": "string"}, hex, repeat}}
}

func record() object {
	return closed([]string{"topic", "partition", "offset", "payload"}, object{
		"topic":     describe(ref("string"), "The topic as it was created."),
		"partition": describe(ref("integer"), "The partition, from 0."),
		"offset":    describe(ref("integer"), "The offset in the partition, from 0."),
		"payload":   describe(ref("string"), "What was published."),
	})
}

// argument is what a case may write for a parameter.
func argument(t surface.Type) object {
	switch t {
	case surface.Identifier, surface.Text:
		return object{"anyOf": list{ref("string"), object{"type": "null"}}}
	case surface.Int32, surface.Int64:
		return ref("integer")
	case surface.Bool:
		return object{"type": "boolean"}
	}
	panic("the schema has no form for arguments of type " + string(t))
}

// result is what a case may write for what a call returns.
func result(t surface.Type) object {
	switch t {
	case surface.Ints:
		return array(ref("integer"), nil)
	case surface.Records:
		return array(ref("record"), nil)
	case surface.Identifier, surface.Text:
		return ref("string")
	}
	return argument(t)
}

// tuple is a list with one element for each of the schemas, the last ones
// being optional.
func tuple(required int, elements list) object {
	return object{"type": "array", "items": elements, "additionalItems": false, "minItems": required}
}

func callOf(s surface.System) object {
	var operations list
	for _, op := range s.Operations {
		elements := list{object{"const": op.Name}}
		for _, p := range op.Params {
			elements = append(elements, describe(argument(p.Type), p.Name))
		}
		call := tuple(len(elements), elements)
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
			results = append(results, result(op.Returns))
		}
		seen[op.Returns] = true
	}
	step := closed([]string{"call"}, object{
		"call":    describe(ref(s.Name+"_call"), "The operation and its arguments, by position."),
		"returns": object{"anyOf": results, "description": "What the call must return."},
		"raises":  object{"enum": list{surface.InvalidArgument}, "description": "The kind of error that the call must fail with."},
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
		options := object{}
		for _, p := range s.Options {
			options[p.Name] = describe(argument(p.Type), "The option "+p.Name+".")
		}
		elements = append(elements, object{
			"type": "object", "properties": options, "additionalProperties": false, "minProperties": 1,
		})
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
		"needs": array(object{"enum": list{surface.NullStrings, surface.WideIntegers, surface.RawBytes}}, object{
			"minItems": 1, "uniqueItems": true, "description": "What a language must be able to say for the case to apply to it.",
		}),
		"new":        describe(constructorOf(s), "The arguments of the constructor, then a map of options perhaps."),
		"new_raises": object{"enum": list{surface.InvalidArgument}, "description": "The kind of error that the constructor must fail with; then there are no steps."},
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
