package pubsub

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Seeks, also while a handler runs (PS-09, PS-16).
var seeks = []fault{
	{
		Name: "seek-overwritten-by-the-confirmation",
		What: "A confirmation moves behind its message, whatever was sought meanwhile.",
		Case: "pubsub-seek-back-by-its-own-handler-that-confirms",
		Rules: func(r *rules) {
			r.Take = func(d *delivery) {
				correct.Take(d)
				if d.Letter == nil {
					d.Cursor.Next, d.Cursor.Attempts = d.Offset+1, 0
				}
			}
		},
	}, {
		Name: "seek-forward-overwritten-by-the-confirmation",
		What: "A seek forward is lost when the call in which it was made is confirmed.",
		Case: "pubsub-seek-forward-by-its-own-handler-that-confirms",
		Rules: func(r *rules) {
			r.Take = func(d *delivery) {
				correct.Take(d)
				if c := d.Cursor; d.Letter == nil && c.Next > d.Offset {
					c.Next = d.Offset + 1
				}
			}
		},
	}, {
		Name: "seek-back-overwritten-by-the-confirmation",
		What: "A seek back is lost when the call in which it was made is confirmed.",
		Case: "pubsub-seek-back-by-its-own-handler-that-confirms",
		Rules: func(r *rules) {
			r.Take = func(d *delivery) {
				correct.Take(d)
				if c := d.Cursor; d.Letter == nil {
					c.Next = max(c.Next, d.Offset+1)
				}
			}
		},
	}, {
		Name: "seek-to-the-same-message-overwritten-by-the-confirmation",
		What: "A seek to the message that is being handled is not noticed.",
		Case: "pubsub-seek-to-its-own-message-by-a-handler-that-confirms",
		Rules: func(r *rules) {
			r.Take = func(d *delivery) {
				correct.Take(d)
				if d.Letter == nil && d.Cursor.Next == d.Offset {
					d.Cursor.Next = d.Offset + 1
				}
			}
		},
	}, {
		Name: "seek-moved-by-the-confirmation",
		What: "A confirmation moves one on from wherever the subscription stands.",
		Case: "pubsub-seek-to-the-next-message-by-a-handler-that-confirms",
		Rules: func(r *rules) {
			r.Take = func(d *delivery) {
				if c := d.Cursor; d.Letter == nil && c.Seeks != d.Seeks {
					c.Next = min(c.Next+1, d.Topic.End())
					return
				}
				correct.Take(d)
			}
		},
	}, {
		Name: "seek-overwritten-by-the-failure",
		What: "A failure takes the subscription back to its message, whatever was sought meanwhile.",
		Case: "pubsub-seek-by-its-own-handler-that-fails",
		Rules: func(r *rules) {
			r.Overruled = func(d *delivery) bool {
				if d.Letter == nil {
					d.Cursor.Next = d.Offset
				}
				return correct.Overruled(d)
			}
		},
	}, {
		Name:  "failure-after-a-seek-counted",
		What:  "A failure in whose call a seek was made is a failed try of the message sought.",
		Case:  "pubsub-seek-by-its-own-handler-that-fails-adds-no-try",
		Rules: neverOverruled(func(_ *delivery, _ int64) bool { return false }),
	}, {
		Name:  "failure-after-a-seek-parks",
		What:  "The last try parks its message, also where a seek was made in it.",
		Case:  "pubsub-seek-by-its-own-handler-that-fails-at-a-limit-of-1",
		Rules: neverOverruled(correct.GivesUp),
	}, {
		Name: "failure-after-a-seek-goes-on",
		What: "A failure in whose call a seek was made does not end the turn.",
		Case: "pubsub-seek-by-its-own-handler-that-fails",
		Rules: goingOn(func(d *delivery, end model.PubSubEnd) bool {
			return correct.GoesOn(d, end) || end == model.ByFailingAfterSeek
		}),
	}, {
		Name: "confirmation-after-a-seek-ends-the-turn",
		What: "A confirmation in whose call a seek was made ends the turn.",
		Case: "pubsub-seek-back-by-its-own-handler-that-confirms",
		Rules: goingOn(func(d *delivery, end model.PubSubEnd) bool {
			return correct.GoesOn(d, end) && d.Seeks == d.Cursor.Seeks
		}),
	}, {
		Name: "confirmation-after-a-seek-not-counted",
		What: "A drain does not count a message in whose call a seek was made.",
		Case: "pubsub-seek-back-by-its-own-handler-that-confirms",
		Rules: counting(func(d *delivery, end model.PubSubEnd) bool {
			return correct.Counts(d, end) && d.Seeks == d.Cursor.Seeks
		}),
	}, {
		Name:   "seek-in-a-handler-does-nothing",
		What:   "Nobody's place can be moved while a handler runs.",
		Case:   "pubsub-seek-of-a-later-one-from-a-handler",
		Around: notInside("seek", true),
	}, {
		Name:   "seek-in-a-handler-waits-for-the-end-of-the-drain",
		What:   "A seek in a handler moves the place when the drain is over.",
		Case:   "pubsub-seek-of-a-later-one-from-a-handler",
		Around: afterTheDrain("seek", true),
	}, {
		Name:  "tries-not-cleared-by-seek",
		What:  "A seek leaves the failed tries as they are.",
		Case:  "pubsub-seek-forgets-the-failed-tries",
		Rules: seeking(func(c *cursor, offset int64) { c.Next, c.Seeks = offset, c.Seeks+1 }),
	}, {
		Name: "tries-not-cleared-by-a-seek-to-the-same-place",
		What: "A seek to where the subscription stands leaves the failed tries as they are.",
		Case: "pubsub-seek-forgets-the-failed-tries",
		Rules: seeking(func(c *cursor, offset int64) {
			if c.Next != offset {
				correct.Seek(c, offset)
			}
		}),
	}, {
		Name: "seek-clears-the-dead-letters",
		What: "A seek throws the dead letters away.",
		Case: "pubsub-seek-keeps-the-dead-letters",
		Rules: seeking(func(c *cursor, offset int64) {
			correct.Seek(c, offset)
			c.Parked = nil
		}),
	}, {
		Name: "seek-clears-the-dead-letters-behind-it",
		What: "A seek throws the dead letters away that would be met again.",
		Case: "pubsub-dead-letters-stay-when-the-message-is-confirmed-later",
		Rules: seeking(func(c *cursor, offset int64) {
			correct.Seek(c, offset)
			var kept []*letter
			for _, l := range c.Parked {
				if l.Offset < offset {
					kept = append(kept, l)
				}
			}
			c.Parked = kept
		}),
	}, {
		Name: "seek-moves-the-whole-topic",
		What: "A seek moves every subscription of the topic.",
		Case: "pubsub-seek-of-one-leaves-the-others",
		Around: after(func(t *topic, s *subscription, result any) any {
			for _, other := range t.Subscriptions {
				other.Cursor.Next = s.Cursor.Next
			}
			return result
		}, "seek"),
	}, {
		Name:  "seek-forward-passed-over",
		What:  "A seek moves back only.",
		Case:  "pubsub-seek-forward-skips",
		Rules: seeking(func(c *cursor, offset int64) { correct.Seek(c, min(offset, c.Next)) }),
	}, {
		Name:  "seek-back-passed-over",
		What:  "A seek moves forward only.",
		Case:  "pubsub-seek-back-replays",
		Rules: seeking(func(c *cursor, offset int64) { correct.Seek(c, max(offset, c.Next)) }),
	}, {
		Name: "seek-goes-behind-the-message",
		What: "A seek moves behind the offset that it names.",
		Case: "pubsub-seek-back-replays",
		Around: after(func(t *topic, s *subscription, result any) any {
			s.Cursor.Next = min(s.Cursor.Next+1, t.End())
			return result
		}, "seek"),
	}, {
		Name: "seek-to-the-end-refused",
		What: "A seek must name a message.",
		Case: "pubsub-seek-to-the-end",
		Rules: seekingTo(func(_ *model.PubSub, t *topic) model.Range {
			return model.Range{Min: correct.Earliest(t), Max: t.End() - 1}
		}),
	}, {
		Name: "seek-past-the-end-accepted",
		What: "A seek may name the offset behind the end.",
		Case: "pubsub-seek-past-the-end-is-invalid",
		Rules: seekingTo(func(_ *model.PubSub, t *topic) model.Range {
			return model.Range{Min: correct.Earliest(t), Max: t.End() + 1}
		}),
	}, {
		Name: "seek-past-the-end-goes-to-the-end",
		What: "A seek past the end is one to the end.",
		Case: "pubsub-seek-past-the-end-is-invalid",
		Around: func(p *model.PubSub) perform {
			return func(c call) (any, error) {
				if t := topicOf(p, c); c.Op == "seek" && t != nil && c.Number("offset") > t.End() {
					c = c.With(map[string]any{"offset": t.End()})
				}
				return faults.PerformOn(p)(c)
			}
		},
	}, {
		Name: "seek-past-the-end-answers-false",
		What: "A seek past the end is false.",
		Case: "pubsub-seek-past-the-end-is-invalid",
		Around: faults.Answers(false, func(p *model.PubSub, c call) bool {
			t := topicOf(p, c)
			return t != nil && c.Number("offset") > t.End()
		}, "seek"),
	}, {
		Name:   "seek-past-the-end-moves-all-the-same",
		What:   "A seek past the end is refused and moves to the end.",
		Case:   "pubsub-seek-past-the-end-is-invalid",
		Around: faults.Refusing(moveToTheEnd, "seek"),
	}, {
		Name:   "seek-refused-clears-the-tries",
		What:   "A seek that is refused clears the failed tries.",
		Case:   "pubsub-seek-refused-keeps-the-failed-tries",
		Around: faults.Refusing(clearTries, "seek"),
	}, {
		Name:   "seek-negative-answers-false",
		What:   "A seek to a negative offset is false.",
		Case:   "pubsub-seek-to-a-negative-offset-is-invalid",
		Around: faults.Answers(false, negative("offset"), "seek"),
	}, {
		Name: "seek-negative-counts-from-the-end",
		What: "A seek to a negative offset counts from the end.",
		Case: "pubsub-seek-to-a-negative-offset-is-invalid",
		Around: func(p *model.PubSub) perform {
			return func(c call) (any, error) {
				if t := topicOf(p, c); c.Op == "seek" && t != nil && negative("offset")(p, c) {
					c = c.With(map[string]any{"offset": max(0, t.End()+c.Number("offset"))})
				}
				return faults.PerformOn(p)(c)
			}
		},
	}, {
		Name:  "seek-negative-goes-to-the-beginning",
		What:  "A seek to a negative offset is one to the beginning.",
		Case:  "pubsub-seek-to-a-negative-offset-is-invalid",
		Hears: faults.InArgument("seek", "offset", func(n int64) int64 { return max(0, n) }),
	}, {
		Name: "seek-to-the-same-place-answers-false",
		What: "A seek to where the subscription stands is false.",
		Case: "pubsub-seek-on-an-empty-topic",
		Around: func(p *model.PubSub) perform {
			return func(c call) (any, error) {
				s := of(p, c)
				same := c.Op == "seek" && s != nil && s.Cursor.Next == c.Number("offset")
				result, err := faults.PerformOn(p)(c)
				if same && err == nil {
					result = false
				}
				return result, err
			}
		},
	}, {
		Name: "seek-answers-the-offset",
		What: "A seek returns where the subscription stands in place of true.",
		Case: "pubsub-seek-back-replays",
		Around: after(func(_ *topic, s *subscription, _ any) any {
			return s.Cursor.Next
		}, "seek"),
	}, {
		Name:   "seek-of-the-absent-answers-true",
		What:   "A seek is true, also where there is no such subscription.",
		Case:   "pubsub-seek-of-what-is-absent-is-false",
		Around: answers(true, "seek"),
	}, {
		Name:   "seek-of-the-absent-refused",
		What:   "A seek of what does not exist is an invalid argument.",
		Case:   "pubsub-seek-of-what-is-absent-is-false",
		Around: faults.Refuses(absent, "seek"),
	}, {
		Name: "seek-of-an-absent-name-judged-by-the-log",
		What: "A seek past the end is refused, also where there is no such subscription.",
		Case: "pubsub-seek-of-what-is-absent-is-false-before-the-end-is-looked-at",
		Around: faults.Refuses(func(p *model.PubSub, c call) bool {
			t := topicOf(p, c)
			return t != nil && absent(p, c) && c.Number("offset") > t.End()
		}, "seek"),
	}, {
		Name:   "seek-delivers",
		What:   "A seek hands out what it moved to.",
		Case:   "pubsub-seek-back-replays",
		Around: faults.After(func(p *model.PubSub, _ call, result any) any { drain(p); return result }, "seek"),
	},
}

// neverOverruled by a seek is a failure, which counts for what was sought.
func neverOverruled(givesUp func(*delivery, int64) bool) func(*rules) {
	return func(r *rules) {
		r.Overruled = func(*delivery) bool { return false }
		r.GivesUp = func(d *delivery, limit int64) bool {
			if correct.Overruled(d) {
				return givesUp(d, limit)
			}
			return correct.GivesUp(d, limit)
		}
	}
}

func seeking(seek func(*cursor, int64)) func(*rules) {
	return func(r *rules) { r.Seek = seek }
}

func seekingTo(offsets func(*model.PubSub, *topic) model.Range) func(*rules) {
	return func(r *rules) { r.SeekTo = offsets }
}

func moveToTheEnd(p *model.PubSub, c call) {
	if s := of(p, c); s != nil {
		s.Cursor.Next = topicOf(p, c).End()
	}
}

func clearTries(p *model.PubSub, c call) {
	if s := of(p, c); s != nil {
		s.Cursor.Attempts = 0
	}
}

func negative(name string) func(*model.PubSub, call) bool {
	return func(_ *model.PubSub, c call) bool {
		n, is := c.Args[name].(int64)
		return is && n < 0
	}
}
