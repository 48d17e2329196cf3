package pubsub

import (
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Topics and their logs (PS-01).
var topics = []fault{
	{
		Name: "duplicate-topic-replaces-the-old",
		What: "A duplicate create_topic is false and leaves an empty topic.",
		Case: "pubsub-duplicate-create-keeps-the-log",
		Around: faults.Before(func(p *model.PubSub, c call) {
			if t := topicOf(p, c); t != nil {
				t.Log, t.Subscriptions = nil, nil
			}
		}, "create_topic"),
	}, {
		Name: "duplicate-topic-forgets-the-subscriptions",
		What: "A duplicate create_topic ends all subscriptions.",
		Case: "pubsub-duplicate-create-keeps-the-subscriptions",
		Around: faults.Before(func(p *model.PubSub, c call) {
			if t := topicOf(p, c); t != nil {
				t.Subscriptions = nil
			}
		}, "create_topic"),
	}, {
		Name: "duplicate-topic-keeps-another-number",
		What: "A duplicate create_topic is false and changes how many messages are kept.",
		Case: "pubsub-duplicate-create-does-not-change-the-retention",
		Around: faults.After(func(p *model.PubSub, c call, result any) any {
			if n := c.Number("retain"); result == false && n > 0 {
				topicOf(p, c).Retain = n
			}
			return result
		}, "create_topic"),
	}, {
		Name: "duplicate-topic-keeps-all",
		What: "A duplicate create_topic without a number of messages lets the topic keep all.",
		Case: "pubsub-duplicate-create-without-retain-does-not-lift-it",
		Around: faults.After(func(p *model.PubSub, c call, result any) any {
			if _, given := c.Args["retain"]; result == false && !given {
				topicOf(p, c).Retain = 0
			}
			return result
		}, "create_topic"),
	}, {
		Name:   "duplicate-topic-refused",
		What:   "A duplicate create_topic is an invalid argument.",
		Case:   "pubsub-create-is-true-once",
		Around: faults.Refuses(presentTopic, "create_topic"),
	}, {
		Name:   "duplicate-topic-answers-true",
		What:   "A duplicate create_topic is true.",
		Case:   "pubsub-create-is-true-once",
		Around: answers(true, "create_topic"),
	}, {
		Name:   "publish-to-an-absent-topic-makes-it",
		What:   "A publish to a topic that does not exist makes it.",
		Case:   "pubsub-publish-to-an-absent-topic-is-minus-1",
		Around: faults.Before(makeTopic, "publish"),
	}, {
		Name:   "publish-to-an-absent-topic-makes-it-afterwards",
		What:   "A publish to a topic that does not exist answers -1 and makes it.",
		Case:   "pubsub-publish-to-an-absent-topic-is-minus-1",
		Around: faults.After(func(p *model.PubSub, c call, result any) any { makeTopic(p, c); return result }, "publish"),
	}, {
		Name:   "publish-to-an-absent-topic-refused",
		What:   "A publish to a topic that does not exist is an invalid argument.",
		Case:   "pubsub-publish-to-an-absent-topic-is-minus-1",
		Around: faults.Refuses(absentTopic, "publish"),
	}, {
		Name:   "publish-to-an-absent-topic-answers-0",
		What:   "A publish to a topic that does not exist answers 0.",
		Case:   "pubsub-publish-to-an-absent-topic-is-minus-1",
		Around: whenAbsent(int64(0), "publish"),
	}, {
		Name:   "publish-counts-from-one",
		What:   "The first message gets offset 1 as its answer.",
		Case:   "pubsub-publish-counts-from-0",
		Around: faults.After(func(_ *model.PubSub, _ call, result any) any { return result.(int64) + 1 }, "publish"),
	}, {
		Name: "publish-answers-the-end",
		What: "A publish answers where the next message will be, to subscriptions as well.",
		Case: "pubsub-publish-counts-from-0",
		Around: faults.After(func(p *model.PubSub, c call, result any) any {
			if t := topicOf(p, c); t != nil {
				return t.End()
			}
			return result
		}, "publish"),
	}, {
		Name: "publish-answers-the-number-of-subscribers",
		What: "A publish answers how many subscriptions the topic has.",
		Case: "pubsub-publish-counts-from-0",
		Around: faults.After(func(p *model.PubSub, c call, result any) any {
			if t := topicOf(p, c); t != nil {
				return int64(len(t.Subscriptions))
			}
			return result
		}, "publish"),
	}, {
		Name: "publish-without-subscribers-discarded",
		What: "A message that nobody is subscribed for is not kept and uses no offset up.",
		Case: "pubsub-publish-without-subscribers-keeps-the-message",
		Around: func(p *model.PubSub) perform {
			return func(c call) (any, error) {
				result, err := faults.PerformOn(p)(c)
				if t := topicOf(p, c); c.Op == "publish" && err == nil && t != nil && len(t.Subscriptions) == 0 {
					t.Log = t.Log[:len(t.Log)-1]
				}
				return result, err
			}
		},
	}, {
		Name: "offsets-shared-between-topics",
		What: "Topics number their messages from one counter.",
		Case: "pubsub-topics-count-their-offsets-by-themselves",
		Around: func(p *model.PubSub) perform {
			next := int64(-1)
			return faults.After(func(_ *model.PubSub, _ call, result any) any {
				if result == model.Absent {
					return result
				}
				next++
				return next
			}, "publish")(p)
		},
	}, {
		Name: "payloads-alike-appended-once",
		What: "A payload that is in the log already is not appended again.",
		Case: "pubsub-publish-of-the-same-payload-twice-is-two-messages",
		Around: func(p *model.PubSub) perform {
			return func(c call) (any, error) {
				if t := topicOf(p, c); c.Op == "publish" && t != nil {
					if i := slices.Index(t.Log, c.Text("payload")); i >= 0 {
						return int64(i), nil
					}
				}
				return faults.PerformOn(p)(c)
			}
		},
	}, {
		Name:   "publish-reaches-every-topic",
		What:   "A publish to one topic appends to all of them.",
		Case:   "pubsub-topics-count-their-offsets-by-themselves",
		Around: faults.After(publishElsewhere, "publish"),
	}, {
		Name:   "publish-delivers",
		What:   "A publish calls the handlers at once.",
		Case:   "pubsub-publish-calls-no-handler",
		Around: faults.After(func(p *model.PubSub, _ call, result any) any { drain(p); return result }, "publish"),
	}, {
		Name: "publish-in-a-handler-delivers",
		What: "A publish from inside a handler calls the other handlers at once.",
		Case: "pubsub-drain-takes-what-a-handler-publishes-to-its-own-topic",
		Around: nesting(func(p *model.PubSub, c call, inside bool) (any, error) {
			result, err := faults.PerformOn(p)(c)
			if c.Op == "publish" && inside {
				drain(p)
			}
			return result, err
		}),
	}, {
		Name:   "publish-in-a-handler-is-lost",
		What:   "What a handler publishes is not kept.",
		Case:   "pubsub-drain-takes-what-a-handler-publishes-to-its-own-topic",
		Around: notInside("publish", model.Absent),
	}, {
		Name:   "publish-in-a-handler-waits-for-the-end-of-the-drain",
		What:   "What a handler publishes is appended when the drain is over.",
		Case:   "pubsub-drain-takes-what-a-handler-publishes-to-its-own-topic",
		Around: afterTheDrain("publish", int64(0)),
	}, {
		Name: "last-message-of-a-topic-is-held-back",
		What: "A drain leaves the last message of a topic for the next.",
		Case: "pubsub-drain-takes-everything-that-waits",
		Rules: func(r *rules) {
			r.Waits = func(t *topic, c *cursor) bool {
				return len(c.Members) > 0 && (len(c.Again) > 0 || c.Next < t.End()-1)
			}
		},
	},
}

func makeTopic(p *model.PubSub, c call) {
	if correct.Identifier(c.Text("topic")) {
		_, _ = faults.PerformOn(p)(c.As("create_topic"))
	}
}

func publishElsewhere(p *model.PubSub, c call, result any) any {
	for _, t := range p.Topics {
		if t.Name != c.Text("topic") {
			t.Log = append(t.Log, c.Text("payload"))
		}
	}
	return result
}

func drain(p *model.PubSub) int64 {
	confirmed, _ := p.Call("drain", nil)
	return confirmed.(int64)
}
