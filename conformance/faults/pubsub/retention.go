package pubsub

import (
	"math"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Topics that keep their last messages, and who falls behind (PS-13).
var retention = []fault{
	{
		Name:  "retain-negative-accepted",
		What:  "A topic that keeps a negative number of messages keeps all.",
		Case:  "pubsub-create-with-a-negative-retain-makes-nothing",
		Hears: inRetain(func(c *call) { deleteIf(c, c.Number("retain") < 0) }),
	}, {
		Name:  "retain-1-refused",
		What:  "A topic must keep two messages.",
		Case:  "pubsub-retain-1-keeps-the-last",
		Rules: func(r *rules) { r.Retain.Min = 2 },
	}, {
		Name:  "retain-past-32-bits-accepted",
		What:  "A topic may keep any number of messages in 64 bits.",
		Case:  "pubsub-create-with-a-retain-outside-32-bits-is-invalid",
		Rules: func(r *rules) { r.Retain.Max = math.MaxInt64 },
	}, {
		Name:  "retain-largest-refused",
		What:  "A topic must keep less messages than the largest number of 32 bits.",
		Case:  "pubsub-create-with-a-retain-outside-32-bits-is-invalid",
		Rules: func(r *rules) { r.Retain.Max = math.MaxInt32 - 1 },
	}, {
		Name:  "retain-passed-over",
		What:  "A topic keeps all messages, whatever it was made with.",
		Case:  "pubsub-retain-keeps-the-last-n",
		Rules: keeping(func(_ *topic) int64 { return 0 }),
	}, {
		Name:  "retain-one-too-many",
		What:  "A topic keeps one message more.",
		Case:  "pubsub-retain-keeps-the-last-n",
		Rules: keeping(func(t *topic) int64 { return max(0, correct.Earliest(t)-1) }),
	}, {
		Name: "retain-one-too-few",
		What: "A topic keeps one message less.",
		Case: "pubsub-retain-exactly-n-loses-nothing",
		Rules: keeping(func(t *topic) int64 {
			if t.Retain == 0 {
				return 0
			}
			return max(0, t.End()-t.Retain+1)
		}),
	}, {
		Name: "retain-in-blocks",
		What: "A topic lets go of messages only when it has twice as many as it keeps.",
		Case: "pubsub-retain-seek-to-the-earliest-kept",
		Rules: keeping(func(t *topic) int64 {
			if t.Retain == 0 || t.End() < 2*t.Retain {
				return 0
			}
			return correct.Earliest(t)
		}),
	}, {
		Name: "retain-as-the-slowest",
		What: "A topic keeps what somebody has not taken yet, however much it is.",
		Case: "pubsub-retain-keeps-the-last-n",
		Rules: keeping(func(t *topic) int64 {
			earliest := correct.Earliest(t)
			for _, s := range t.Subscriptions {
				earliest = min(earliest, s.Cursor.Next)
			}
			return earliest
		}),
	}, {
		Name: "retain-until-taken-by-all",
		What: "A message that all subscriptions have taken is not kept.",
		Case: "pubsub-retain-seek-to-the-earliest-kept",
		Rules: keeping(func(t *topic) int64 {
			if len(t.Subscriptions) == 0 {
				return correct.Earliest(t)
			}
			slowest := t.End()
			for _, s := range t.Subscriptions {
				slowest = min(slowest, s.Cursor.Next)
			}
			return max(correct.Earliest(t), slowest)
		}),
	}, {
		Name: "retain-of-the-last-topic-holds-for-all",
		What: "All topics keep as many messages as the one that was made last.",
		Case: "pubsub-retain-is-the-topics-own",
		Around: faults.After(func(p *model.PubSub, c call, result any) any {
			for _, t := range p.Topics {
				t.Retain = max(0, c.Number("retain"))
			}
			return result
		}, "create_topic"),
	}, {
		Name: "full-topic-refuses-messages",
		What: "A topic that keeps as many messages as it may answers -1 to a publish.",
		Case: "pubsub-retain-keeps-the-last-n",
		Around: func(p *model.PubSub) perform {
			return func(c call) (any, error) {
				t := topicOf(p, c)
				full := t != nil && t.Retain > 0 && t.End() >= t.Retain
				result, err := faults.PerformOn(p)(c)
				if c.Op == "publish" && err == nil && full {
					t.Log = t.Log[:t.End()-1]
					return model.Absent, nil
				}
				return result, err
			}
		},
	}, {
		Name: "offsets-relative-to-what-is-kept",
		What: "A publish answers which of the messages kept it is.",
		Case: "pubsub-retain-counts-offsets-on",
		Around: faults.After(func(p *model.PubSub, c call, result any) any {
			if t := topicOf(p, c); t != nil {
				return t.End() - 1 - correct.Earliest(t)
			}
			return result
		}, "publish"),
	}, {
		Name: "place-relative-to-what-is-kept",
		What: "A subscription tells its place among the messages kept.",
		Case: "pubsub-retain-counts-offsets-on",
		Around: after(func(t *topic, s *subscription, _ any) any {
			return max(0, s.Cursor.Next-correct.Earliest(t))
		}, "offset"),
	}, {
		Name:  "drop-not-counted",
		What:  "Who jumps over messages does not count them.",
		Case:  "status-counts-lost-messages",
		Rules: dropping(func(c *cursor, earliest int64) { c.Next, c.Attempts = earliest, 0 }),
	}, {
		Name:  "drop-counts-jumps",
		What:  "Who jumps over messages counts one, however many they are.",
		Case:  "status-counts-lost-messages",
		Rules: dropping(func(c *cursor, earliest int64) { c.Lost++; c.Next, c.Attempts = earliest, 0 }),
	}, {
		Name: "drop-counts-the-last-jump",
		What: "Who jumps over messages forgets those it jumped over before.",
		Case: "status-counts-lost-messages",
		Rules: dropping(func(c *cursor, earliest int64) {
			c.Lost = 0
			correct.Drop(c, earliest)
		}),
	}, {
		Name: "drop-counts-one-too-many",
		What: "Who jumps counts the message that it jumps to as well.",
		Case: "status-counts-lost-messages",
		Rules: dropping(func(c *cursor, earliest int64) {
			correct.Drop(c, earliest)
			c.Lost++
		}),
	}, {
		Name: "drop-keeps-the-failed-tries",
		What: "Who jumps over messages takes the failed tries along.",
		Case: "pubsub-drop-of-a-message-that-failed",
		Rules: dropping(func(c *cursor, earliest int64) {
			c.Lost += earliest - c.Next
			c.Next = earliest
		}),
	}, {
		Name: "drop-ends-the-turn",
		What: "Who jumps over messages is offered the next ones in another drain.",
		Case: "pubsub-drop-in-the-middle-of-a-turn",
		Rules: func(r *rules) {
			jumped := map[*cursor]bool{}
			r.Drop = func(c *cursor, earliest int64) {
				correct.Drop(c, earliest)
				jumped[c] = true
			}
			r.Waits = func(t *topic, c *cursor) bool {
				waits := correct.Waits(t, c) && !jumped[c]
				delete(jumped, c)
				return waits
			}
		},
	}, {
		Name:   "drop-at-once",
		What:   "Who falls behind jumps when the message is published that it is too late for.",
		Case:   "pubsub-retain-moves-no-place-before-the-message-would-be-offered",
		Around: faults.After(atOnce("drop"), "publish"),
	}, {
		Name:   "disconnect-at-once",
		What:   "Who falls behind is disconnected when the message is published that it is too late for.",
		Case:   "pubsub-disconnect-not-before-the-message-would-be-offered",
		Around: faults.After(atOnce(model.Disconnect), "publish"),
	}, {
		Name: "drop-to-the-end",
		What: "Who falls behind jumps over everything that waits.",
		Case: "pubsub-retain-keeps-the-last-n",
		Around: faults.Before(func(p *model.PubSub, _ call) {
			for _, t := range p.Topics {
				for c := range correct.Cursors(t) {
					if c.Next < correct.Earliest(t) && c.Policy == "drop" {
						correct.Drop(c, t.End())
					}
				}
			}
		}, "drain"),
	}, {
		Name: "drop-in-the-turn-unnoticed",
		What: "Who falls behind by what its own handler publishes is still offered the messages that are not kept.",
		Case: "pubsub-drop-in-the-middle-of-a-turn",
		Rules: func(r *rules) {
			begins := map[*cursor]bool{}
			r.MayServe = func(c *cursor) bool {
				begins[c] = correct.MayServe(c)
				return begins[c]
			}
			r.Drop = func(c *cursor, earliest int64) {
				if begins[c] {
					correct.Drop(c, earliest)
				}
			}
			r.Waits = func(t *topic, c *cursor) bool {
				begins[c] = false
				return correct.Waits(t, c)
			}
		},
	}, {
		Name:  "seek-to-what-is-no-longer-kept-accepted",
		What:  "A seek may name a message that is no longer kept.",
		Case:  "pubsub-retain-seek-before-the-earliest-is-invalid-not-moved",
		Rules: seekingTo(func(_ *model.PubSub, t *topic) model.Range { return model.Range{Min: 0, Max: t.End()} }),
	}, {
		Name: "seek-to-what-is-no-longer-kept-goes-to-the-earliest",
		What: "A seek to a message that is no longer kept is one to the earliest that is.",
		Case: "pubsub-retain-seek-before-the-earliest-is-invalid-not-moved",
		Around: func(p *model.PubSub) perform {
			return func(c call) (any, error) {
				if t := topicOf(p, c); c.Op == "seek" && t != nil && c.Number("offset") >= 0 {
					c = c.With(map[string]any{"offset": max(correct.Earliest(t), c.Number("offset"))})
				}
				return faults.PerformOn(p)(c)
			}
		},
	}, {
		Name: "seek-to-the-earliest-refused",
		What: "A seek must name a message behind the earliest one kept.",
		Case: "pubsub-retain-seek-to-the-earliest-kept",
		Rules: seekingTo(func(_ *model.PubSub, t *topic) model.Range {
			if t.Retain > 0 {
				return model.Range{Min: correct.Earliest(t) + 1, Max: t.End()}
			}
			return model.Range{Min: 0, Max: t.End()}
		}),
	}, {
		Name: "seek-to-what-is-no-longer-kept-answers-false",
		What: "A seek to a message that is no longer kept is false.",
		Case: "pubsub-retain-seek-before-the-earliest-is-invalid-not-moved",
		Around: faults.Answers(false, func(p *model.PubSub, c call) bool {
			t := topicOf(p, c)
			return t != nil && 0 <= c.Number("offset") && c.Number("offset") < correct.Earliest(t)
		}, "seek"),
	}, {
		Name:  "seek-clears-the-messages-lost",
		What:  "A seek sets the messages lost to none.",
		Case:  "status-keeps-lost-messages-over-a-seek",
		Rules: seeking(func(c *cursor, offset int64) { correct.Seek(c, offset); c.Lost = 0 }),
	}, {
		Name: "dead-letters-trimmed-with-the-log",
		What: "A dead letter is gone when the topic no longer keeps its message.",
		Case: "pubsub-dead-letter-outlives-the-message",
		Around: before(func(t *topic, s *subscription) {
			var kept []*letter
			for _, l := range s.Cursor.Parked {
				if l.Offset >= correct.Earliest(t) {
					kept = append(kept, l)
				}
			}
			s.Cursor.Parked = kept
		}, "dead_letters", "redeliver"),
	},
}

func keeping(earliest func(*topic) int64) func(*rules) {
	return func(r *rules) { r.Earliest = earliest }
}

func dropping(drop func(*cursor, int64)) func(*rules) {
	return func(r *rules) { r.Drop = drop }
}

func inRetain(change func(*call)) func(*call) {
	return func(c *call) {
		if _, given := c.Args["retain"]; given && c.Op == "create_topic" {
			change(c)
		}
	}
}

func deleteIf(c *call, condition bool) {
	if condition {
		delete(c.Args, "retain")
	}
}

// atOnce follows the policy as soon as somebody has fallen behind.
func atOnce(policy string) func(*model.PubSub, call, any) any {
	return func(p *model.PubSub, c call, result any) any {
		t := topicOf(p, c)
		if t == nil {
			return result
		}
		for behind := range correct.Cursors(t) {
			switch earliest := correct.Earliest(t); {
			case behind.Next >= earliest || behind.Policy != policy:
			case policy == model.Disconnect:
				correct.Disconnect(t, behind)
			default:
				correct.Drop(behind, earliest)
			}
		}
		return result
	}
}
