package message

import (
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Topics and their logs (MB-02, MB-03).
var topics = []fault{
	{
		Name:   "duplicate-topic-replaces-the-old",
		What:   "A duplicate create_topic is false and leaves an empty topic.",
		Case:   "message-duplicate-create-keeps-the-log",
		Around: faults.Before(func(m *model.Message, c call) { delete(m.Topics, c.Text("topic")) }, "create_topic"),
	}, {
		Name: "duplicate-topic-forgets-the-groups",
		What: "A duplicate create_topic takes all groups back to the beginning.",
		Case: "message-duplicate-create-keeps-deliveries",
		Around: faults.Before(func(m *model.Message, c call) {
			if topic := m.Topics[c.Text("topic")]; topic != nil {
				clear(topic.Groups)
			}
		}, "create_topic"),
	}, {
		Name:   "duplicate-topic-refused",
		What:   "A duplicate create_topic is an invalid argument.",
		Case:   "message-create-is-true-once",
		Around: faults.Refuses(func(m *model.Message, c call) bool { return m.Topics[c.Text("topic")] != nil }, "create_topic"),
	}, {
		Name:   "duplicate-topic-answers-true",
		What:   "A duplicate create_topic is true.",
		Case:   "message-create-is-true-once",
		Around: faults.After(func(*model.Message, call, any) any { return true }, "create_topic"),
	}, {
		Name:   "publish-counts-from-one",
		What:   "The first message gets offset 1 as its answer.",
		Case:   "message-offsets-count-from-0",
		Around: faults.After(func(_ *model.Message, _ call, result any) any { return result.(int64) + 1 }, "publish"),
	}, {
		Name: "offsets-shared-between-topics",
		What: "Topics number their messages from one counter.",
		Case: "message-topics-count-their-offsets-by-themselves",
		Around: func(m *model.Message) perform {
			next := int64(-1)
			return faults.After(func(_ *model.Message, _ call, _ any) any { next++; return next }, "publish")(m)
		},
	}, {
		Name: "payloads-alike-appended-once",
		What: "A payload that is in the log already is not appended again.",
		Case: "message-equal-payloads-are-two-messages",
		Around: func(m *model.Message) perform {
			return func(c call) (any, error) {
				if topic := m.Topics[c.Text("topic")]; c.Op == "publish" && topic != nil {
					if i := slices.Index(topic.Log, c.Text("payload")); i >= 0 {
						return int64(i), nil
					}
				}
				return faults.PerformOn(m)(c)
			}
		},
	}, {
		Name: "log-shared-between-topics",
		What: "All topics have one log.",
		Case: "message-topics-count-their-offsets-by-themselves",
		Around: func(m *model.Message) perform {
			shared := []string(nil)
			return func(c call) (any, error) {
				topic := m.Topics[c.Text("topic")]
				if topic != nil {
					topic.Log = shared
				}
				result, err := faults.PerformOn(m)(c)
				if topic != nil {
					shared = topic.Log
				}
				return result, err
			}
		},
	}, {
		Name: "log-trimmed-after-ack",
		What: "A message that a group has acknowledged is gone for groups that come later.",
		Case: "message-log-is-kept-after-every-ack",
		Around: func(m *model.Message) perform {
			return faults.Before(func(m *model.Message, c call) {
				if absentGroup(m, c) {
					start := slowest(m.Topics[c.Text("topic")])
					m.Topics[c.Text("topic")].Groups[c.Text("group")] = &group{Offset: start}
				}
			}, "poll")(m)
		},
	}, {
		Name: "log-keeps-100-messages",
		What: "A log that has 100 messages takes no more.",
		Case: "message-log-of-150",
		Around: faults.Before(func(m *model.Message, c call) {
			if topic := m.Topics[c.Text("topic")]; topic != nil && len(topic.Log) >= 100 {
				topic.Log = topic.Log[:99]
			}
		}, "publish"),
	},
}

// slowest is how far all groups of a topic have come.
func slowest(topic *model.MessageTopic) int64 {
	if len(topic.Groups) == 0 {
		return 0
	}
	least := int64(len(topic.Log))
	for _, g := range topic.Groups {
		least = min(least, g.Offset)
	}
	return least
}
