package pubsub

import (
	"iter"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// What the answer of a handler does (PS-03, PS-04, PS-06).
var outcomes = []fault{
	{
		Name:  "offset-moved-before-the-handler",
		What:  "The place moves when the message is handed out, so that one that fails is lost.",
		Case:  "pubsub-offset-is-not-moved-by-a-failure",
		Rules: func(r *rules) { r.Miss = correct.Take },
	}, {
		Name:  "false-confirms",
		What:  "Only what a handler throws is a failure.",
		Case:  "pubsub-failure-by-false-is-offered-again",
		Rules: meaning(func(ret any) bool { return ret != "throw" }),
	}, {
		Name:  "throwing-confirms",
		What:  "What a handler throws is passed over, and confirms the message.",
		Case:  "pubsub-failure-by-exception-is-offered-again",
		Rules: meaning(func(ret any) bool { return ret != false }),
	}, {
		Name:  "outcome-passed-over",
		What:  "A handler confirms, whatever it answers.",
		Case:  "pubsub-failure-by-false-is-offered-again",
		Rules: meaning(func(any) bool { return true }),
	}, {
		Name: "throwing-passes-the-message-over",
		What: "A message over which the handler throws is not offered again, and not counted.",
		Case: "pubsub-failure-by-exception-is-offered-again",
		Rules: func(r *rules) {
			r.Outcome = func(ret any) model.PubSubOutcome {
				if ret == "throw" {
					return model.Filtered
				}
				return correct.Outcome(ret)
			}
		},
	}, {
		Name:  "failure-ends-the-topic",
		What:  "A failure keeps the drain from serving the other subscriptions of the topic.",
		Case:  "pubsub-failure-leaves-the-others-alone",
		Rules: endingAt(),
	}, {
		Name:  "failure-ends-the-drain",
		What:  "A failure keeps the drain from serving anybody else.",
		Case:  "pubsub-failure-leaves-later-topics-alone",
		Rules: endingAt(stopTopics),
	}, {
		Name: "throwing-ends-the-drain",
		What: "What a handler throws ends the drain.",
		Case: "field-throwing-handler-silences-later-subscribers-or-wedges-the-bus",
		Rules: func(r *rules) {
			thrown := false
			r.Outcome = func(ret any) model.PubSubOutcome {
				thrown = ret == "throw"
				return correct.Outcome(ret)
			}
			r.Cursors = until(&thrown)
			stopTopics(r, &thrown)
		},
	}, {
		Name: "failure-tried-again-at-once",
		What: "A message that failed is offered again in the same turn.",
		Case: "pubsub-failure-is-offered-once-a-drain",
		Rules: goingOn(func(d *delivery, end model.PubSubEnd) bool {
			return correct.GoesOn(d, end) || end == model.ByFailing
		}),
	}, {
		Name: "failure-goes-to-the-end-of-the-log",
		What: "A message that failed is appended again, behind all others.",
		Case: "pubsub-failure-offered-before-what-was-published-since",
		Rules: func(r *rules) {
			r.Miss = func(d *delivery) {
				d.Topic.Log = append(d.Topic.Log, d.Payload)
				correct.Take(d)
			}
		},
	}, {
		Name: "failure-takes-the-subscription-back-to-the-beginning",
		What: "After a failure the subscription begins at offset 0 again.",
		Case: "pubsub-failure-of-the-last-message-behind-confirmed-ones",
		Rules: func(r *rules) {
			r.Miss = func(d *delivery) {
				correct.Miss(d)
				d.Cursor.Next = 0
			}
		},
	}, {
		Name: "failure-unsubscribes",
		What: "A handler that fails is unsubscribed.",
		Case: "pubsub-failure-is-offered-once-a-drain",
		Rules: func(r *rules) {
			r.Miss = func(d *delivery) { correct.Disconnect(d.Topic, d.Cursor) }
		},
	}, {
		Name: "failure-holds-up-the-topic",
		What: "Nobody is offered a message behind one that failed elsewhere.",
		Case: "field-slow-subscriber-holds-up-publisher-and-others",
		Rules: func(r *rules) {
			r.Waits = func(t *topic, c *cursor) bool {
				for _, s := range t.Subscriptions {
					if s.Cursor != c && s.Cursor.Attempts > 0 && c.Next > s.Cursor.Next {
						return false
					}
				}
				return correct.Waits(t, c)
			}
		},
	}, {
		Name: "failure-holds-up-publishers",
		What: "Nothing can be published to a topic where a message is to be offered again.",
		Case: "field-slow-subscriber-holds-up-publisher-and-others",
		Around: faults.Refuses(func(p *model.PubSub, c call) bool {
			if t := topicOf(p, c); t != nil {
				for _, s := range t.Subscriptions {
					if s.Cursor.Attempts > 0 {
						return true
					}
				}
			}
			return false
		}, "publish"),
	}, {
		Name: "confirmation-moves-one-too-far",
		What: "A confirmation in whose call something was published moves past it, too.",
		Case: "pubsub-drain-delivers-a-publish-behind-what-waits",
		Rules: func(r *rules) {
			before := map[*cursor]int64{}
			r.Waits = func(t *topic, c *cursor) bool { before[c] = t.End(); return correct.Waits(t, c) }
			r.Take = func(d *delivery) {
				correct.Take(d)
				if c := d.Cursor; d.Letter == nil && before[c] < d.Topic.End() {
					c.Next = min(c.Next+1, d.Topic.End())
				}
			}
		},
	}, {
		Name: "place-moves-when-the-turn-ends",
		What: "What was confirmed in a turn that ended in a failure is offered again.",
		Case: "pubsub-failure-of-the-last-message-behind-confirmed-ones",
		Rules: func(r *rules) {
			began := map[*cursor]int64{}
			r.MayServe = func(c *cursor) bool {
				if may := correct.MayServe(c); !may {
					return false
				}
				began[c] = c.Next
				return true
			}
			r.GoesOn = func(d *delivery, end model.PubSubEnd) bool {
				if end == model.ByFailing && d.Letter == nil {
					d.Cursor.Next = began[d.Cursor]
				}
				return correct.GoesOn(d, end)
			}
		},
	},
}

func meaning(confirms func(ret any) bool) func(*rules) {
	return func(r *rules) {
		r.Outcome = func(ret any) model.PubSubOutcome {
			if confirms(ret) {
				return model.Confirmed
			}
			return model.Failed
		}
	}
}

func goingOn(goesOn func(*delivery, model.PubSubEnd) bool) func(*rules) {
	return func(r *rules) { r.GoesOn = goesOn }
}

// endingAt a failure ends what the walk is at, and more.
func endingAt(more ...func(r *rules, failed *bool)) func(*rules) {
	return func(r *rules) {
		failed := false
		r.Miss = func(d *delivery) {
			correct.Miss(d)
			failed = true
		}
		r.Cursors = until(&failed)
		for _, ends := range more {
			ends(r, &failed)
		}
	}
}

// stopTopics ends the walk over topics, too.
func stopTopics(r *rules, done *bool) {
	r.Topics = func(p *model.PubSub) iter.Seq[*topic] {
		return func(yield func(*topic) bool) {
			*done = false
			for t := range correct.Topics(p) {
				if *done || !yield(t) {
					return
				}
			}
		}
	}
}
