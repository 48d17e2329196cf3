package program

import (
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

// A handler is a subscription's function, made of a case's rules. It has a name
// of its own in the program: its number, from 1.
type handler struct {
	Number int
	Of     string // whose it is, for people
	Name   string // of the subscription, a literal
	Rules  []rule
	Filter *filter
}

type rule struct {
	Match string // a literal; "" for every payload
	Times int64  // 0 for without end
	Do    []string
	Ends  string // true, false or throw
}

// Always reports whether no rule behind this one ever acts.
func (r rule) Always() bool { return r.Match == "" && r.Times == 0 }

// A filter has the payloads that are let through and thrown over, as literals.
type filter struct{ Pass, Throw []string }

// Counts reports whether a rule acts a number of times only.
func (h handler) Counts() bool {
	for _, r := range h.Rules {
		if r.Times > 0 {
			return true
		}
	}
	return false
}

// Falls reports whether a message may meet no rule.
func (h handler) Falls() bool {
	return len(h.Rules) == 0 || !h.Rules[len(h.Rules)-1].Always()
}

// handler writes the handler of a call of subscribe, with those that it
// subscribes itself, and gives its number.
func (p *page) handler(c call) int {
	n := len(p.Handlers)
	p.Handlers = append(p.Handlers, handler{}) // its number is taken
	name, _ := content(c.Args[1])              // null is refused before it is called
	h := handler{Number: n + 1, Of: quote(name), Name: p.language.literal(name, surface.Text)}
	rules, _ := c.Args[2].([]any)
	for _, r := range rules {
		h.Rules = append(h.Rules, p.rule(r.(map[string]any)))
		if h.Rules[len(h.Rules)-1].Always() {
			break
		}
	}
	if f, ok := c.Options["filter"].(map[string]any); ok {
		h.Filter = &filter{p.texts(f["pass"]), p.texts(f["throw"])}
	}
	p.Handlers[n] = h
	return n + 1
}

func (p *page) rule(fields map[string]any) rule {
	r := rule{Ends: "true"}
	if match, ok := fields["match"]; ok {
		r.Match = p.language.literal(match, surface.Text)
	}
	r.Times, _ = fields["times"].(int64)
	do, _ := fields["do"].([]any)
	for _, inner := range do {
		list := inner.([]any)
		r.Do = append(r.Do, p.language.call(p, p.parse(corpus.Call{Op: list[0].(string), Args: list[1:]})))
	}
	switch fields["ret"] {
	case false:
		r.Ends = "false"
	case "throw":
		r.Ends = "throw"
	}
	return r
}

func (p *page) texts(v any) []string {
	list, _ := v.([]any)
	literals := make([]string, len(list))
	for i, text := range list {
		literals[i] = p.language.literal(text, surface.Text)
	}
	return literals
}

// MostRules is the length of the longest list of rules, at least 1.
func (p *page) MostRules() int {
	most := 1
	for _, h := range p.Handlers {
		most = max(most, len(h.Rules))
	}
	return most
}
