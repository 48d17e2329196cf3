package history

import (
	"math/rand/v2"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/model"
)

var messageMixes = [][]weight{
	{{"publish", 4}, {"poll", 4}, {"ack", 4}, {"nack", 3}, {"dead_letters", 1}, {"create_topic", 1}},
	{{"publish", 2}, {"poll", 4}, {"ack", 2}, {"nack", 6}, {"dead_letters", 2}}, // attempts
	{{"publish", 5}, {"poll", 5}, {"ack", 5}, {"nack", 1}},                      // the log
	{{"publish", 6}, {"poll", 4}, {"ack", 2}, {"create_topic", 4}},              // beginnings
}

// A messageGenerator draws for one history.
type messageGenerator struct {
	*model.Message
	drawer
	groups []string
}

func newMessageGenerator(m *model.Message, random *rand.Rand) *messageGenerator {
	g := &messageGenerator{Message: m, drawer: drawer{Rand: random}}
	g.mix = pick(&g.drawer, messageMixes...)
	g.groups = pick(&g.drawer, []string{"g"}, []string{"g", "h"})
	return g
}

func (g *messageGenerator) begin(do func(op string, args ...any)) {
	do("create_topic", "t")
	for range g.IntN(3) {
		do("publish", "t", g.payload())
	}
	for _, group := range g.groups {
		do("poll", "t", group)
	}
}

func (g *messageGenerator) draw() corpus.Call {
	op := g.weighted(g.mix)
	topic := g.topic(op == "create_topic", func(name string) bool { return g.Topics[name] != nil })
	return corpus.Call{Op: op, Args: append([]any{topic}, g.arguments(op, topic)...)}
}

func (g *messageGenerator) arguments(op, topic string) []any {
	name := pick(&g.drawer, g.groups...)
	group := g.group(topic, name)
	switch op {
	case "create_topic":
		return nil
	case "publish":
		return []any{g.payload()}
	case "ack", "nack":
		attempt := max(1, group.Attempts)
		if g.chance(20) {
			attempt = 1 + g.Int64N(g.MaxAttempts)
		}
		return []any{name, g.behind(group.Offset), attempt}
	}
	return []any{name}
}

// group stands at the beginning where it or the topic is not there yet.
func (g *messageGenerator) group(topic, name string) model.MessageGroup {
	if t := g.Topics[topic]; t != nil && t.Groups[name] != nil {
		return *t.Groups[name]
	}
	return model.MessageGroup{}
}
