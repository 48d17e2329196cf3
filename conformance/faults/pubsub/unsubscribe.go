package pubsub

import (
	"iter"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Leaving, also in the middle of a delivery (PS-08).
var unsubscribing = []fault{
	{
		Name: "snapshot-delivers-after-unsubscribe",
		What: "A drain that is under way still serves who left before its turn came.",
		Case: "pubsub-unsubscribe-a-later-one-from-a-handler",
		Rules: func(r *rules) {
			r.Leave = func(c *cursor, s *subscription) {
				if c.Busy || len(c.Members) > 1 {
					correct.Leave(c, s)
				}
			}
		},
	}, {
		Name: "unsubscribe-in-its-own-handler-after-the-turn",
		What: "Who leaves in its own handler is still given what waits.",
		Case: "pubsub-unsubscribe-itself-on-a-later-message",
		Rules: func(r *rules) {
			r.Leave = func(c *cursor, s *subscription) {
				if !c.Busy || len(c.Members) > 1 {
					correct.Leave(c, s)
				}
			}
		},
	}, {
		Name:   "unsubscribe-in-a-handler-does-nothing",
		What:   "Nobody leaves while a handler runs.",
		Case:   "pubsub-unsubscribe-a-later-one-from-a-handler",
		Around: notInside("unsubscribe", true),
	}, {
		Name:   "unsubscribe-in-a-handler-waits-for-the-end-of-the-drain",
		What:   "Who leaves in a handler is gone when the drain is over.",
		Case:   "pubsub-unsubscribe-a-later-one-from-a-handler",
		Around: afterTheDrain("unsubscribe", true),
	}, {
		Name:  "index-loop-skips-the-neighbour",
		What:  "A drain walks the list of subscriptions by index, so that whoever stands behind one that leaves is passed over.",
		Case:  "field-self-unsubscribe-skips-the-next-subscriber",
		Rules: func(r *rules) { r.Cursors = byIndex },
	}, {
		Name: "walk-ends-where-somebody-left",
		What: "A drain does not go on with a topic from whose list somebody left meanwhile.",
		Case: "pubsub-unsubscribe-an-earlier-one-from-a-handler",
		Rules: func(r *rules) {
			left := false
			r.Leave = func(c *cursor, s *subscription) {
				left = true
				correct.Leave(c, s)
			}
			r.Cursors = until(&left)
		},
	}, {
		Name:  "confirmation-of-one-that-left-not-counted",
		What:  "A drain does not count a message in whose call the subscription left.",
		Case:  "pubsub-unsubscribe-itself-confirming-counts",
		Rules: counting(func(d *delivery, end model.PubSubEnd) bool { return correct.Counts(d, end) && stays(d) }),
	}, {
		Name: "unsubscribe-in-its-own-handler-ends-the-drain-of-the-topic",
		What: "Behind a handler that unsubscribed itself nobody of the topic is served.",
		Case: "pubsub-unsubscribe-twice-in-a-handler",
		Rules: func(r *rules) {
			left := false
			r.GoesOn = func(d *delivery, end model.PubSubEnd) bool {
				left = left || !stays(d)
				return correct.GoesOn(d, end)
			}
			r.Cursors = until(&left)
		},
	}, {
		Name: "unsubscribe-ends-the-name-on-all-topics",
		What: "An unsubscribe ends the subscriptions of that name on other topics, too.",
		Case: "pubsub-same-name-on-two-topics-is-two-subscriptions",
		Around: faults.After(func(p *model.PubSub, c call, result any) any {
			for _, t := range p.Topics {
				if result == true {
					_, _ = faults.PerformOn(p)(c.With(map[string]any{"topic": t.Name}))
				}
			}
			return result
		}, "unsubscribe"),
	}, {
		Name: "unsubscribe-ends-the-whole-topic",
		What: "An unsubscribe ends every subscription of the topic.",
		Case: "pubsub-unsubscribe-between-drains",
		Around: faults.After(func(p *model.PubSub, c call, result any) any {
			if t := topicOf(p, c); result == true {
				for _, s := range t.Subscriptions {
					correct.Leave(s.Cursor, s)
				}
				t.Subscriptions = nil
			}
			return result
		}, "unsubscribe"),
	}, {
		Name:   "unsubscribe-of-the-absent-answers-true",
		What:   "An unsubscribe is true, also where there is no such subscription.",
		Case:   "pubsub-unsubscribe-of-what-is-absent-is-false",
		Around: answers(true, "unsubscribe"),
	}, {
		Name:   "unsubscribe-answers-false",
		What:   "An unsubscribe is false, also where there was one.",
		Case:   "pubsub-unsubscribe-is-true-once",
		Around: answers(false, "unsubscribe"),
	}, {
		Name: "unsubscribe-answers-whether-it-has-caught-up",
		What: "An unsubscribe is false where messages waited.",
		Case: "pubsub-unsubscribe-of-a-message-waiting-for-its-retry",
		Around: func(p *model.PubSub) perform {
			return func(c call) (any, error) {
				s, t := of(p, c), topicOf(p, c)
				result, err := faults.PerformOn(p)(c)
				if c.Op == "unsubscribe" && s != nil && s.Cursor.Next < t.End() {
					result = false
				}
				return result, err
			}
		},
	}, {
		Name:   "unsubscribe-of-the-absent-refused",
		What:   "An unsubscribe of what does not exist is an invalid argument.",
		Case:   "pubsub-unsubscribe-of-what-is-absent-is-false",
		Around: faults.Refuses(absent, "unsubscribe"),
	}, {
		Name: "unsubscribe-delivers-what-waits",
		What: "An unsubscribe first hands out what waits.",
		Case: "pubsub-unsubscribe-of-a-message-waiting-for-its-retry",
		Around: faults.Before(func(p *model.PubSub, c call) {
			if present(p, c) {
				drain(p)
			}
		}, "unsubscribe"),
	},
}

// byIndex looks at the list as it is at every step.
func byIndex(t *topic) iter.Seq[*cursor] {
	return func(yield func(*cursor) bool) {
		for i := 0; i < len(t.Subscriptions); i++ {
			if !yield(t.Subscriptions[i].Cursor) {
				return
			}
		}
	}
}

// until walks as the contract says until this is true; it is false at the
// beginning of each topic.
func until(done *bool) func(*topic) iter.Seq[*cursor] {
	return func(t *topic) iter.Seq[*cursor] {
		return func(yield func(*cursor) bool) {
			*done = false
			for c := range correct.Cursors(t) {
				if *done || !yield(c) {
					return
				}
			}
		}
	}
}

func counting(counts func(*delivery, model.PubSubEnd) bool) func(*rules) {
	return func(r *rules) { r.Counts = counts }
}

// stays: the one called is still subscribed.
func stays(d *delivery) bool { return d.Topic.Subscription(d.To.Name) == d.To }
