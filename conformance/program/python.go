package program

import (
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

var python = language{
	page: newPage("python.tmpl", template.FuncMap{
		"type":  func(s *surface.Struct) string { return pythonTypes[s] },
		"field": pythonField,
		"quote": pythonText,
	}),
	construct: pythonNew,
	call:      pythonCall,
	literal:   pythonLiteral,
}

// pythonTypes are the classes of the structs and of the systems.
var pythonTypes = map[any]string{
	surface.Record: "eventbroker.BrokerRecord", surface.Delivery: "eventbroker.Delivery", surface.DeadLetter: "eventbroker.DeadLetter",
	surface.Letter: "eventbroker.Letter", surface.Standing: "eventbroker.Status",
	surface.TopicPartitions: "eventbroker.assign.TopicPartitions", surface.Member: "eventbroker.assign.Member",
	surface.Subscription: "eventbroker.assign.Subscription", surface.Assignment: "eventbroker.assign.Assignment",
	"event": "eventbroker.EventBroker", "message": "eventbroker.MessageBroker", "pubsub": "eventbroker.PubSub",
}

func pythonField(name string) string {
	if name == "disconnected" {
		return `value.reason != ""`
	}
	return "value." + name
}

func pythonNew(c *corpus.Case) string {
	system, _ := surface.FindSystem(c.System)
	var args []string
	for i, v := range c.New {
		args = append(args, pythonLiteral(v, system.New[i].Type))
	}
	return fmt.Sprintf("%s(%s)", pythonTypes[c.System], strings.Join(append(args, keywords(c.Options, system.Options)...), ", "))
}

// keywords are options as Python gives them.
func keywords(options map[string]any, known []surface.Param) []string {
	var list []string
	for _, p := range known {
		if v, ok := options[p.Name]; ok && p.Type != surface.Filter {
			list = append(list, p.Name+"="+pythonLiteral(v, p.Type))
		}
	}
	return list
}

func pythonCall(p *page, c call) string {
	args := p.literals(c)
	switch c.Name {
	case "calls_of":
		return fmt.Sprintf("calls[%s]", strings.Join(args, ", "))
	case "subscribe":
		n := p.handler(c)
		args[2] = fmt.Sprintf("handler_%d()", n)
		if c.Options["filter"] != nil {
			args = append(args, fmt.Sprintf("filter=filter_%d", n))
		}
	case "range_assign":
		return fmt.Sprintf("eventbroker.assign.range_assign(%s)", strings.Join(args, ", "))
	}
	if !p.hasBroker() {
		return method(c, args, pythonTypes, ".")
	}
	return fmt.Sprintf("broker.%s(%s)", c.Name, strings.Join(append(args, keywords(c.Options, c.Operation.Options)...), ", "))
}

// method is a call of decode or encode, which are methods of what they give or
// take.
func method(c call, args []string, types map[any]string, dot string) string {
	if verb, _, _ := strings.Cut(c.Name, "_"); verb == "encode" {
		return args[0] + ".encode()"
	}
	return fmt.Sprintf("%s%sdecode(%s)", types[c.Returns], dot, args[0])
}

func pythonLiteral(v any, t surface.Type) string {
	if v == nil {
		return "None"
	}
	switch t := t.(type) {
	case surface.Optional:
		return pythonLiteral(v, t.Of)
	case surface.List:
		if t.Of == surface.Rule {
			return "" // a handler stands in its place
		}
		return "[" + strings.Join(elements(v, t.Of, pythonLiteral), ", ") + "]"
	case surface.Map:
		return "{" + strings.Join(entries(v, t.Of, pythonLiteral, "%s: %s"), ", ") + "}"
	case *surface.Tuple:
		return "(" + strings.Join(named(v, t, pythonLiteral, unnamed), ", ") + ")"
	case *surface.Struct:
		form := func(name, value string) string { return name + "=" + value }
		return pythonTypes[t] + "(" + strings.Join(fields(v, t, pythonLiteral, form), ", ") + ")"
	}
	s, ok := content(v)
	if !ok {
		return fmt.Sprint(v)
	}
	write := pythonText
	if t == surface.Bytes {
		write = func(s string) string { return "b" + ascii(s) }
	}
	if unit, times := period(s); times > 0 {
		return fmt.Sprintf("%s * %d", write(unit), times)
	}
	return write(s)
}

// pythonText has what is not ASCII as characters, not as bytes.
func pythonText(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		case r > 0x7e || r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		case slices.Contains([]rune(`"\`), r):
			b.WriteString(`\` + string(r))
		default:
			b.WriteRune(r)
		}
	}
	return `"` + b.String() + `"`
}
