package message

import "github.com/eventbroker/eventbroker/conformance/model"

// Which ack succeeds, and what it does (MB-06, MB-07).
var acks = []fault{
	{
		Name:  "ack-of-another-attempt",
		What:  "An ack of the offset in flight succeeds whatever its attempt.",
		Case:  "message-ack-of-another-attempt-is-false",
		Rules: acking(func(g group, offset, _ int64) bool { return g.InFlight && g.Offset == offset }),
	}, {
		Name: "ack-of-a-stale-attempt",
		What: "An ack of an attempt before the one in flight succeeds.",
		Case: "message-ack-of-another-attempt-is-false",
		Rules: acking(func(g group, offset, attempt int64) bool {
			return g.InFlight && g.Offset == offset && attempt <= g.Attempts
		}),
	}, {
		Name:  "ack-of-another-offset",
		What:  "An ack succeeds whatever its offset, if the attempt is right.",
		Case:  "message-ack-of-another-offset-is-false",
		Rules: acking(func(g group, _, attempt int64) bool { return g.InFlight && g.Attempts == attempt }),
	}, {
		Name: "ack-of-the-offset-behind",
		What: "An ack may name the next offset to read, as a commit does in Kafka.",
		Case: "message-ack-of-another-offset-is-false",
		Rules: acking(func(g group, offset, attempt int64) bool {
			return g.InFlight && g.Attempts == attempt && (offset == g.Offset || offset == g.Offset+1)
		}),
	}, {
		Name: "ack-of-an-earlier-offset",
		What: "An ack of an offset before the one in flight succeeds.",
		Case: "message-ack-of-another-offset-is-false",
		Rules: acking(func(g group, offset, attempt int64) bool {
			return g.InFlight && g.Attempts == attempt && offset <= g.Offset
		}),
	}, {
		Name:  "ack-between-nack-and-redelivery",
		What:  "What was rejected may be acknowledged until it is delivered again.",
		Case:  "message-ack-between-nack-and-poll-is-false",
		Rules: acking(func(g group, offset, attempt int64) bool { return g.Offset == offset && g.Attempts == attempt }),
	}, {
		Name: "ack-without-a-delivery",
		What: "An ack of the message to come succeeds without a poll.",
		Case: "message-ack-of-the-next-message-before-its-poll-is-false",
		Around: before(func(m *model.Message, g *group, c call) {
			if !g.InFlight && g.Offset < int64(len(m.Topics[c.Text("topic")].Log)) && g.Attempts == 0 {
				*g = correct.Polled(*g)
			}
		}, "ack"),
	}, {
		Name: "ack-twice-answers-true",
		What: "An ack of what was acknowledged before is true.",
		Case: "message-ack-twice-is-true-once",
		Around: after(func(_ *model.Message, g *group, c call, result any) any {
			return result == true || c.Number("offset") < g.Offset
		}, "ack"),
	}, {
		Name:  "ack-does-not-advance",
		What:  "An ack clears the delivery and leaves the group where it was.",
		Case:  "message-ack-moves-on-by-one",
		Rules: func(r *model.MessageRules) { r.Acked = correct.Nacked },
	}, {
		Name: "ack-keeps-the-delivery-in-flight",
		What: "After an ack the next message is in flight at once.",
		Case: "message-ack-of-the-next-message-before-its-poll-is-false",
		Around: after(func(m *model.Message, g *group, c call, result any) any {
			if result == true && g.Offset < int64(len(m.Topics[c.Text("topic")].Log)) {
				*g = correct.Polled(*g)
			}
			return result
		}, "ack"),
	}, {
		Name: "ack-keeps-the-attempts",
		What: "The next message goes on with the attempts of the one before.",
		Case: "message-ack-starts-the-next-message-at-attempt-1",
		Rules: func(r *model.MessageRules) {
			r.Acked = func(g group) group {
				g.Offset++
				g.InFlight = false
				g.Attempts--
				return g
			}
		},
	}, {
		Name: "ack-moves-to-the-end",
		What: "An ack moves the group behind the last message.",
		Case: "message-ack-moves-on-by-one",
		Around: after(func(m *model.Message, g *group, c call, result any) any {
			if result == true {
				g.Offset = int64(len(m.Topics[c.Text("topic")].Log))
			}
			return result
		}, "ack"),
	}, {
		Name: "ack-clears-the-dead-letters",
		What: "An ack empties the dead letters of its group.",
		Case: "dead-letters-stay-when-the-group-goes-on",
		Around: after(func(_ *model.Message, g *group, _ call, result any) any {
			if result == true {
				g.DeadLetters = nil
			}
			return result
		}, "ack"),
	}, {
		Name:   "mismatched-ack-clears-the-delivery",
		What:   "An ack that is false clears what is in flight.",
		Case:   "message-ack-that-is-false-changes-nothing",
		Around: after(clearIfFalse, "ack"),
	}, {
		Name: "mismatched-ack-is-a-nack",
		What: "An ack of another attempt rejects the delivery.",
		Case: "message-ack-that-is-false-changes-nothing",
		Around: after(func(m *model.Message, g *group, c call, result any) any {
			if result == false && g.InFlight {
				_, _ = m.Call("nack", []any{c.Args["topic"], c.Args["group"], g.Offset, g.Attempts})
			}
			return result
		}, "ack"),
	}, {
		Name:   "mismatched-ack-refused",
		What:   "An ack that matches no delivery is an invalid argument.",
		Case:   "message-ack-of-another-offset-is-false",
		Around: refusingMismatch("ack"),
	},
}

func acking(may func(g group, offset, attempt int64) bool) func(*model.MessageRules) {
	return func(r *model.MessageRules) { r.MayAck = may }
}

func clearIfFalse(_ *model.Message, g *group, _ call, result any) any {
	if result == false {
		g.InFlight = false
	}
	return result
}
