package message

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Which nack succeeds, and what it does below the limit (MB-07).
var nacks = []fault{
	{
		Name:  "nack-of-another-attempt",
		What:  "A nack of the offset in flight succeeds whatever its attempt.",
		Case:  "message-nack-of-another-attempt-is-false",
		Rules: nacking(func(g group, offset, _ int64) bool { return g.InFlight && g.Offset == offset }),
	}, {
		Name: "nack-of-a-stale-attempt",
		What: "A nack of an attempt before the one in flight succeeds.",
		Case: "message-nack-of-another-attempt-is-false",
		Rules: nacking(func(g group, offset, attempt int64) bool {
			return g.InFlight && g.Offset == offset && attempt <= g.Attempts
		}),
	}, {
		Name:  "nack-of-another-offset",
		What:  "A nack succeeds whatever its offset, if the attempt is right.",
		Case:  "message-nack-of-another-offset-is-false",
		Rules: nacking(func(g group, _, attempt int64) bool { return g.InFlight && g.Attempts == attempt }),
	}, {
		Name:  "nack-between-nack-and-redelivery",
		What:  "What was rejected may be rejected again before it is delivered again.",
		Case:  "message-nack-between-nack-and-poll-is-false",
		Rules: nacking(func(g group, offset, attempt int64) bool { return g.Offset == offset && g.Attempts == attempt }),
	}, {
		Name: "nack-twice-answers-true",
		What: "A second nack of a delivery is true and does nothing.",
		Case: "message-nack-twice-is-true-once",
		Around: after(func(_ *model.Message, g *group, c call, result any) any {
			return result == true || !g.InFlight && c.Number("offset") == g.Offset && c.Number("attempt") == g.Attempts
		}, "nack"),
	}, {
		Name:  "nack-advances",
		What:  "A nack moves the group on: the message is lost.",
		Case:  "message-nack-redelivers-with-the-next-attempt",
		Rules: func(r *model.MessageRules) { r.Nacked = correct.Acked },
	}, {
		Name:  "nack-keeps-the-delivery-in-flight",
		What:  "A nack changes nothing: the same attempt is in flight.",
		Case:  "message-nack-leaves-nothing-in-flight",
		Rules: func(r *model.MessageRules) { r.Nacked = func(g group) group { return g } },
	}, {
		Name: "nack-redelivers-at-once",
		What: "After a nack the next attempt is in flight without a poll.",
		Case: "message-nack-between-nack-and-poll-is-false",
		Rules: func(r *model.MessageRules) {
			r.Nacked = func(g group) group {
				g.Attempts++
				return g
			}
		},
	}, {
		Name: "nack-counts-an-attempt-of-its-own",
		What: "A nack raises the attempt, and so does the delivery that follows.",
		Case: "message-nack-redelivers-with-the-next-attempt",
		Rules: func(r *model.MessageRules) {
			r.Nacked = func(g group) group {
				g.Attempts++
				return correct.Nacked(g)
			}
		},
	}, {
		Name: "nack-starts-over",
		What: "A nack takes the group back to offset 0.",
		Case: "message-walk-of-three-groups",
		Rules: func(r *model.MessageRules) {
			r.Nacked = func(g group) group {
				g.Offset = 0
				return correct.Nacked(g)
			}
		},
	}, {
		Name: "nack-goes-to-the-end-of-the-log",
		What: "A nack appends the message to the log again and moves on.",
		Case: "message-nack-redelivers-with-the-next-attempt",
		Around: func(m *model.Message) perform {
			return after(func(m *model.Message, g *group, c call, result any) any {
				topic := m.Topics[c.Text("topic")]
				if result == true && g.Offset == c.Number("offset") {
					topic.Log = append(topic.Log, topic.Log[g.Offset])
					*g = moved(*g)
				}
				return result
			}, "nack")(m)
		},
	}, {
		Name:   "mismatched-nack-clears-the-delivery",
		What:   "A nack that is false clears what is in flight.",
		Case:   "message-nack-of-another-offset-is-false",
		Around: after(clearIfFalse, "nack"),
	}, {
		Name:   "mismatched-nack-refused",
		What:   "A nack that matches no delivery is an invalid argument.",
		Case:   "message-nack-of-another-offset-is-false",
		Around: refusingMismatch("nack"),
	},
}

func nacking(may func(g group, offset, attempt int64) bool) func(*model.MessageRules) {
	return func(r *model.MessageRules) { r.MayNack = may }
}

// refusingMismatch raises where there is a group, but not this delivery.
func refusingMismatch(op string) func(*model.Message) perform {
	return faults.Refuses(func(m *model.Message, c call) bool {
		g := groupOf(m, c)
		return g != nil && !correct.MayAck(*g, c.Number("offset"), c.Number("attempt"))
	}, op)
}
