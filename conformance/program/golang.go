package program

import (
	"fmt"
	"go/format"
	"strconv"
	"strings"
	"text/template"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

var golang = language{
	page: newPage("go.tmpl", template.FuncMap{
		"type":  func(s *surface.Struct) string { return goTypes[s] },
		"field": goField,
	}),
	tidy:      format.Source,
	construct: goNew,
	call:      goCall,
	literal:   goLiteral,
}

var goTypes = map[any]string{
	surface.Record: "event.Record", surface.Delivery: "message.Delivery", surface.DeadLetter: "message.DeadLetter",
	surface.Message: "event.Message", surface.Position: "event.Position",
	surface.Letter: "pubsub.Letter", surface.Standing: "pubsub.Status",
	surface.TopicPartitions: "assign.TopicPartitions", surface.Member: "assign.Member",
	surface.Subscription: "assign.Subscription", surface.Assignment: "assign.Assignment",
}

func goField(name string) string {
	if name == "disconnected" {
		return `v.Reason != ""`
	}
	return "v." + camel(name)
}

func goNew(c *corpus.Case) string {
	system, _ := surface.FindSystem(c.System)
	var args, options []string
	for i, v := range c.New {
		args = append(args, goLiteral(v, system.New[i].Type))
	}
	for _, p := range system.Options {
		if v, ok := c.Options[p.Name]; ok {
			options = append(options, camel(p.Name)+": "+goOption(p, v))
		}
	}
	args = append(args, fmt.Sprintf("%s.Options{%s}", c.System, strings.Join(options, ", ")))
	return fmt.Sprintf("%s.New(%s)", c.System, strings.Join(args, ", "))
}

func goOption(p surface.Param, v any) string {
	if p.Name == "max_attempts" && v == int64(0) {
		return "pubsub.NoLimit"
	}
	return goLiteral(v, p.Type)
}

// goCall is the body of a function that returns a value and an error.
func goCall(p *page, c call) string {
	args := p.literals(c)
	switch name := c.Name; {
	case name == "calls_of":
		return fmt.Sprintf("return callsOf(%s), nil", strings.Join(args, ", "))
	case name == "subscribe":
		n := p.handler(c)
		args[2] = fmt.Sprintf("handler%d()", n)
		return fmt.Sprintf("return nil, b.Subscribe(%s)", strings.Join(append(args, subscribeOptions(c, n)...), ", "))
	case name == "create_topic" && c.Options != nil:
		args = append(args, fmt.Sprintf("pubsub.Retain(%s)", goLiteral(c.Options["retain"], surface.Limit)))
	case c.Returns == surface.Type(surface.Optional{Of: surface.Delivery}):
		return fmt.Sprintf("return orNil(b.%s(%s))", camel(name), strings.Join(args, ", "))
	case name == "range_assign":
		return fmt.Sprintf("return assign.Range(%s)", strings.Join(args, ", "))
	case !p.hasBroker():
		return fmt.Sprintf("return assign.%s(%s)", camel(name), strings.Join(args, ", "))
	}
	return fmt.Sprintf("return b.%s(%s)", camel(c.Name), strings.Join(args, ", "))
}

func subscribeOptions(c call, n int) (list []string) {
	if group, ok := c.Options["group"]; ok {
		list = append(list, fmt.Sprintf("pubsub.InGroup(%s)", goLiteral(group, surface.Identifier)))
	}
	if policy, ok := c.Options["policy"]; ok {
		list = append(list, fmt.Sprintf("pubsub.WithPolicy(%s)", goLiteral(policy, surface.Policy)))
	}
	if c.Options["filter"] != nil {
		list = append(list, fmt.Sprintf("pubsub.Where(filter%d)", n))
	}
	return list
}

func goLiteral(v any, t surface.Type) string {
	if v == nil {
		return "nil"
	}
	switch t := t.(type) {
	case surface.Optional:
		if t.Of == surface.Bytes {
			return goLiteral(v, t.Of)
		}
		return fmt.Sprintf("pointer(%s)", goLiteral(v, t.Of))
	case surface.List:
		if t.Of == surface.Rule {
			return "" // a handler stands in its place
		}
		return goType(t) + "{" + strings.Join(elements(v, t.Of, goLiteral), ", ") + "}"
	case surface.Map:
		return goType(t) + "{" + strings.Join(entries(v, t.Of, goLiteral, "%s: %s"), ", ") + "}"
	case *surface.Tuple:
		return goTypes[t] + "{" + strings.Join(named(v, t, goLiteral, goNamed), ", ") + "}"
	case *surface.Struct:
		return goTypes[t] + "{" + strings.Join(fields(v, t, goLiteral, goNamed), ", ") + "}"
	case *surface.Choice:
		if i := word(v, t); i < len(t.Values) {
			return "pubsub." + camel(t.Values[i].(string))
		}
		return fmt.Sprintf("pubsub.%s(-1)", camel(t.Name))
	}
	s, ok := content(v)
	if !ok {
		return fmt.Sprint(v)
	}
	literal := strconv.QuoteToASCII(s)
	if unit, times := period(s); times > 0 {
		literal = fmt.Sprintf("strings.Repeat(%s, %d)", strconv.QuoteToASCII(unit), times)
	}
	if t == surface.Bytes {
		return "[]byte(" + literal + ")"
	}
	return literal
}

// goNamed is a field of a composite literal.
func goNamed(name, value string) string { return camel(name) + ": " + value }

func goType(t surface.Type) string {
	switch t := t.(type) {
	case surface.List:
		return "[]" + goType(t.Of)
	case surface.Map:
		return "map[string]" + goType(t.Of)
	case *surface.Tuple, *surface.Struct:
		return goTypes[t]
	}
	switch t {
	case surface.Int32:
		return "int"
	case surface.Field32:
		return "int32"
	}
	return "string"
}
