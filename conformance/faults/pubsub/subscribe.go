package pubsub

import (
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Where subscriptions begin and what their names mean (PS-02).
var subscribing = []fault{
	{
		Name:  "subscription-starts-at-the-beginning",
		What:  "A new subscription begins at offset 0.",
		Case:  "pubsub-subscribe-starts-at-the-end",
		Rules: func(r *rules) { r.Start = func(*topic) int64 { return 0 } },
	}, {
		Name:  "subscription-starts-at-the-earliest-kept",
		What:  "A new subscription begins at the earliest message that a topic of a few messages keeps.",
		Case:  "pubsub-retain-seek-before-the-earliest-is-invalid-not-moved",
		Rules: func(r *rules) { r.Start = startingAt(func(t *topic) int64 { return correct.Earliest(t) }) },
	}, {
		Name:  "subscription-starts-at-the-last-message",
		What:  "A new subscription is given the last message that was published before it.",
		Case:  "pubsub-subscribe-starts-at-the-end",
		Rules: func(r *rules) { r.Start = func(t *topic) int64 { return max(0, t.End()-1) } },
	}, {
		Name: "subscription-in-a-handler-starts-at-the-message",
		What: "What subscribes inside a handler is given the message that the handler has.",
		Case: "pubsub-drain-leaves-a-subscription-made-on-the-same-topic",
		Around: nesting(func(p *model.PubSub, c call, inside bool) (any, error) {
			result, err := faults.PerformOn(p)(c)
			if s := of(p, c); inside && err == nil && c.Op == "subscribe" && len(s.Cursor.Members) == 1 {
				s.Cursor.Next = max(0, s.Cursor.Next-1)
			}
			return result, err
		}),
	}, {
		Name:   "subscribing-in-a-handler-does-nothing",
		What:   "Nobody subscribes while a handler runs.",
		Case:   "pubsub-drain-takes-a-subscription-made-on-a-later-topic",
		Around: notInside("subscribe", nil),
	}, {
		Name:   "subscribing-to-an-absent-topic-makes-it",
		What:   "A subscription to a topic that does not exist makes it.",
		Case:   "pubsub-subscribe-to-an-absent-topic-is-invalid",
		Around: faults.Before(makeTopic, "subscribe"),
	}, {
		Name:   "subscribing-to-an-absent-topic-passed-over",
		What:   "A subscription to a topic that does not exist does nothing and succeeds.",
		Case:   "pubsub-subscribe-to-an-absent-topic-is-invalid",
		Around: faults.Answers(nil, absentTopic, "subscribe"),
	}, {
		Name: "subscribing-again-replaces-the-subscription",
		What: "A name in use is taken by the one that subscribes last.",
		Case: "pubsub-subscribe-under-a-name-in-use-takes-no-second-place",
		Around: faults.Before(func(p *model.PubSub, c call) {
			if present(p, c) {
				_, _ = faults.PerformOn(p)(c.As("unsubscribe"))
			}
		}, "subscribe"),
	}, {
		Name: "subscribing-again-replaces-the-handler",
		What: "A name in use keeps its place and takes the new handler.",
		Case: "pubsub-subscribe-under-a-name-in-use-is-invalid",
		Around: faults.Refusing(func(p *model.PubSub, c call) {
			if s := of(p, c); s != nil {
				s.Handler = nil
			}
		}, "subscribe"),
	}, {
		Name:   "subscribing-again-passed-over",
		What:   "A name in use stays as it is, and its second subscription succeeds.",
		Case:   "pubsub-subscribe-under-a-name-in-use-takes-no-second-place",
		Around: faults.Answers(nil, present, "subscribe"),
	}, {
		Name: "subscribing-again-moves-to-the-end",
		What: "A refused second subscription moves the first to the end of the log.",
		Case: "pubsub-subscribe-under-a-name-in-use-is-invalid",
		Around: faults.Refusing(func(p *model.PubSub, c call) {
			if s := of(p, c); s != nil {
				s.Cursor.Next = topicOf(p, c).End()
			}
		}, "subscribe"),
	}, {
		Name: "names-shared-between-topics",
		What: "A name that is in use on one topic is refused on all others.",
		Case: "pubsub-same-name-on-two-topics-is-two-subscriptions",
		Around: faults.Refuses(func(p *model.PubSub, c call) bool {
			return slices.ContainsFunc(p.Topics, func(t *topic) bool { return t.Subscription(c.Text("name")) != nil })
		}, "subscribe"),
	}, {
		Name: "name-stays-in-use",
		What: "A name that was unsubscribed cannot subscribe again.",
		Case: "pubsub-subscribe-again-after-the-end-starts-at-the-end",
		Around: func(p *model.PubSub) perform {
			used := map[string]bool{}
			seen := faults.After(func(_ *model.PubSub, c call, result any) any { used[key(c)] = true; return result }, "subscribe")(p)
			return func(c call) (any, error) {
				if c.Op == "subscribe" && used[key(c)] {
					return nil, &model.InvalidArgument{Argument: "name", Reason: "was in use"}
				}
				return seen(c)
			}
		},
	}, {
		Name:   "subscribing-again-goes-on-at-the-old-place",
		What:   "A name that subscribes again begins where it stood when it unsubscribed.",
		Case:   "pubsub-subscribe-again-after-the-end-starts-at-the-end",
		Around: remembering(func(s *subscription, old *cursor) { s.Cursor.Next = old.Next }),
	}, {
		Name:   "subscribing-again-keeps-the-failed-tries",
		What:   "A name that subscribes again has the failed tries that it had when it unsubscribed.",
		Case:   "pubsub-name-made-anew-has-all-its-tries",
		Around: remembering(func(s *subscription, old *cursor) { s.Cursor.Attempts = old.Attempts }),
	}, {
		Name:   "subscribing-again-brings-dead-letters-back",
		What:   "A name that subscribes again has the dead letters that it had when it unsubscribed.",
		Case:   "pubsub-subscribe-again-after-the-end-starts-at-the-end",
		Around: remembering(func(s *subscription, old *cursor) { s.Cursor.Parked = old.Parked }),
	}, {
		Name: "subscribing-again-takes-the-old-place-in-the-order",
		What: "A name that subscribes again is served where it was before.",
		Case: "pubsub-subscribe-again-is-behind-the-others",
		Around: func(p *model.PubSub) perform {
			first := map[string]int{}
			return faults.After(func(p *model.PubSub, c call, result any) any {
				if _, seen := first[key(c)]; !seen {
					first[key(c)] = len(first)
				}
				t := topicOf(p, c)
				slices.SortStableFunc(t.Subscriptions, func(a, b *subscription) int {
					return first[t.Name+" "+a.Name] - first[t.Name+" "+b.Name]
				})
				return result
			}, "subscribe")(p)
		},
	}, {
		Name: "place-shared-by-the-topic",
		What: "All subscriptions of a topic have one place.",
		Case: "pubsub-drain-of-subscriptions-at-different-places",
		Rules: func(r *rules) {
			r.Take = func(d *delivery) {
				correct.Take(d)
				for _, s := range d.Topic.Subscriptions {
					s.Cursor.Next = d.Cursor.Next
				}
			}
		},
	}, {
		Name: "subscriptions-more-than-32-refused",
		What: "A topic may have 32 subscriptions.",
		Case: "pubsub-long-list-of-subscriptions",
		Around: faults.Refuses(func(p *model.PubSub, c call) bool {
			t := topicOf(p, c)
			return t != nil && len(t.Subscriptions) >= 32
		}, "subscribe"),
	},
}

func startingAt(start func(*topic) int64) func(*topic) int64 {
	return func(t *topic) int64 {
		if t.Retain == 0 {
			return correct.Start(t)
		}
		return start(t)
	}
}

// key names a subscription among all topics.
func key(c call) string { return c.Text("topic") + " " + c.Text("name") }

// remembering gives a name that subscribes again something of what it was.
func remembering(restore func(s *subscription, old *cursor)) func(*model.PubSub) perform {
	return func(p *model.PubSub) perform {
		old := map[string]*cursor{}
		return func(c call) (any, error) {
			if s := of(p, c); s != nil && c.Op == "unsubscribe" {
				old[key(c)] = s.Cursor
			}
			result, err := faults.PerformOn(p)(c)
			if before := old[key(c)]; err == nil && c.Op == "subscribe" && before != nil {
				restore(of(p, c), before)
			}
			return result, err
		}
	}
}
