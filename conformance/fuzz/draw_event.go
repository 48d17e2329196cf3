package fuzz

import (
	"maps"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/model"
)

var eventVocabulary = vocabulary{
	system: systemNamed("event"),
	weighs: map[string]int{"create": 1, "join": 4, "leave": 2, "publish": 8, "poll": 8, "ack": 8, "retry": 2, "publish_many": 1, "ack_many": 2},
	new: func(d drawer) arguments {
		args := arguments{"capacity_per_partition": pick[int64](d, 1, 1, 2, 2, 3, 4, 8, 1000)}
		d.drawMaxPayload(args)
		return args
	},
	op:    func(d drawer, m model.System, op string) string { return eventOp(d, m.(*model.Event), op) },
	args:  func(d drawer, m model.System, op string) arguments { return drawEvent(d, m.(*model.Event), op) },
	known: func(m model.System, args arguments) known { return knownOfEvent(m.(*model.Event), args) },
}

// Names that are in another order by byte than by number or by letter.
var (
	topicNames  = []string{"t", "t", "t", "T", "u", longest}
	groupNames  = []string{"g", "g", "h", "G", longest}
	memberNames = []string{"a", "A", "B", "m9", "m10", "_", "-", "9", longest, longest[1:] + "y"}
)

// eventOp: there is little to do without a topic, or to acknowledge without a
// delivery.
func eventOp(d drawer, e *model.Event, op string) string {
	switch {
	case d.oneIn(8):
		return op
	case len(e.Topics) == 0:
		return "create"
	case (op == "ack" || op == "retry" || op == "ack_many") && !anyDelivery(e):
		return "poll"
	}
	return op
}

func anyDelivery(e *model.Event) bool {
	for _, topic := range e.Topics {
		for _, group := range topic.Groups {
			if slices.ContainsFunc(group.Cursors, func(c model.EventCursor) bool { return c.InFlight != model.NoDelivery }) {
				return true
			}
		}
	}
	return false
}

// knownOfEvent has the other members of the group, of which one may be taken for
// the owner.
func knownOfEvent(e *model.Event, args arguments) known {
	k := known{e.MaxPayload, map[string][]string{"topic": slices.Sorted(maps.Keys(e.Topics))}}
	if topic := e.Topics[args["topic"].(string)]; topic != nil {
		k.names["group"] = slices.Sorted(maps.Keys(topic.Groups))
		if group := topic.Groups[args["group"].(string)]; group != nil {
			k.names["member"] = group.Members
		}
	}
	return k
}

// A place is what a call of the event broker is about.
type place struct {
	topic, group, member string
	partition            int
	offset               int64
}

func drawEvent(d drawer, e *model.Event, op string) arguments {
	p := d.eventPlace(e, op)
	partitions := 1
	if topic := e.Topics[p.topic]; topic != nil {
		partitions = len(topic.Partitions)
	}
	return arguments{
		"topic": p.topic, "group": p.group, "member": p.member,
		"partition": int64(p.partition), "offset": p.offset,
		"partition_count": pick[int64](d, 1, 1, 2, 3, 4, 7, 64),
		"max_records":     pick[int64](d, 1, 1, 2, int64(partitions), 64),
		"payload":         d.payload(e.MaxPayload),
		"messages":        d.messages(e, int64(partitions)),
		"positions":       d.positions(e, p),
	}
}

// eventPlace draws from what there is: for ack and retry a delivery, for poll
// and leave a member. A new topic and a new member may have any name.
func (d drawer) eventPlace(e *model.Event, op string) place {
	p := place{topic: pick(d, topicNames...), group: pick(d, groupNames...), member: pick(d, memberNames...)}
	topics := slices.Sorted(maps.Keys(e.Topics))
	if op == "create" || len(topics) == 0 {
		return p
	}
	p.topic = topics[0] // most of the time, so that calls meet
	if d.oneIn(4) {
		p.topic = pick(d, topics...)
	}
	topic := e.Topics[p.topic]
	p.partition = d.IntN(len(topic.Partitions))
	switch op {
	case "ack", "retry", "ack_many":
		d.toDelivery(&p, topic)
	case "poll", "leave":
		d.toMember(&p, topic)
	}
	return p
}

func (d drawer) toMember(p *place, t *model.EventTopic) {
	groups := slices.Sorted(maps.Keys(t.Groups))
	if len(groups) == 0 {
		return
	}
	p.group = pick(d, groups...)
	if members := t.Groups[p.group].Members; len(members) > 0 {
		p.member = pick(d, members...)
	}
}

// toDelivery goes to one that is in flight; where there is none, to the place of
// a cursor.
func (d drawer) toDelivery(p *place, t *model.EventTopic) {
	var places []place
	for _, name := range slices.Sorted(maps.Keys(t.Groups)) {
		for i, cursor := range t.Groups[name].Cursors {
			if cursor.InFlight != model.NoDelivery {
				places = append(places, place{p.topic, name, cursor.Owner, i, cursor.InFlight})
			}
		}
	}
	if len(places) > 0 {
		*p = pick(d, places...)
		return
	}
	d.toMember(p, t)
	if group := t.Groups[p.group]; group != nil {
		p.offset = group.Cursors[p.partition].Committed
	}
}
