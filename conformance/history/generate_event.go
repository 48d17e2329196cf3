package history

import (
	"math/rand/v2"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// eventMixes are what a history presses on, a mix each.
var eventMixes = [][]weight{
	{{"publish", 4}, {"poll", 4}, {"ack", 4}, {"retry", 1}, {"join", 1}, {"leave", 1}, {"create", 1}},
	{{"publish", 6}, {"poll", 4}, {"ack", 6}, {"retry", 1}},                                                                  // room
	{{"publish", 2}, {"poll", 5}, {"ack", 4}, {"retry", 4}},                                                                  // deliveries
	{{"publish", 2}, {"poll", 4}, {"ack", 3}, {"retry", 2}, {"join", 4}, {"leave", 3}},                                       // membership
	{{"publish", 4}, {"poll", 6}, {"ack", 3}, {"retry", 4}, {"join", 1}, {"leave", 1}},                                       // the order of partitions
	{{"publish_many", 4}, {"publish", 1}, {"poll", 6}, {"ack_many", 4}, {"ack", 1}, {"retry", 1}, {"join", 1}, {"leave", 1}}, // batches
	{{"publish_many", 5}, {"publish", 3}, {"poll", 4}, {"ack_many", 5}, {"retry", 1}},                                        // ... and room
	{{"publish", 4}, {"poll", 3}, {"ack", 3}, {"join", 5}, {"leave", 1}, {"create", 3}},                                      // beginnings
}

// An eventGenerator draws for one history.
type eventGenerator struct {
	*model.Event
	drawer
	partitions int64
	groups     []string
	members    []string
}

func newEventGenerator(m *model.Event, random *rand.Rand) *eventGenerator {
	g := &eventGenerator{Event: m, drawer: drawer{Rand: random}}
	g.mix = pick(&g.drawer, eventMixes...)
	g.partitions = pick[int64](&g.drawer, 1, 1, 2, 3, 4, 12)
	g.groups = pick(&g.drawer, []string{"g"}, []string{"g", "h"})
	g.members = []string{"a", "b", "c"}[:1+g.IntN(3)]
	return g
}

// begin has a topic with members, who have something to do.
func (g *eventGenerator) begin(do func(op string, args ...any)) {
	do("create", "t", g.partitions)
	for _, group := range g.groups {
		do("join", "t", group, g.members[0])
	}
	for p := range g.partitions {
		if g.chance(50) {
			do("publish", "t", p, g.payload())
		}
	}
	if g.chance(50) {
		do("poll", "t", g.groups[0], g.members[0], int64(64))
	}
}

func (g *eventGenerator) draw() corpus.Call {
	op := g.weighted(g.mix)
	topic := g.topic(op == "create", func(name string) bool { return g.Topics[name] != nil })
	return corpus.Call{Op: op, Args: append([]any{topic}, g.arguments(op, topic)...)}
}

func (g *eventGenerator) arguments(op, topic string) []any {
	group, member := pick(&g.drawer, g.groups...), pick(&g.drawer, g.members...)
	switch op {
	case "create":
		return []any{g.partitions}
	case "publish":
		return []any{g.Int64N(g.partitions), g.payload()}
	case "publish_many":
		return []any{g.messages()}
	case "ack_many":
		return g.deliveries(topic, group, member)
	case "poll":
		return []any{group, member, pick[int64](&g.drawer, 1, 2, 64, 64)}
	case "ack", "retry":
		return g.delivery(topic, group, member)
	}
	return []any{group, member}
}

// delivery names one that is in flight, mostly.
func (g *eventGenerator) delivery(topic, group, member string) []any {
	p := g.Int64N(g.partitions)
	cursors := g.cursors(topic, group)
	if cursors == nil {
		return []any{group, member, p, int64(0)}
	}
	for range g.partitions {
		if cursors[p].InFlight != model.NoDelivery {
			break
		}
		p = (p + 1) % g.partitions
	}
	if cursors[p].Owner != "" && g.chance(90) {
		member = cursors[p].Owner
	}
	return []any{group, member, p, g.behind(cursors[p].Committed)}
}

// cursors are none where the topic or the group is not there yet.
func (g *eventGenerator) cursors(topic, group string) []model.EventCursor {
	if t := g.Topics[topic]; t != nil && t.Groups[group] != nil {
		return t.Groups[group].Cursors
	}
	return nil
}

// messages are for several partitions, mostly, and for one of them twice now and
// then.
func (g *eventGenerator) messages() []any {
	var list []any
	for _, p := range g.Perm(int(g.partitions))[:min(3, int(g.partitions))] {
		list = append(list, []any{int64(p), g.payload()})
		if g.chance(25) {
			list = append(list, []any{int64(p), g.payload()})
		}
	}
	return list
}

// deliveries names what a member has in flight, mostly, and at least one place.
func (g *eventGenerator) deliveries(topic, group, member string) []any {
	first := g.delivery(topic, group, member)
	group, member = first[0].(string), first[1].(string)
	list := []any{first[2:]}
	for p, cursor := range g.cursors(topic, group) {
		if cursor.InFlight != model.NoDelivery && cursor.Owner == member && len(list) < 4 {
			list = append(list, []any{int64(p), g.behind(cursor.Committed)})
		}
	}
	return []any{group, member, list}
}
