package message

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// When a message is parked, and what becomes of its group (MB-08).
var parking = []fault{
	{
		Name:  "limit-counts-retries",
		What:  "A limit of N gives N+1 deliveries.",
		Case:  "field-attempts-vs-retries-off-by-one",
		Rules: givingUp(func(g group, limit int64) bool { return g.Attempts == limit+1 }),
	}, {
		Name:  "limit-reached-one-too-early",
		What:  "A limit of N gives N-1 deliveries, but for the limit 1.",
		Case:  "field-attempts-vs-retries-off-by-one",
		Rules: givingUp(func(g group, limit int64) bool { return g.Attempts >= max(1, limit-1) }),
	}, {
		Name:  "limit-ignored",
		What:  "A message is delivered until it is acknowledged.",
		Case:  "field-limit-of-zero-or-one",
		Rules: givingUp(func(group, int64) bool { return false }),
	}, {
		Name:  "every-nack-parks",
		What:  "The first nack parks the message, whatever the limit.",
		Case:  "message-nack-redelivers-with-the-next-attempt",
		Rules: givingUp(func(group, int64) bool { return true }),
	}, {
		Name: "limit-reached-at-the-next-poll",
		What: "The message is parked by the poll that would be one too many, not by the last nack.",
		Case: "dead-letters-appear-with-the-nack",
		Around: func(m *model.Message) perform {
			hidden := map[*group]int{}
			return func(c call) (any, error) {
				g := groupOf(m, c)
				result, err := faults.PerformOn(m)(c)
				switch {
				case err != nil || g == nil:
				case c.Op == "nack" && result == true:
					hidden[g] = len(g.DeadLetters)
				case c.Op == "poll":
					hidden[g] = 0
				case c.Op == "dead_letters" && hidden[g] > 0 && !g.InFlight && g.Attempts == 0:
					return result.([]any)[:hidden[g]-1], nil
				}
				return result, err
			}
		},
	}, {
		Name: "parked-twice",
		What: "The last nack appends the message to the dead letters twice.",
		Case: "field-second-nack-duplicates-the-dead-letter",
		Around: whenParked(func(g *group) {
			g.DeadLetters = append(g.DeadLetters, g.DeadLetters[len(g.DeadLetters)-1])
		}),
	}, {
		Name: "second-nack-parks-again",
		What: "A nack of what was parked last is false and parks it again.",
		Case: "field-second-nack-duplicates-the-dead-letter",
		Around: after(func(_ *model.Message, g *group, c call, result any) any {
			if n := len(g.DeadLetters); result == false && n > 0 && g.DeadLetters[n-1].Offset == c.Number("offset") {
				g.DeadLetters = append(g.DeadLetters, g.DeadLetters[n-1])
			}
			return result
		}, "nack"),
	}, {
		Name: "parked-and-delivered-again",
		What: "The last nack parks the message and leaves the group at it.",
		Case: "field-limit-of-zero-or-one",
		Rules: func(r *model.MessageRules) {
			r.Parked = func(g group) group { g.InFlight, g.Attempts = false, 0; return g }
		},
	}, {
		Name:  "parked-and-kept-in-flight",
		What:  "The last nack parks the message and leaves it in flight.",
		Case:  "field-second-nack-duplicates-the-dead-letter",
		Rules: func(r *model.MessageRules) { r.Parked = func(g group) group { return g } },
	}, {
		Name: "parking-keeps-the-attempts",
		What: "The message behind a parked one goes on with its attempts.",
		Case: "message-nack-counts-start-anew-after-a-dead-letter",
		Rules: func(r *model.MessageRules) {
			r.Parked = func(g group) group {
				g.Offset++
				g.InFlight = false
				return g
			}
		},
	}, {
		Name: "parking-skips-the-next-message",
		What: "The last nack moves the group past the message that follows.",
		Case: "message-nack-at-the-limit-moves-on",
		Around: after(func(m *model.Message, g *group, c call, result any) any {
			if result == true && g.Attempts == 0 && g.Offset < int64(len(m.Topics[c.Text("topic")].Log)) {
				g.Offset++
			}
			return result
		}, "nack"),
	}, {
		Name:   "parked-nowhere",
		What:   "The last nack drops the message.",
		Case:   "field-limit-of-zero-or-one",
		Around: whenParked(func(g *group) { g.DeadLetters = g.DeadLetters[:len(g.DeadLetters)-1] }),
	}, {
		Name:   "last-nack-answers-false",
		What:   "The nack that parks is false.",
		Case:   "field-limit-of-zero-or-one",
		Around: after(func(_ *model.Message, g *group, _ call, result any) any { return result == true && g.Attempts != 0 }, "nack"),
	}, {
		Name: "acknowledged-at-the-limit-parked-too",
		What: "An ack of the last attempt parks the message as well.",
		Case: "message-ack-of-the-last-attempt-parks-nothing",
		Around: func(m *model.Message) perform {
			return func(c call) (any, error) {
				g := groupOf(m, c)
				last := c.Op == "ack" && g != nil && g.Attempts == m.MaxAttempts
				result, err := faults.PerformOn(m)(c)
				if last && result == true {
					payload := m.Topics[c.Text("topic")].Log[g.Offset-1]
					g.DeadLetters = append(g.DeadLetters, model.MessageDeadLetter{Offset: g.Offset - 1, Payload: payload, Attempts: m.MaxAttempts})
				}
				return result, err
			}
		},
	},
}

func givingUp(when func(g group, limit int64) bool) func(*model.MessageRules) {
	return func(r *model.MessageRules) { r.GivesUp = when }
}

// whenParked does something after each nack that parked a message.
func whenParked(do func(*group)) func(*model.Message) perform {
	return func(m *model.Message) perform {
		parked := map[*group]int{}
		return after(func(_ *model.Message, g *group, _ call, result any) any {
			if len(g.DeadLetters) > parked[g] {
				do(g)
			}
			parked[g] = len(g.DeadLetters)
			return result
		}, "nack")(m)
	}
}
