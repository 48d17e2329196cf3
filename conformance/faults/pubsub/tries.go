package pubsub

import (
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// The limit of tries, and what becomes of a message at it (PS-07).
var tries = []fault{
	{
		Name:  "tries-one-too-many",
		What:  "The limit counts repetitions: a message has one try more.",
		Case:  "pubsub-limit-2-allows-one-retry",
		Rules: givingUp(func(d *delivery, limit int64) bool { return limit > 0 && d.Attempt > limit }),
	}, {
		Name:  "tries-one-too-few",
		What:  "A message is parked one try before the limit.",
		Case:  "pubsub-limit-3-allows-two-retries",
		Rules: givingUp(func(d *delivery, limit int64) bool { return limit > 0 && d.Attempt >= limit-1 }),
	}, {
		Name:  "tries-without-limit",
		What:  "A message is tried for ever.",
		Case:  "pubsub-limit-3-allows-two-retries",
		Rules: givingUp(func(*delivery, int64) bool { return false }),
	}, {
		Name:  "no-limit-parks-at-once",
		What:  "Without a limit a message is parked when it fails.",
		Case:  "pubsub-limit-0-is-no-limit",
		Rules: givingUp(func(d *delivery, limit int64) bool { return d.Attempt >= limit }),
	}, {
		Name: "tries-counted-by-the-topic",
		What: "The tries of all subscriptions of a message count together.",
		Case: "pubsub-dead-letters-are-each-subscriptions-own",
		Rules: func(r *rules) {
			type message struct {
				t      *topic
				offset int64
			}
			failed := map[message]int64{}
			r.GivesUp = func(d *delivery, limit int64) bool {
				m := message{d.Topic, d.Offset}
				failed[m]++
				return limit > 0 && failed[m] >= limit
			}
		},
	}, {
		Name: "tries-counted-by-the-subscription",
		What: "A confirmation leaves the failed tries as they are, so that those of all messages count together.",
		Case: "pubsub-tries-are-counted-anew-for-each-message",
		Rules: func(r *rules) {
			r.Take = func(d *delivery) {
				failed := d.Cursor.Attempts
				correct.Take(d)
				if d.Letter == nil && d.Seeks == d.Cursor.Seeks && d.Attempt == failed+1 {
					d.Cursor.Attempts = failed
				}
			}
			r.Park = func(d *delivery) {
				correct.Park(d)
				if d.Letter == nil {
					d.Cursor.Attempts = 0
				}
			}
		},
	}, {
		Name: "tries-not-cleared-by-parking",
		What: "The message behind one that was parked begins with its failed tries.",
		Case: "pubsub-tries-are-counted-anew-behind-a-parked-message",
		Rules: func(r *rules) {
			r.Park = func(d *delivery) {
				correct.Park(d)
				if d.Letter == nil {
					d.Cursor.Attempts = d.Attempt - 1
				}
			}
		},
	}, {
		Name: "tries-counted-by-drain",
		What: "The failed tries are forgotten when a drain begins.",
		Case: "pubsub-limit-3-allows-two-retries",
		Around: faults.Before(func(p *model.PubSub, _ call) {
			for _, t := range p.Topics {
				for _, s := range t.Subscriptions {
					s.Cursor.Attempts = 0
				}
			}
		}, "drain"),
	}, {
		Name: "tries-of-the-payload",
		What: "Messages with the same payload count their failed tries together.",
		Case: "pubsub-seek-forgets-the-failed-tries",
		Rules: func(r *rules) {
			type payload struct {
				c    *cursor
				text string
			}
			failed := map[payload]int64{}
			r.GivesUp = func(d *delivery, limit int64) bool {
				m := payload{d.Cursor, d.Payload}
				failed[m]++
				return limit > 0 && failed[m] >= limit
			}
		},
	}, {
		Name:  "parking-ends-the-turn",
		What:  "Behind a message that is parked nothing more is offered in the same drain.",
		Case:  "pubsub-limit-1-parks-several-in-one-turn",
		Rules: goingOn(func(d *delivery, end model.PubSubEnd) bool { return correct.GoesOn(d, end) && end != model.ByParking }),
	}, {
		Name: "parking-leaves-the-place",
		What: "A message that is parked is offered again in the next drain, and parked again.",
		Case: "pubsub-limit-1-parks-at-the-first-failure",
		Rules: func(r *rules) {
			r.Park = func(d *delivery) {
				correct.Park(d)
				if d.Letter == nil {
					d.Cursor.Next, d.Cursor.Attempts = d.Offset, d.Attempt-1
				}
			}
			r.GoesOn = func(d *delivery, end model.PubSubEnd) bool {
				return correct.GoesOn(d, end) && end != model.ByParking
			}
		},
	}, {
		Name: "parking-moves-two",
		What: "The message behind one that is parked is passed over.",
		Case: "pubsub-limit-1-parks-several-in-one-turn",
		Rules: func(r *rules) {
			r.Park = func(d *delivery) {
				correct.Park(d)
				if c := d.Cursor; d.Letter == nil {
					c.Next = min(c.Next+1, d.Topic.End())
				}
			}
		},
	}, {
		Name:  "parked-message-lost",
		What:  "At the limit a message is passed over and not kept.",
		Case:  "pubsub-limit-1-parks-at-the-first-failure",
		Rules: func(r *rules) { r.Park = func(*delivery) {} },
	}, {
		Name: "dead-letter-twice",
		What: "A message that is parked is among the dead letters two times.",
		Case: "pubsub-limit-1-parks-at-the-first-failure",
		Rules: func(r *rules) {
			r.Park = func(d *delivery) { correct.Park(d); correct.Park(d) }
		},
	}, {
		Name: "dead-letter-once-for-ever",
		What: "A message that was parked before is not parked again.",
		Case: "pubsub-dead-letters-are-parked-again-after-a-seek-back",
		Rules: func(r *rules) {
			r.Park = func(d *delivery) {
				if !slices.ContainsFunc(d.Cursor.Parked, func(l *letter) bool { return l.Offset == d.Offset }) {
					correct.Park(d)
				}
			}
		},
	}, {
		Name: "dead-letter-of-a-payload-once",
		What: "Of messages with the same payload one is kept as a dead letter.",
		Case: "pubsub-dead-letters-of-the-same-payload-are-two",
		Rules: func(r *rules) {
			r.Park = func(d *delivery) {
				if !slices.ContainsFunc(d.Cursor.Parked, func(l *letter) bool { return l.Payload == d.Payload && l.Offset != d.Offset }) {
					correct.Park(d)
				}
			}
		},
	}, {
		Name: "dead-letter-of-the-whole-topic",
		What: "A message that one subscription gave up is a dead letter of all of them.",
		Case: "pubsub-dead-letters-are-each-subscriptions-own",
		Rules: func(r *rules) {
			r.Park = func(d *delivery) {
				for _, s := range d.Topic.Subscriptions {
					s.Cursor.Parked = append(s.Cursor.Parked, &letter{Offset: d.Offset, Payload: d.Payload, Attempts: d.Attempt})
				}
			}
		},
	}, {
		Name: "dead-letter-given-up-by-the-whole-topic",
		What: "A message that one subscription gave up is offered to nobody any more.",
		Case: "pubsub-dead-letters-are-each-subscriptions-own",
		Rules: func(r *rules) {
			r.Park = func(d *delivery) {
				correct.Park(d)
				for _, s := range d.Topic.Subscriptions {
					s.Cursor.Next = max(s.Cursor.Next, d.Offset+1)
				}
			}
		},
	},
	letters("dead-letters-in-reverse", "The message that was parked last is listed first.", "pubsub-limit-1-parks-several-in-one-turn", func(l []any) []any {
		slices.Reverse(l)
		return l
	}),
	letters("dead-letters-by-offset", "Dead letters are listed by their offset.", "pubsub-dead-letters-are-in-the-order-of-parking", func(l []any) []any {
		slices.SortStableFunc(l, func(a, b any) int { return int(number(a, "offset") - number(b, "offset")) })
		return l
	}),
	letters("dead-letters-last-only", "Only the message that was parked last is listed.", "pubsub-dead-letters-are-in-the-order-of-parking", func(l []any) []any {
		return l[max(0, len(l)-1):]
	}),
	letters("dead-letters-first-only", "Only the message that was parked first is listed.", "pubsub-dead-letters-are-in-the-order-of-parking", func(l []any) []any {
		return l[:min(1, len(l))]
	}),
	letters("dead-letters-with-a-try-too-few", "Dead letters tell the failed tries before the last one.", "pubsub-limit-3-allows-two-retries", each(func(l map[string]any) {
		l["attempts"] = number(l, "attempts") - 1
	})),
	letters("dead-letters-with-no-tries", "Dead letters tell 0 tries.", "pubsub-limit-3-allows-two-retries", each(func(l map[string]any) { l["attempts"] = int64(0) })),
	letters("dead-letters-counted-from-one", "Dead letters tell their offset counted from one.", "pubsub-limit-1-parks-at-the-first-failure", each(func(l map[string]any) {
		l["offset"] = number(l, "offset") + 1
	})),
	letters("dead-letters-without-payload", "Dead letters have empty payloads.", "pubsub-dead-letters-keep-their-payload", each(func(l map[string]any) { l["payload"] = "" })),
	letters("dead-letters-name-nothing", "Dead letters have no offset.", "pubsub-limit-1-parks-at-the-first-failure", each(func(l map[string]any) { delete(l, "offset") })),
	{
		Name: "dead-letters-taken-by-reading",
		What: "Dead letters are gone once they were asked for.",
		Case: "pubsub-dead-letters-are-returned-each-time",
		Around: after(func(_ *topic, s *subscription, result any) any {
			s.Cursor.Parked = nil
			return result
		}, "dead_letters"),
	}, {
		Name: "dead-letters-show-what-failed",
		What: "A message that is to be offered again is among the dead letters.",
		Case: "pubsub-limit-2-allows-one-retry",
		Around: after(func(t *topic, s *subscription, result any) any {
			if c := s.Cursor; c.Attempts > 0 {
				return append(result.([]any), map[string]any{"offset": c.Next, "payload": t.Log[c.Next], "attempts": c.Attempts})
			}
			return result
		}, "dead_letters"),
	}, {
		Name: "dead-letters-outlive-the-subscription",
		What: "The dead letters of a name can be read when it has unsubscribed.",
		Case: "pubsub-unsubscribe-ends-place-and-dead-letters",
		Around: func(p *model.PubSub) perform {
			kept := map[string]any{}
			seen := faults.Before(func(p *model.PubSub, c call) {
				if present(p, c) {
					kept[key(c)], _ = faults.PerformOn(p)(c.As("dead_letters"))
				}
			}, "unsubscribe")(p)
			return func(c call) (any, error) {
				result, err := seen(c)
				if old := kept[key(c)]; err == nil && c.Op == "dead_letters" && absent(p, c) && old != nil {
					return old, nil
				}
				return result, err
			}
		},
	}, {
		Name:   "dead-letters-of-the-absent-refused",
		What:   "Asking for the dead letters of what does not exist is an invalid argument.",
		Case:   "pubsub-dead-letters-of-what-is-absent-are-none",
		Around: faults.Refuses(absent, "dead_letters"),
	}, {
		Name:   "dead-letters-of-the-absent-null",
		What:   "The dead letters of what does not exist are nothing in place of an empty list.",
		Case:   "pubsub-dead-letters-of-what-is-absent-are-none",
		Around: whenAbsent(nil, "dead_letters"),
	}, {
		Name: "dead-letters-capped-at-10",
		What: "Only ten dead letters are kept.",
		Case: "pubsub-long-list-of-dead-letters",
		Rules: func(r *rules) {
			r.Park = func(d *delivery) {
				if len(d.Cursor.Parked) < 10 {
					correct.Park(d)
				}
			}
		},
	},
}

func givingUp(givesUp func(*delivery, int64) bool) func(*rules) {
	return func(r *rules) { r.GivesUp = givesUp }
}

// letters changes the list of dead letters.
func letters(name, what, caughtBy string, change func([]any) []any) fault {
	return fault{
		Name:   name,
		What:   what,
		Case:   caughtBy,
		Around: faults.After(func(_ *model.PubSub, _ call, result any) any { return change(result.([]any)) }, "dead_letters"),
	}
}

func each(change func(letter map[string]any)) func([]any) []any {
	return func(list []any) []any {
		for _, l := range list {
			change(l.(map[string]any))
		}
		return list
	}
}

func number(letter any, field string) int64 { return letter.(map[string]any)[field].(int64) }
