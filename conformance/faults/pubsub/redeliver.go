package pubsub

import (
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Dead letters that are offered again (PS-17).
var redelivering = []fault{
	{
		Name:  "redeliver-does-nothing",
		What:  "A redeliver tells how many dead letters there are, and leaves them.",
		Case:  "redeliver-offers-dead-letters-again",
		Rules: redeliver(func(c *cursor) int64 { return int64(len(c.Parked)) }),
	}, {
		Name: "redeliver-throws-away",
		What: "A redeliver clears the list of dead letters.",
		Case: "redeliver-offers-dead-letters-again",
		Rules: redeliver(func(c *cursor) int64 {
			n := correct.Redeliver(c)
			c.Again = nil
			return n
		}),
	}, {
		Name:   "redeliver-answers-true",
		What:   "A redeliver answers whether there were any.",
		Case:   "redeliver-offers-dead-letters-again",
		Around: faults.After(func(_ *model.PubSub, _ call, result any) any { return result.(int64) > 0 }, "redeliver"),
	}, {
		Name: "redeliver-answers-all-that-wait",
		What: "A redeliver answers how many dead letters are to be offered again now.",
		Case: "redeliver-twice-before-a-drain",
		Rules: redeliver(func(c *cursor) int64 {
			correct.Redeliver(c)
			return int64(len(c.Again))
		}),
	}, {
		Name: "redeliver-one",
		What: "A redeliver offers one dead letter again, the first.",
		Case: "redeliver-offers-dead-letters-again",
		Rules: redeliver(func(c *cursor) int64 {
			if len(c.Parked) == 0 {
				return 0
			}
			others := c.Parked[1:]
			c.Parked = c.Parked[:1]
			n := correct.Redeliver(c)
			c.Parked = others
			return n
		}),
	}, {
		Name: "redeliver-keeps-them-listed",
		What: "What is to be offered again is still among the dead letters.",
		Case: "redeliver-offers-dead-letters-again",
		Around: after(func(_ *topic, s *subscription, result any) any {
			list := []any{}
			for _, l := range s.Cursor.Again {
				list = append(list, map[string]any{"offset": l.Offset, "payload": l.Payload, "attempts": l.Attempts})
			}
			return append(list, result.([]any)...)
		}, "dead_letters"),
	}, {
		Name: "redeliver-in-reverse",
		What: "The dead letter that was parked last is offered again first.",
		Case: "redeliver-offers-dead-letters-again",
		Rules: redeliver(func(c *cursor) int64 {
			slices.Reverse(c.Parked)
			return correct.Redeliver(c)
		}),
	}, {
		Name: "redeliver-by-offset",
		What: "Dead letters are offered again in the order of their offsets.",
		Case: "redeliver-in-the-order-of-parking-not-of-offsets",
		Rules: redeliver(func(c *cursor) int64 {
			slices.SortStableFunc(c.Parked, func(a, b *letter) int { return int(a.Offset - b.Offset) })
			return correct.Redeliver(c)
		}),
	}, {
		Name: "redeliver-before-those-that-wait-already",
		What: "Of two redelivers the dead letters of the second are offered first.",
		Case: "redeliver-behind-those-that-failed-again",
		Rules: redeliver(func(c *cursor) int64 {
			waiting := c.Again
			c.Again = nil
			n := correct.Redeliver(c)
			c.Again = append(c.Again, waiting...)
			return n
		}),
	}, {
		Name: "redeliver-behind-the-log",
		What: "Dead letters are offered again when nothing else waits.",
		Case: "redeliver-comes-before-anything-else-that-waits",
		Rules: func(r *rules) {
			held := map[*cursor][]*letter{}
			r.Redeliver = func(c *cursor) int64 {
				n := correct.Redeliver(c)
				held[c], c.Again = append(held[c], c.Again...), nil
				return n
			}
			r.Waits = func(t *topic, c *cursor) bool {
				if c.Next >= t.End() {
					c.Again, held[c] = append(c.Again, held[c]...), nil
				}
				return correct.Waits(t, c)
			}
		},
	}, {
		Name: "redeliver-appends-to-the-log",
		What: "Dead letters are published again, for everybody.",
		Case: "redeliver-comes-before-anything-else-that-waits",
		Around: after(func(t *topic, s *subscription, result any) any {
			for _, l := range s.Cursor.Again {
				t.Log = append(t.Log, l.Payload)
			}
			s.Cursor.Again = nil
			return result
		}, "redeliver"),
	}, {
		Name: "redeliver-seeks-back",
		What: "A redeliver moves the place back to the first dead letter.",
		Case: "redeliver-moves-no-place",
		Rules: redeliver(func(c *cursor) int64 {
			n := correct.Redeliver(c)
			if n > 0 {
				correct.Seek(c, min(c.Next, c.Again[0].Offset))
				c.Again = nil
			}
			return n
		}),
	}, {
		Name: "redeliver-goes-on-with-the-old-tries",
		What: "A dead letter offered again has all its failed tries, so that the next one parks it.",
		Case: "redeliver-counts-tries-afresh",
		Rules: redeliver(func(c *cursor) int64 {
			n := len(c.Parked)
			c.Again, c.Parked = append(c.Again, c.Parked...), nil
			return int64(n)
		}),
	}, {
		Name: "redelivered-has-one-try",
		What: "A dead letter offered again is parked again when it fails.",
		Case: "redeliver-counts-tries-afresh",
		Rules: givingUp(func(d *delivery, limit int64) bool {
			return correct.GivesUp(d, limit) || d.Letter != nil
		}),
	}, {
		Name: "redelivered-never-parked-again",
		What: "A dead letter offered again is tried for ever.",
		Case: "redeliver-parks-again-and-the-turn-goes-on",
		Rules: givingUp(func(d *delivery, limit int64) bool {
			return correct.GivesUp(d, limit) && d.Letter == nil
		}),
	}, {
		Name: "redelivered-lost-at-the-limit",
		What: "A dead letter that fails again as often as it may is gone.",
		Case: "redeliver-parks-again-and-the-turn-goes-on",
		Rules: func(r *rules) {
			r.Park = func(d *delivery) {
				if d.Letter == nil {
					correct.Park(d)
				}
			}
		},
	}, {
		Name: "redelivered-lost-when-it-fails",
		What: "A dead letter offered again is gone, whatever comes of it.",
		Case: "redeliver-failure-ends-the-turn",
		Rules: func(r *rules) {
			r.Miss = func(d *delivery) {
				if d.Letter != nil {
					correct.Take(d)
					return
				}
				correct.Miss(d)
			}
		},
	}, {
		Name: "redelivered-parked-in-front",
		What: "A dead letter that is parked again is the first of the list.",
		Case: "redeliver-parks-again-behind-those-parked-meanwhile",
		Rules: func(r *rules) {
			r.Park = func(d *delivery) {
				correct.Park(d)
				if c := d.Cursor; d.Letter != nil {
					last := len(c.Parked) - 1
					c.Parked = append([]*letter{c.Parked[last]}, c.Parked[:last]...)
				}
			}
		},
	}, {
		Name: "redelivered-parked-with-all-tries",
		What: "A dead letter that is parked again tells its tries of all time.",
		Case: "redeliver-parks-again-behind-those-parked-meanwhile",
		Rules: func(r *rules) {
			before := map[int64]int64{}
			r.Park = func(d *delivery) {
				correct.Park(d)
				l := d.Cursor.Parked[len(d.Cursor.Parked)-1]
				if d.Letter != nil {
					l.Attempts += before[d.Offset]
				}
				before[d.Offset] = l.Attempts
			}
		},
	}, {
		Name: "redelivered-failure-goes-on",
		What: "A dead letter that fails again does not end the turn: the next ones are offered.",
		Case: "redeliver-failure-ends-the-turn",
		Rules: func(r *rules) {
			r.Miss = func(d *delivery) {
				correct.Miss(d)
				if c := d.Cursor; d.Letter != nil {
					c.Again = append(c.Again[1:], c.Again[0])
				}
			}
			r.GoesOn = func(d *delivery, end model.PubSubEnd) bool {
				c := d.Cursor
				return correct.GoesOn(d, end) || end == model.ByFailing && d.Letter != nil && c.Again[0].Attempts == 0
			}
		},
	}, {
		Name: "redelivered-failure-counts-for-the-place",
		What: "A failure of a dead letter is a failed try of the message where the subscription stands.",
		Case: "status-does-not-tell-the-tries-of-dead-letters",
		Rules: func(r *rules) {
			r.Miss = func(d *delivery) {
				correct.Miss(d)
				if d.Letter != nil {
					d.Cursor.Attempts++
				}
			}
		},
	}, {
		Name: "redelivered-moves-the-place",
		What: "A dead letter that is confirmed moves the place behind it.",
		Case: "redeliver-moves-no-place",
		Rules: func(r *rules) {
			r.Take = func(d *delivery) {
				correct.Take(d)
				if d.Letter != nil {
					d.Cursor.Next = d.Offset + 1
				}
			}
		},
	}, {
		Name: "redelivered-clears-the-tries-of-the-place",
		What: "A dead letter that is confirmed clears the failed tries of the message where the subscription stands.",
		Case: "redeliver-keeps-the-tries-of-the-message-at-the-place",
		Rules: func(r *rules) {
			r.Take = func(d *delivery) {
				correct.Take(d)
				if d.Letter != nil {
					d.Cursor.Attempts = 0
				}
			}
		},
	}, {
		Name: "redelivered-stays",
		What: "A dead letter that was confirmed is back on the list.",
		Case: "redeliver-offers-dead-letters-again",
		Rules: func(r *rules) {
			r.Take = func(d *delivery) {
				correct.Take(d)
				if d.Letter != nil {
					d.Cursor.Parked = append(d.Cursor.Parked, d.Letter)
				}
			}
		},
	}, {
		Name:  "redelivered-not-counted",
		What:  "A drain does not count dead letters that are confirmed.",
		Case:  "redeliver-offers-dead-letters-again",
		Rules: counting(func(d *delivery, end model.PubSubEnd) bool { return correct.Counts(d, end) && d.Letter == nil }),
	}, {
		Name: "redelivered-past-the-filter",
		What: "A dead letter offered again is not shown to the filter.",
		Case: "redeliver-to-a-filter-that-throws",
		Rules: func(r *rules) {
			again := false
			r.Waits = func(t *topic, c *cursor) bool {
				again = len(c.Again) > 0
				return correct.Waits(t, c)
			}
			r.Filter = func(f *model.PubSubFilter, payload string) model.PubSubOutcome {
				if again {
					return model.Confirmed
				}
				return correct.Filter(f, payload)
			}
		},
	}, {
		Name: "seek-drops-what-is-redelivered",
		What: "A seek forgets the dead letters that are to be offered again.",
		Case: "redeliver-and-a-seek",
		Rules: seeking(func(c *cursor, offset int64) {
			correct.Seek(c, offset)
			c.Again = nil
		}),
	}, {
		Name: "seek-keeps-what-is-redelivered",
		What: "In whose call a seek was made, that dead letter is offered again though it was confirmed.",
		Case: "redeliver-confirmed-after-a-seek-in-its-handler",
		Rules: func(r *rules) {
			r.Take = func(d *delivery) {
				if d.Letter == nil || d.Seeks == d.Cursor.Seeks {
					correct.Take(d)
				}
			}
			r.GoesOn = func(d *delivery, end model.PubSubEnd) bool {
				return correct.GoesOn(d, end) && (d.Letter == nil || d.Seeks == d.Cursor.Seeks)
			}
		},
	}, {
		Name:   "redeliver-of-the-absent-refused",
		What:   "A redeliver of what does not exist is an invalid argument.",
		Case:   "redeliver-of-what-is-absent-is-0",
		Around: faults.Refuses(absent, "redeliver"),
	}, {
		Name:   "redeliver-of-the-absent-answers-minus-1",
		What:   "A redeliver of what does not exist answers -1.",
		Case:   "redeliver-of-what-is-absent-is-0",
		Around: whenAbsent(model.Absent, "redeliver"),
	}, {
		Name:   "redeliver-delivers",
		What:   "A redeliver calls the handlers at once.",
		Case:   "redeliver-offers-dead-letters-again",
		Around: faults.After(func(p *model.PubSub, _ call, result any) any { drain(p); return result }, "redeliver"),
	}, {
		Name: "redeliver-of-the-whole-topic",
		What: "A redeliver offers the dead letters of every subscription of the topic again.",
		Case: "redeliver-of-one-leaves-the-others",
		Around: after(func(t *topic, _ *subscription, result any) any {
			for c := range correct.Cursors(t) {
				correct.Redeliver(c)
			}
			return result
		}, "redeliver"),
	},
}

func redeliver(redeliver func(*cursor) int64) func(*rules) {
	return func(r *rules) { r.Redeliver = redeliver }
}
