package model

import "slices"

// A PubSubRule is what a handler does with some messages. Its fields are empty
// where the case says nothing.
type PubSubRule struct {
	Match *string       // of the payload; nil is any
	Times *int64        // how often it may still act; nil is ever
	Do    []HandlerCall // from inside the handler
	Ret   any           // true, false or "throw"
}

// A HandlerCall is an operation that a handler carries out.
type HandlerCall struct {
	Op   string
	Args []any
}

// A PubSubFilter lets through what is in Pass, throws at what is in Throw, and
// passes over everything else (PS-12).
type PubSubFilter struct{ Pass, Throw []string }

// handle calls the handler: the first of its rules that acts says what it
// returns. A call from inside it that fails is passed over.
func (p *PubSub) handle(d *PubSubDelivery) any {
	for _, rule := range d.To.Handler {
		if !rule.acts(d.Payload) {
			continue
		}
		for _, call := range rule.Do {
			_, _ = p.Self.Call(call.Op, call.Args)
		}
		return rule.Ret
	}
	return true
}

// acts says whether the rule is about this payload and not used up; it is then
// used once.
func (r *PubSubRule) acts(payload string) bool {
	if r.Match != nil && *r.Match != payload {
		return false
	}
	if r.Times == nil {
		return true
	}
	if *r.Times == 0 {
		return false
	}
	*r.Times--
	return true
}

// filtered is what the filter makes of a payload; Confirmed lets it through.
func filtered(f *PubSubFilter, payload string) PubSubOutcome {
	switch {
	case slices.Contains(f.Throw, payload):
		return Failed
	case slices.Contains(f.Pass, payload):
		return Confirmed
	}
	return Filtered
}
