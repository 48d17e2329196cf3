package pubsub

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Filters (PS-12).
var filters = []fault{
	{
		Name:  "filter-passed-over",
		What:  "A filter is accepted and never asked.",
		Case:  "pubsub-filter-passes-over-what-does-not-match",
		Rules: filtering(func(*model.PubSubFilter, string) model.PubSubOutcome { return model.Confirmed }),
	}, {
		Name: "filter-upside-down",
		What: "A handler gets what its filter does not let through.",
		Case: "pubsub-filter-passes-over-what-does-not-match",
		Rules: filtering(func(f *model.PubSubFilter, payload string) model.PubSubOutcome {
			switch outcome := correct.Filter(f, payload); outcome {
			case model.Confirmed:
				return model.Filtered
			case model.Filtered:
				return model.Confirmed
			default:
				return outcome
			}
		}),
	}, {
		Name: "filtered-counted",
		What: "A drain counts the messages that filters passed over.",
		Case: "pubsub-filter-passes-over-what-does-not-match",
		Rules: counting(func(_ *delivery, end model.PubSubEnd) bool {
			return end == model.ByConfirming || end == model.ByFiltering
		}),
	}, {
		Name:  "filter-that-throws-passes",
		What:  "A message over which the filter throws goes to the handler.",
		Case:  "pubsub-filter-that-throws-ends-the-turn",
		Rules: throwing(model.Confirmed),
	}, {
		Name:  "filter-that-throws-passes-over",
		What:  "A message over which the filter throws is one that does not match.",
		Case:  "pubsub-filter-that-throws-ends-the-turn",
		Rules: throwing(model.Filtered),
	}, {
		Name: "filter-that-throws-is-no-try",
		What: "A filter that throws ends the turn and counts as no failed try.",
		Case: "pubsub-filter-that-throws-counts-a-try-and-parks",
		Rules: func(r *rules) {
			r.Miss = func(d *delivery) {
				if threw(d) {
					return
				}
				correct.Miss(d)
			}
		},
	}, {
		Name:  "filter-that-throws-parks-at-once",
		What:  "A message over which the filter throws is parked without another try.",
		Case:  "pubsub-filter-that-throws-ends-the-turn",
		Rules: givingUp(func(d *delivery, limit int64) bool { return correct.GivesUp(d, limit) || threw(d) }),
	}, {
		Name: "filter-that-throws-goes-on",
		What: "A message over which the filter throws stays, and the turn goes on with it.",
		Case: "pubsub-filter-that-throws-ends-the-turn",
		Rules: goingOn(func(d *delivery, end model.PubSubEnd) bool {
			return correct.GoesOn(d, end) || end == model.ByFailing && threw(d)
		}),
	}, {
		Name: "filter-that-throws-never-parks",
		What: "A message over which the filter throws is tried for ever.",
		Case: "pubsub-filter-that-throws-counts-a-try-and-parks",
		Rules: givingUp(func(d *delivery, limit int64) bool {
			return correct.GivesUp(d, limit) && !threw(d)
		}),
	}, {
		Name:  "filtered-ends-the-turn",
		What:  "A message that the filter passes over ends the turn.",
		Case:  "pubsub-filter-passes-over-the-first-message",
		Rules: goingOn(func(d *delivery, end model.PubSubEnd) bool { return correct.GoesOn(d, end) && end != model.ByFiltering }),
	}, {
		Name: "filtered-stays",
		What: "A message that the filter passes over stays where it is, and holds up those behind it.",
		Case: "pubsub-filter-passes-over-the-last-message",
		Rules: func(r *rules) {
			var last model.PubSubOutcome
			r.Filter = func(f *model.PubSubFilter, payload string) model.PubSubOutcome {
				last = correct.Filter(f, payload)
				return last
			}
			r.Take = func(d *delivery) {
				if d.To.Filter == nil || last != model.Filtered {
					correct.Take(d)
				}
			}
			r.GoesOn = func(d *delivery, end model.PubSubEnd) bool {
				return correct.GoesOn(d, end) && end != model.ByFiltering
			}
		},
	}, {
		Name: "filtered-keeps-the-failed-tries",
		What: "The message behind one that was passed over begins with its failed tries.",
		Case: "pubsub-filter-passed-over-message-resets-no-tries-of-the-next",
		Rules: func(r *rules) {
			r.Take = func(d *delivery) {
				failed := d.Cursor.Attempts
				correct.Take(d)
				if d.To.Filter != nil && d.Letter == nil && correct.Filter(d.To.Filter, d.Payload) == model.Filtered {
					d.Cursor.Attempts = failed + 1
				}
			}
		},
	}, {
		Name: "filtered-failed",
		What: "A message that the filter passes over is a failed try.",
		Case: "pubsub-filter-passes-over-the-last-message",
		Rules: filtering(func(f *model.PubSubFilter, payload string) model.PubSubOutcome {
			return failIfFiltered(correct.Filter(f, payload))
		}),
	}, {
		Name: "filter-of-the-whole-topic",
		What: "A filter holds for every subscription of the topic.",
		Case: "pubsub-filter-is-each-subscriptions-own",
		Around: faults.After(func(p *model.PubSub, c call, result any) any {
			for _, s := range topicOf(p, c).Subscriptions {
				if own := of(p, c).Filter; own != nil {
					s.Filter = own
				}
			}
			return result
		}, "subscribe"),
	}, {
		Name: "filter-outlives-the-subscription",
		What: "A name that subscribes again has the filter that it had.",
		Case: "pubsub-filter-ends-with-the-subscription",
		Around: func(p *model.PubSub) perform {
			old := map[string]*model.PubSubFilter{}
			return faults.After(func(p *model.PubSub, c call, result any) any {
				s := of(p, c)
				if s.Filter == nil {
					s.Filter = old[key(c)]
				}
				old[key(c)] = s.Filter
				return result
			}, "subscribe")(p)
		},
	}, {
		Name: "filter-that-lets-nothing-through-passed-over",
		What: "A filter that lets nothing through is none.",
		Case: "pubsub-filter-that-passes-nothing",
		Rules: filtering(func(f *model.PubSubFilter, payload string) model.PubSubOutcome {
			if len(f.Pass) == 0 && len(f.Throw) == 0 {
				return model.Confirmed
			}
			return correct.Filter(f, payload)
		}),
	}, {
		Name:  "filter-in-a-group-accepted",
		What:  "A member of a group may have a filter.",
		Case:  "pubsub-filter-together-with-a-group-is-invalid",
		Rules: func(r *rules) { r.FilterInGroup = true },
	}, {
		Name: "filter-in-a-group-passed-over",
		What: "The filter of a group's member is left out in silence.",
		Case: "pubsub-filter-together-with-a-group-is-invalid",
		Hears: func(c *call) {
			if _, grouped := c.Args["group"]; grouped {
				delete(c.Args, "filter")
			}
		},
	},
}

func filtering(filter func(*model.PubSubFilter, string) model.PubSubOutcome) func(*rules) {
	return func(r *rules) { r.Filter = filter }
}

// throwing makes this of a message over which the filter throws.
func throwing(outcome model.PubSubOutcome) func(*rules) {
	return filtering(func(f *model.PubSubFilter, payload string) model.PubSubOutcome {
		if got := correct.Filter(f, payload); got != model.Failed {
			return got
		}
		return outcome
	})
}

func failIfFiltered(outcome model.PubSubOutcome) model.PubSubOutcome {
	if outcome == model.Filtered {
		return model.Failed
	}
	return outcome
}

// threw: it was the filter that failed.
func threw(d *delivery) bool {
	return d.To.Filter != nil && correct.Filter(d.To.Filter, d.Payload) == model.Failed
}
