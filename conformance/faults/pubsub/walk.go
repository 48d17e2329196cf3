package pubsub

import (
	"cmp"
	"iter"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Whom a drain serves, in which order (PS-05).
var walks = []fault{
	{
		Name:  "topics-in-reverse",
		What:  "A drain begins with the topic that was created last.",
		Case:  "pubsub-drain-goes-through-topics-in-the-order-they-were-created",
		Rules: walkingTopics(func(all []*topic) { slices.Reverse(all) }),
	}, {
		Name: "topics-by-name",
		What: "A drain takes the topics by their names.",
		Case: "pubsub-drain-goes-through-topics-in-the-order-they-were-created",
		Rules: walkingTopics(func(all []*topic) {
			slices.SortFunc(all, func(a, b *topic) int { return cmp.Compare(a.Name, b.Name) })
		}),
	}, {
		Name:  "subscriptions-in-reverse",
		What:  "A drain begins with who subscribed last.",
		Case:  "pubsub-drain-goes-through-subscriptions-in-the-order-they-subscribed",
		Rules: walkingSubscriptions(func(all []*subscription) { slices.Reverse(all) }),
	}, {
		Name: "subscriptions-by-name",
		What: "A drain takes the subscriptions by their names.",
		Case: "pubsub-drain-goes-through-subscriptions-in-the-order-they-subscribed",
		Rules: walkingSubscriptions(func(all []*subscription) {
			slices.SortStableFunc(all, func(a, b *subscription) int { return cmp.Compare(a.Name, b.Name) })
		}),
	}, {
		Name: "new-subscriber-served-in-the-running-topic",
		What: "A drain goes on to subscriptions that were made while their topic had its turn.",
		Case: "pubsub-drain-leaves-a-subscription-made-on-the-same-topic",
		Rules: func(r *rules) {
			r.Cursors = func(t *topic) iter.Seq[*cursor] { return growing(correct.Cursors(t), t) }
		},
	}, {
		Name: "new-topic-walked-in-the-running-drain",
		What: "A drain goes on to topics that were made while it ran.",
		Case: "pubsub-drain-leaves-a-topic-created-by-a-handler",
		Rules: func(r *rules) {
			r.Topics = func(p *model.PubSub) iter.Seq[*topic] {
				return func(yield func(*topic) bool) {
					for i := 0; i < len(p.Topics); i++ {
						if !yield(p.Topics[i]) {
							return
						}
					}
				}
			}
		},
	}, {
		Name: "subscriptions-as-of-the-begin-of-the-drain",
		What: "A drain passes over subscriptions that were made before their topic had its turn.",
		Case: "pubsub-drain-takes-a-subscription-made-on-a-later-topic",
		Rules: func(r *rules) {
			known := map[*cursor]bool{}
			r.Topics = func(p *model.PubSub) iter.Seq[*topic] {
				for _, t := range p.Topics {
					for c := range correct.Cursors(t) {
						known[c] = true
					}
				}
				return correct.Topics(p)
			}
			r.MayServe = func(c *cursor) bool { return correct.MayServe(c) && known[c] }
		},
	}, {
		Name: "only-the-first-topic-drained",
		What: "A drain serves one topic, the first in which something waits.",
		Case: "pubsub-failure-leaves-later-topics-alone",
		Rules: func(r *rules) {
			r.Topics = func(p *model.PubSub) iter.Seq[*topic] {
				for t := range correct.Topics(p) {
					for c := range correct.Cursors(t) {
						if correct.Waits(t, c) {
							return slices.Values([]*topic{t})
						}
					}
				}
				return correct.Topics(p)
			}
		},
	}, {
		Name:  "first-subscription-alone-served",
		What:  "A message goes to the first subscription of the topic only, as in a queue.",
		Case:  "pubsub-drain-delivers-to-every-subscription",
		Rules: servingOnly(func(t *topic, c *cursor) bool { return t.Subscriptions[0].Cursor == c }),
	}, {
		Name:  "last-subscription-alone-served",
		What:  "The subscription that was made last replaces those of the topic.",
		Case:  "pubsub-drain-delivers-to-every-subscription",
		Rules: servingOnly(func(t *topic, c *cursor) bool { return t.Subscriptions[len(t.Subscriptions)-1].Cursor == c }),
	}, {
		Name: "one-message-a-turn",
		What: "A drain gives each subscription one message.",
		Case: "pubsub-drain-takes-everything-that-waits",
		Rules: func(r *rules) {
			r.GoesOn = func(*delivery, model.PubSubEnd) bool { return false }
		},
	}, {
		Name:   "message-by-message",
		What:   "A drain gives each subscription one message, and begins anew until nothing more comes of it.",
		Case:   "pubsub-drain-serves-one-subscription-to-its-end-before-the-next",
		Rules:  func(r *rules) { r.GoesOn = func(*delivery, model.PubSubEnd) bool { return false } },
		Around: untilNothing,
	}, {
		Name:  "messages-published-meanwhile-left-for-the-next-drain",
		What:  "A turn ends with the last message that was there when it began.",
		Case:  "pubsub-drain-follows-a-chain-of-publishes",
		Rules: upToTheEndOf(func(r *rules, note func(*topic)) { r.Cursors = noting(note) }),
	}, {
		Name: "messages-published-in-the-drain-left-for-the-next",
		What: "A drain hands out what was there when it began.",
		Case: "pubsub-drain-takes-a-message-published-while-another-was-served",
		Rules: upToTheEndOf(func(r *rules, note func(*topic)) {
			r.Topics = func(p *model.PubSub) iter.Seq[*topic] {
				for _, t := range p.Topics {
					note(t)
				}
				return correct.Topics(p)
			}
		}),
	}, {
		Name:   "drain-until-nothing-more-is-confirmed",
		What:   "A drain begins anew until it confirms nothing more.",
		Case:   "pubsub-drain-leaves-what-a-handler-publishes-to-an-earlier-topic",
		Around: untilNothing,
	}, {
		Name:   "drain-answers-null",
		What:   "A drain returns nothing.",
		Case:   "pubsub-drain-of-nothing-is-0",
		Around: answers(nil, "drain"),
	}, {
		Name:  "drain-counts-every-call",
		What:  "A drain counts failures as well.",
		Case:  "pubsub-drain-counts-confirmations-not-calls",
		Rules: counting(func(_ *delivery, end model.PubSubEnd) bool { return end != model.ByFiltering }),
	}, {
		Name: "drain-counts-parked-messages",
		What: "A drain counts the messages that it gives up.",
		Case: "pubsub-limit-1-parks-at-the-first-failure",
		Rules: counting(func(d *delivery, end model.PubSubEnd) bool {
			return correct.Counts(d, end) || end == model.ByParking
		}),
	}, {
		Name: "drain-counts-a-message-once",
		What: "A drain counts a message once, whoever confirms it.",
		Case: "pubsub-drain-delivers-to-every-subscription",
		Rules: func(r *rules) {
			type message struct {
				t      *topic
				offset int64
			}
			seen := map[message]bool{}
			r.Counts = func(d *delivery, end model.PubSubEnd) bool {
				m := message{d.Topic, d.Offset}
				counts := correct.Counts(d, end) && !seen[m]
				seen[m] = seen[m] || counts
				return counts
			}
		},
	}, {
		Name: "drain-answers-the-number-of-subscriptions-served",
		What: "A drain counts subscriptions, not messages.",
		Case: "pubsub-drain-takes-everything-that-waits",
		Rules: func(r *rules) {
			var last *cursor
			r.Cursors = func(t *topic) iter.Seq[*cursor] {
				last = nil
				return correct.Cursors(t)
			}
			r.Counts = func(d *delivery, end model.PubSubEnd) bool {
				counts := correct.Counts(d, end) && d.Cursor != last
				last = d.Cursor
				return counts
			}
		},
	}, {
		Name: "drain-counts-from-the-beginning",
		What: "A drain answers how many messages were confirmed since the broker was made.",
		Case: "pubsub-drain-takes-everything-that-waits",
		Around: func(p *model.PubSub) perform {
			total := int64(0)
			return faults.After(func(_ *model.PubSub, _ call, result any) any {
				total += result.(int64)
				return total
			}, "drain")(p)
		},
	}, {
		Name: "empty-payload-not-delivered",
		What: "A message without a byte is passed over.",
		Case: "pubsub-payload-empty-is-valid",
		Around: faults.Before(func(p *model.PubSub, _ call) {
			for _, t := range p.Topics {
				for c := range correct.Cursors(t) {
					for c.Next < t.End() && t.Log[c.Next] == "" {
						c.Next++
					}
				}
			}
		}, "drain"),
	},
}

func walkingTopics(order func([]*topic)) func(*rules) {
	return func(r *rules) {
		r.Topics = func(p *model.PubSub) iter.Seq[*topic] {
			all := slices.Clone(p.Topics)
			order(all)
			return slices.Values(all)
		}
	}
}

func walkingSubscriptions(order func([]*subscription)) func(*rules) {
	return func(r *rules) {
		r.Cursors = func(t *topic) iter.Seq[*cursor] {
			other := *t
			other.Subscriptions = slices.Clone(t.Subscriptions)
			order(other.Subscriptions)
			return correct.Cursors(&other)
		}
	}
}

// servingOnly some: the others have caught up whatever happens.
func servingOnly(some func(*topic, *cursor) bool) func(*rules) {
	return func(r *rules) {
		r.Cursors = func(t *topic) iter.Seq[*cursor] {
			var served []*cursor
			for c := range correct.Cursors(t) {
				if some(t, c) {
					served = append(served, c)
				} else {
					c.Next = t.End()
				}
			}
			return slices.Values(served)
		}
	}
}

// growing walks a list, and then those of the topic that came meanwhile.
func growing(list iter.Seq[*cursor], t *topic) iter.Seq[*cursor] {
	return func(yield func(*cursor) bool) {
		done := map[*cursor]bool{}
		for c := range list {
			done[c] = true
			if !yield(c) {
				return
			}
		}
		for i := 0; i < len(t.Subscriptions); i++ {
			if c := t.Subscriptions[i].Cursor; !done[c] {
				done[c] = true
				if !yield(c) {
					return
				}
			}
		}
	}
}

// upToTheEndOf offers nothing behind the end of a topic's log as it was when it
// was noted.
func upToTheEndOf(when func(r *rules, note func(*topic))) func(*rules) {
	return func(r *rules) {
		ends := map[*topic]int64{}
		when(r, func(t *topic) { ends[t] = t.End() })
		r.Waits = func(t *topic, c *cursor) bool {
			return correct.Waits(t, c) && (len(c.Again) > 0 || c.Next < ends[t])
		}
	}
}

// noting walks as the contract says, and notes the topic before each turn.
func noting(note func(*topic)) func(*topic) iter.Seq[*cursor] {
	return func(t *topic) iter.Seq[*cursor] {
		return func(yield func(*cursor) bool) {
			for c := range correct.Cursors(t) {
				note(t)
				if !yield(c) {
					return
				}
			}
		}
	}
}

// untilNothing drains until a drain confirms nothing.
func untilNothing(p *model.PubSub) perform {
	return faults.After(func(p *model.PubSub, _ call, result any) any {
		total := result.(int64)
		for n := total; n > 0; total += n {
			n = drain(p)
		}
		return total
	}, "drain")(p)
}
