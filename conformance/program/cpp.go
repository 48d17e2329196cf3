package program

import (
	"fmt"
	"math"
	"strings"
	"text/template"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

var cpp = language{
	page: newPage("cpp.tmpl", template.FuncMap{
		"type":  func(s *surface.Struct) string { return cppTypes[s] },
		"class": func(system string) string { return cppTypes[system] },
		"field": cppField,
	}),
	construct: cppNew,
	call:      cppCall,
	literal:   cppLiteral,
}

// cppTypes are the classes of the structs and of the systems.
var cppTypes = map[any]string{
	surface.Record: "eventbroker::BrokerRecord", surface.Delivery: "eventbroker::Delivery", surface.DeadLetter: "eventbroker::DeadLetter",
	surface.Message: "eventbroker::BrokerMessage", surface.Position: "eventbroker::BrokerPosition",
	surface.Letter: "eventbroker::Letter", surface.Standing: "eventbroker::Status",
	surface.TopicPartitions: "eventbroker::assign::TopicPartitions", surface.Member: "eventbroker::assign::Member",
	surface.Subscription: "eventbroker::assign::Subscription", surface.Assignment: "eventbroker::assign::Assignment",
	"event": "eventbroker::EventBroker", "message": "eventbroker::MessageBroker", "pubsub": "eventbroker::PubSub",
}

func cppField(name string) string {
	if name == "disconnected" {
		return "!v.reason.empty()"
	}
	return "v." + name
}

// cppNew gives statements: options are set one by one.
func cppNew(c *corpus.Case) string {
	system, _ := surface.FindSystem(c.System)
	var b strings.Builder
	var args []string
	for i, v := range c.New {
		args = append(args, cppLiteral(v, system.New[i].Type))
	}
	if c.Options != nil {
		args = append(args, "options")
		fmt.Fprintf(&b, "%s options; ", map[string]string{
			"event": "eventbroker::EventBroker::Options", "message": "eventbroker::MessageBroker::Options", "pubsub": "eventbroker::PubSubOptions"}[c.System])
		for _, p := range system.Options {
			if v, ok := c.Options[p.Name]; ok {
				fmt.Fprintf(&b, "options.%s = %s; ", p.Name, cppLiteral(v, p.Type))
			}
		}
	}
	fmt.Fprintf(&b, "broker.emplace(%s);", strings.Join(args, ", "))
	return b.String()
}

// cppCall is the body of a lambda.
func cppCall(p *page, c call) string {
	args := p.literals(c)
	switch name := c.Name; {
	case name == "calls_of":
		return fmt.Sprintf("return calls_of(%s);", strings.Join(args, ", "))
	case name == "subscribe":
		n := p.handler(c)
		args[2] = fmt.Sprintf("handler_%d()", n)
		if c.Options != nil {
			args = append(args, cppSubscribeOptions(c, n))
		}
		return fmt.Sprintf("broker->subscribe(%s); return nullptr;", strings.Join(args, ", "))
	case name == "create_topic" && c.Options != nil:
		args = append(args, fmt.Sprintf("eventbroker::TopicOptions{%s}", cppLiteral(c.Options["retain"], surface.Limit)))
	case name == "range_assign":
		return fmt.Sprintf("return eventbroker::assign::range_assign(%s);", strings.Join(args, ", "))
	case !p.hasBroker():
		return "return " + method(c, args, cppTypes, "::") + ";"
	}
	return fmt.Sprintf("return broker->%s(%s);", c.Name, strings.Join(args, ", "))
}

func cppSubscribeOptions(c call, n int) string {
	group, filter, policy := "std::nullopt", "nullptr", "eventbroker::Policy::drop"
	if v, ok := c.Options["group"]; ok {
		group = cppLiteral(v, surface.String)
	}
	if c.Options["filter"] != nil {
		filter = fmt.Sprintf("filter_%d", n)
	}
	if v, ok := c.Options["policy"]; ok {
		policy = cppLiteral(v, surface.Policy)
	}
	return fmt.Sprintf("eventbroker::SubscribeOptions{%s, %s, %s}", group, filter, policy)
}

func cppLiteral(v any, t surface.Type) string {
	switch t := t.(type) {
	case surface.Optional:
		if v == nil {
			return "std::nullopt"
		}
		return cppLiteral(v, t.Of)
	case surface.List:
		if t.Of == surface.Rule {
			return "" // a handler stands in its place
		}
		return cppType(t) + "{" + strings.Join(elements(v, t.Of, cppLiteral), ", ") + "}"
	case surface.Map:
		return cppType(t) + "{" + strings.Join(entries(v, t.Of, cppLiteral, "{%s, %s}"), ", ") + "}"
	case *surface.Struct:
		return cppTypes[t] + "{" + strings.Join(fields(v, t, cppLiteral, unnamed), ", ") + "}"
	case *surface.Tuple:
		return cppTypes[t] + "{" + strings.Join(named(v, t, cppLiteral, unnamed), ", ") + "}"
	case *surface.Choice:
		if i := word(v, t); i < len(t.Values) {
			return "eventbroker::" + camel(t.Name) + "::" + t.Values[i].(string)
		}
		return fmt.Sprintf("static_cast<eventbroker::%s>(%d)", camel(t.Name), len(t.Values))
	}
	if v == nil {
		return "nullptr"
	}
	s, ok := content(v)
	if !ok {
		return integer(v)
	}
	if unit, times := period(s); times > 0 {
		return fmt.Sprintf("repeat(%s, %d)", ascii(unit), times)
	}
	if scalar, _ := t.(surface.Scalar); (scalar == surface.Identifier || scalar == surface.Text) && !strings.Contains(s, "\x00") {
		return ascii(s)
	}
	return fmt.Sprintf("std::string(%s, %d)", ascii(s), len(s))
}

// integer is one of C's: the smallest has no literal of its own.
func integer(v any) string {
	if v == int64(math.MinInt64) {
		return "INT64_MIN"
	}
	return fmt.Sprint(v)
}

func cppType(t surface.Type) string {
	switch t := t.(type) {
	case surface.List:
		return "std::vector<" + cppType(t.Of) + ">"
	case surface.Map:
		return "std::map<std::string, " + cppType(t.Of) + ">"
	case *surface.Tuple, *surface.Struct:
		return cppTypes[t]
	}
	switch t {
	case surface.Int32:
		return "std::int64_t"
	case surface.Field32:
		return "std::int32_t"
	}
	return "std::string"
}
