package fuzz

import (
	"maps"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/model"
)

var messageVocabulary = vocabulary{
	system: systemNamed("message"),
	weighs: map[string]int{"create_topic": 1, "publish": 6, "poll": 8, "ack": 4, "nack": 6, "dead_letters": 2},
	new: func(d drawer) arguments {
		args := arguments{"max_attempts": pick[int64](d, 1, 1, 2, 2, 3, 1<<31-1)}
		d.drawMaxPayload(args)
		return args
	},
	op:    func(d drawer, m model.System, op string) string { return messageOp(d, m.(*model.Message), op) },
	args:  func(d drawer, m model.System, op string) arguments { return drawMessage(d, m.(*model.Message), op) },
	known: func(m model.System, args arguments) known { return knownOfMessage(m.(*model.Message), args) },
}

func messageOp(d drawer, m *model.Message, op string) string {
	if len(m.Topics) == 0 && !d.oneIn(8) {
		return "create_topic"
	}
	return op
}

func knownOfMessage(m *model.Message, args arguments) known {
	k := known{m.MaxPayload, map[string][]string{"topic": slices.Sorted(maps.Keys(m.Topics))}}
	if topic := m.Topics[args["topic"].(string)]; topic != nil {
		k.names["group"] = slices.Sorted(maps.Keys(topic.Groups))
	}
	return k
}

// drawMessage: ack and nack are about a delivery, where there is one.
func drawMessage(d drawer, m *model.Message, op string) arguments {
	args := arguments{
		"topic": pick(d, topicNames...), "group": pick(d, groupNames...), "payload": d.payload(m.MaxPayload),
		"offset": int64(0), "attempt": int64(1),
	}
	topics := slices.Sorted(maps.Keys(m.Topics))
	if op == "create_topic" || len(topics) == 0 {
		return args
	}
	name := topics[0] // most of the time, so that calls meet
	if d.oneIn(4) {
		name = pick(d, topics...)
	}
	args["topic"] = name
	if op == "ack" || op == "nack" {
		d.toMessage(args, m.Topics[name])
	}
	return args
}

func (d drawer) toMessage(args arguments, t *model.MessageTopic) {
	groups := slices.Sorted(maps.Keys(t.Groups))
	flying := slices.DeleteFunc(slices.Clone(groups), func(name string) bool { return !t.Groups[name].InFlight })
	switch {
	case len(flying) > 0:
		groups = flying
	case len(groups) == 0:
		return
	}
	name := pick(d, groups...)
	args["group"] = name
	args["offset"], args["attempt"] = t.Groups[name].Offset, max(1, t.Groups[name].Attempts)
}
