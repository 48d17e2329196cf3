package message

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Where a group starts, and what groups share (MB-04, MB-09).
var groups = []fault{
	{
		Name:  "new-group-starts-at-the-end",
		What:  "A new group sees only what is published after it came.",
		Case:  "message-new-group-starts-at-offset-0",
		Rules: starting(func(topic *model.MessageTopic) int64 { return int64(len(topic.Log)) }),
	}, {
		Name:  "new-group-starts-at-the-latest",
		What:  "A new group starts at the last message.",
		Case:  "message-new-group-starts-at-offset-0",
		Rules: starting(func(topic *model.MessageTopic) int64 { return max(0, int64(len(topic.Log))-1) }),
	}, {
		Name: "new-group-starts-where-another-stands",
		What: "A new group starts as far as the one that is ahead of all.",
		Case: "message-group-that-comes-late-starts-at-0",
		Rules: starting(func(topic *model.MessageTopic) int64 {
			furthest := int64(0)
			for _, g := range topic.Groups {
				furthest = max(furthest, g.Offset)
			}
			return furthest
		}),
	}, {
		Name:  "groups-share-everything",
		What:  "All groups of a topic are one.",
		Case:  "message-groups-each-get-every-message",
		Hears: oneGroup("poll", "ack", "nack", "dead_letters"),
	}, {
		Name: "groups-share-the-cursor",
		What: "An ack moves the other groups past the message too.",
		Case: "message-nack-of-one-group-leaves-the-other-in-flight",
		Around: toOthers(func(mine, other *group) {
			other.Offset, other.Attempts, other.InFlight = mine.Offset, mine.Attempts, mine.InFlight
		}, "ack"),
	}, {
		Name: "groups-share-the-attempts",
		What: "A nack counts the attempt in the other groups that stand at the message too.",
		Case: "message-walk-with-late-and-repeated-answers",
		Around: toOthers(func(mine, other *group) {
			if mine.Offset == other.Offset {
				other.Attempts = mine.Attempts
			}
		}, "nack"),
	}, {
		Name:   "nack-clears-in-every-group",
		What:   "A nack clears the deliveries of the other groups too.",
		Case:   "message-nack-of-one-group-leaves-the-other-in-flight",
		Around: toOthers(func(_, other *group) { other.InFlight = false }, "nack"),
	}, {
		Name: "groups-alike-in-two-topics",
		What: "A group of one name stands at the same place in every topic.",
		Case: "message-group-of-the-same-name-on-two-topics",
		Around: faults.Before(func(m *model.Message, c call) {
			mine := groupOf(m, c)
			for _, topic := range m.Topics {
				if other := topic.Groups[c.Text("group")]; other != nil && mine == nil && m.Topics[c.Text("topic")] != nil {
					m.Topics[c.Text("topic")].Groups[c.Text("group")] = &group{Offset: min(other.Offset, int64(len(m.Topics[c.Text("topic")].Log)))}
				}
			}
		}, "poll"),
	}, {
		Name: "message-delivered-to-one-group",
		What: "A message in flight in one group is hidden from the others.",
		Case: "message-groups-hold-deliveries-apart",
		Around: func(m *model.Message) perform {
			return func(c call) (any, error) {
				if topic := m.Topics[c.Text("topic")]; c.Op == "poll" && topic != nil {
					for name, other := range topic.Groups {
						if name != c.Text("group") && other.InFlight && correct.Identifier(c.Text("group")) {
							return nil, nil
						}
					}
				}
				return faults.PerformOn(m)(c)
			}
		},
	},
}

func starting(start func(*model.MessageTopic) int64) func(*model.MessageRules) {
	return func(r *model.MessageRules) { r.Start = start }
}

// oneGroup has every good name of these operations mean the same group.
func oneGroup(ops ...string) func(*call) {
	return func(c *call) {
		for _, op := range ops {
			if c.Op == op && correct.Identifier(c.Text("group")) {
				c.Args["group"] = "g"
			}
		}
	}
}

// toOthers does something to the other groups of a topic when one of these
// operations succeeded.
func toOthers(do func(mine, other *group), ops ...string) func(*model.Message) perform {
	return after(func(m *model.Message, mine *group, c call, result any) any {
		if result != true {
			return result
		}
		for _, other := range m.Topics[c.Text("topic")].Groups {
			if other != mine {
				do(mine, other)
			}
		}
		return result
	}, ops...)
}
