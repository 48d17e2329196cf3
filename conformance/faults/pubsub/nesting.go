package pubsub

import (
	"iter"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Drains inside handlers, and one call at a time (PS-05, PS-10).
var nested = []fault{
	{
		Name:   "nested-drain-does-nothing",
		What:   "A drain that a handler calls returns at once.",
		Case:   "pubsub-nested-drain-does-not-end-the-outer",
		Around: notInside("drain", int64(0)),
	}, {
		Name: "nested-drain-shares-the-count",
		What: "What a nested drain saw confirmed is counted by the one around it as well.",
		Case: "pubsub-nested-drain-has-a-count-of-its-own",
		Around: func(p *model.PubSub) perform {
			total := int64(0)
			return nesting(func(p *model.PubSub, c call, inside bool) (any, error) {
				if c.Op == "drain" && !inside {
					total = 0
				}
				result, err := faults.PerformOn(p)(c)
				if c.Op == "drain" {
					total += result.(int64)
					result = total
				}
				return result, err
			})(p)
		},
	}, {
		Name: "nested-drain-shares-the-turns",
		What: "What failed in a nested drain is not offered again by the one around it.",
		Case: "pubsub-nested-drain-failure-is-offered-again-by-the-outer",
		Rules: func(r *rules) {
			drains, failed := 0, map[*cursor]bool{}
			r.Topics = func(p *model.PubSub) iter.Seq[*topic] {
				return func(yield func(*topic) bool) {
					drains++
					defer func() { drains-- }()
					if drains == 1 {
						clear(failed)
					}
					correct.Topics(p)(yield)
				}
			}
			r.Miss = func(d *delivery) {
				failed[d.Cursor] = true
				correct.Miss(d)
			}
			r.MayServe = func(c *cursor) bool { return correct.MayServe(c) && !failed[c] }
		},
	}, {
		Name: "nested-drain-serves-its-own-handler",
		What: "A drain that a handler calls offers it the message that it has.",
		Case: "pubsub-nested-drain-serves-later-ones-before-the-rest-of-its-own",
		Rules: func(r *rules) {
			turns := map[*cursor]int{}
			r.MayServe = func(c *cursor) bool {
				if !c.Busy {
					turns[c] = 0
				}
				turns[c]++
				return turns[c] <= 3
			}
		},
	}, {
		Name: "nested-drain-takes-over-the-rest",
		What: "The drain around a nested one has nothing more to do.",
		Case: "pubsub-nested-drain-failure-is-offered-again-by-the-outer",
		Rules: func(r *rules) {
			drains, over := 0, false
			r.Topics = func(p *model.PubSub) iter.Seq[*topic] {
				return func(yield func(*topic) bool) {
					drains++
					over = false
					correct.Topics(p)(func(t *topic) bool { return !over && yield(t) })
					drains--
					over = drains > 0
				}
			}
			r.MayServe = func(c *cursor) bool { return correct.MayServe(c) && !over }
		},
	}, {
		Name: "nested-drain-leaves-others-busy",
		What: "Who was served by a nested drain is passed over by the one around it, for good.",
		Case: "pubsub-nested-drain-passes-over-its-own-subscription",
		Rules: func(r *rules) {
			drains, served := 0, map[*cursor]bool{}
			r.Topics = func(p *model.PubSub) iter.Seq[*topic] {
				return func(yield func(*topic) bool) {
					drains++
					correct.Topics(p)(yield)
					drains--
					if drains == 0 {
						clear(served)
					}
				}
			}
			r.MayServe = func(c *cursor) bool {
				may := correct.MayServe(c) && !served[c]
				served[c] = served[c] || may && drains > 1
				return may
			}
		},
	}, {
		Name: "busy-by-name",
		What: "A subscription that is made anew while its predecessor is called is passed over until that call ends.",
		Case: "pubsub-nested-drain-serves-one-made-anew-under-the-running-name",
		Rules: func(r *rules) {
			names := map[*cursor]string{}
			r.MayServe = func(c *cursor) bool {
				if !correct.MayServe(c) || len(c.Members) == 0 {
					return false
				}
				name := c.Members[0].Name
				for other, called := range names {
					if other.Busy && called == name {
						return false
					}
				}
				names[c] = name
				return true
			}
		},
	}, {
		Name: "busy-by-topic",
		What: "A nested drain passes over everybody of the topic that is being served.",
		Case: "pubsub-nested-drain-serves-later-ones-before-the-rest-of-its-own",
		Rules: func(r *rules) {
			r.Cursors = func(t *topic) iter.Seq[*cursor] {
				if slices.ContainsFunc(t.Subscriptions, func(s *subscription) bool { return s.Cursor.Busy }) {
					return slices.Values[[]*cursor](nil)
				}
				return correct.Cursors(t)
			}
		},
	}, {
		Name: "failure-leaves-the-subscription-busy",
		What: "A subscription whose handler failed is never served again.",
		Case: "pubsub-failure-by-false-is-offered-again",
		Rules: func(r *rules) {
			stuck := map[*cursor]bool{}
			r.Miss = func(d *delivery) { stuck[d.Cursor] = true; correct.Miss(d) }
			r.MayServe = func(c *cursor) bool { return correct.MayServe(c) && !stuck[c] }
		},
	},
}
