package fuzz

import (
	"maps"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/model"
)

// With lanes and pool, whose deliveries come when they like, no model says what
// is to come.
var pubsubVocabulary = vocabulary{
	system: systemNamed("pubsub"),
	weighs: map[string]int{
		"create_topic": 1, "subscribe": 5, "unsubscribe": 2, "publish": 12, "drain": 8, "seek": 3,
		"offset": 3, "dead_letters": 3, "calls_of": 5, "redeliver": 2, "status": 3,
	},
	new:   newPubSub,
	op:    func(d drawer, m model.System, op string) string { return pubsubOp(d, m.(*model.PubSub), op) },
	args:  func(d drawer, m model.System, op string) arguments { return drawPubSub(d, m.(*model.PubSub), op, 0) },
	known: func(m model.System, args arguments) known { return knownOfPubSub(m.(*model.PubSub), args) },
}

func newPubSub(d drawer) arguments {
	args := arguments{}
	d.drawMaxPayload(args)
	if !d.oneIn(3) {
		args["max_attempts"] = pick[int64](d, 0, 1, 1, 1, 2, 2, 3, 1<<31-1)
	}
	if d.oneIn(8) {
		args["dispatcher"] = model.Synchronous
	}
	return args
}

// pubsubOp: topics and subscriptions first.
func pubsubOp(d drawer, p *model.PubSub, op string) string {
	switch {
	case d.oneIn(8):
		return op
	case len(p.Topics) == 0:
		return "create_topic"
	case !anySubscription(p):
		return "subscribe"
	}
	return op
}

func anySubscription(p *model.PubSub) bool {
	for _, t := range p.Topics {
		if len(t.Subscriptions) > 0 {
			return true
		}
	}
	return false
}

func knownOfPubSub(p *model.PubSub, args arguments) known {
	k := known{p.MaxPayload, map[string][]string{}}
	for _, t := range p.Topics {
		k.names["topic"] = append(k.names["topic"], t.Name)
	}
	if t := p.Topic(args["topic"].(string)); t != nil {
		k.names["group"] = slices.Sorted(maps.Keys(t.Groups))
		for _, s := range t.Subscriptions {
			k.names["name"] = append(k.names["name"], s.Name)
		}
	}
	return k
}

// drawPubSub draws the arguments of a call so deep within handlers.
func drawPubSub(d drawer, p *model.PubSub, op string, depth int) arguments {
	args := arguments{
		"topic": pick(d, topicNames...), "name": pick(d, memberNames...),
		"payload": d.payload(p.MaxPayload), "offset": int64(0),
	}
	if op == "create_topic" {
		if d.oneIn(2) {
			args["retain"] = pick[int64](d, 1, 1, 2, 2, 3, 1<<31-1)
		}
		return args
	}
	if len(p.Topics) > 0 {
		t := p.Topics[0] // most of the time, so that calls meet
		if d.oneIn(4) {
			t = pick(d, p.Topics...)
		}
		args["topic"] = t.Name
		d.toSubscription(args, p, t, op)
	}
	if op == "subscribe" {
		args["rules"] = d.drawRules(p, args, depth)
		d.subscribeOptions(args, p)
	}
	return args
}

// toSubscription names one that there is, unless a new one is to be made.
func (d drawer) toSubscription(args arguments, p *model.PubSub, t *model.PubSubTopic, op string) {
	if op == "subscribe" {
		d.unusedName(args, t)
		return
	}
	if len(t.Subscriptions) == 0 || d.oneIn(6) { // of one that is gone there is something to be asked, too
		args["name"] = pick(d, append(slices.Sorted(maps.Keys(t.Disconnected)), args["name"].(string))...)
		return
	}
	s := pick(d, t.Subscriptions...)
	args["name"] = s.Name
	earliest := p.Rules.Earliest(t)
	args["offset"] = earliest + d.Int64N(t.End()-earliest+1)
}

func (d drawer) unusedName(args arguments, t *model.PubSubTopic) {
	for range len(memberNames) {
		if t.Subscription(args["name"].(string)) == nil {
			return
		}
		args["name"] = pick(d, memberNames...)
	}
}

// subscribeOptions: a group has no filter, and its members have the same policy.
func (d drawer) subscribeOptions(args arguments, p *model.PubSub) {
	if d.oneIn(4) {
		args["policy"] = pick(d, "drop", model.Disconnect, model.Disconnect)
	}
	groups := knownOfPubSub(p, args).names["group"]
	switch d.IntN(6) {
	case 0, 1:
		args["group"] = pick(d, groupNames...)
		if len(groups) > 0 && d.oneIn(2) {
			args["group"] = pick(d, groups...)
			args["policy"] = p.Topic(args["topic"].(string)).Groups[args["group"].(string)].Policy
		}
	case 2:
		args["filter"] = d.drawFilter()
	}
}

func (d drawer) drawFilter() any {
	filter := map[string]any{"pass": d.texts()}
	if d.oneIn(3) {
		filter["throw"] = d.texts()
	}
	return filter
}

func (d drawer) texts() []any {
	list := make([]any, 0, 4)
	for range d.IntN(4) {
		list = append(list, pick(d, "a", "b", "c", "d"))
	}
	return list
}

// drawRules draws what the handler of this subscription does.
func (d drawer) drawRules(p *model.PubSub, own arguments, depth int) []any {
	rules := []any{}
	for range d.IntN(3) {
		rules = append(rules, d.drawRule(p, own, depth))
	}
	return rules
}

func (d drawer) drawRule(p *model.PubSub, own arguments, depth int) map[string]any {
	rule := map[string]any{"ret": pick[any](d, true, false, false, "throw")}
	if d.oneIn(2) {
		rule["match"] = pick(d, "a", "b", "c", "d")
	}
	if d.oneIn(2) {
		rule["times"] = pick[int64](d, 1, 1, 2, 3)
	}
	if depth < 2 && d.oneIn(2) {
		rule["do"] = d.drawInner(p, own, depth)
		rule["times"] = pick[int64](d, 1, 1, 2)
	}
	return rule
}

// drawInner draws calls from inside a handler, which are about its own
// subscription as often as not. Whoever has them acts a few times only: one that
// seeks back at every call would never have done.
func (d drawer) drawInner(p *model.PubSub, own arguments, depth int) []any {
	calls := []any{}
	for range 1 + d.IntN(3) {
		op := pick(d, "publish", "unsubscribe", "subscribe", "drain", "seek", "redeliver", "create_topic", "offset")
		args := drawPubSub(d, p, op, depth+1)
		if op != "create_topic" && d.oneIn(2) {
			args["topic"], args["name"] = own["topic"], own["name"]
		}
		if op == "seek" && d.oneIn(3) { // about where the call is
			args["offset"] = d.Int64N(4)
		}
		operation, _ := systemNamed("pubsub").Find(op)
		call := callOf(operation, args)
		calls = append(calls, append([]any{call.Op}, call.Args...))
	}
	return calls
}
