package message

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// What a poll delivers (MB-04, MB-05, MB-07).
var polls = []fault{
	{
		Name:   "attempts-counted-from-0",
		What:   "The first delivery is attempt 0 in what poll answers.",
		Case:   "message-ack-starts-the-next-message-at-attempt-1",
		Around: inDelivery(func(_ *group, d map[string]any) { d["attempt"] = d["attempt"].(int64) - 1 }),
	}, {
		Name: "repeated-poll-counts-as-an-attempt",
		What: "A poll of what is in flight raises its attempt.",
		Case: "field-repeated-poll-counted-as-an-attempt",
		Rules: polling(func(g group) group {
			g.InFlight = true
			g.Attempts++
			return g
		}),
	}, {
		Name: "repeated-poll-answers-null",
		What: "A poll while a delivery is in flight finds nothing.",
		Case: "message-repeated-poll-repeats-the-attempt",
		Around: func(m *model.Message) perform {
			return func(c call) (any, error) {
				if g := groupOf(m, c); c.Op == "poll" && g != nil && g.InFlight {
					return nil, nil
				}
				return faults.PerformOn(m)(c)
			}
		},
	}, {
		Name: "repeated-poll-gives-the-next-message",
		What: "A poll while a delivery is in flight moves on to the next message.",
		Case: "message-repeated-poll-near-the-limit",
		Around: before(func(m *model.Message, g *group, c call) {
			if g.InFlight && g.Offset+1 < int64(len(m.Topics[c.Text("topic")].Log)) {
				*g = moved(*g)
			}
		}, "poll"),
	}, {
		Name: "poll-acknowledges-the-delivery-before",
		What: "A poll while a delivery is in flight acknowledges it, and finds nothing behind the last one.",
		Case: "message-repeated-poll-repeats-the-attempt",
		Around: before(func(_ *model.Message, g *group, _ call) {
			if g.InFlight {
				*g = moved(*g)
			}
		}, "poll"),
	}, {
		Name: "repeated-poll-starts-again-at-attempt-1",
		What: "A poll of what is in flight says attempt 1, whichever it is.",
		Case: "message-repeated-poll-repeats-the-attempt",
		Around: func(m *model.Message) perform {
			return func(c call) (any, error) {
				g := groupOf(m, c)
				again := c.Op == "poll" && g != nil && g.InFlight
				result, err := faults.PerformOn(m)(c)
				if again && err == nil {
					result.(map[string]any)["attempt"] = int64(1)
				}
				return result, err
			}
		},
	}, {
		Name: "poll-does-not-reserve",
		What: "A poll only looks: nothing is in flight behind it.",
		Case: "message-repeated-poll-repeats-the-attempt",
		Around: after(func(_ *model.Message, g *group, _ call, result any) any {
			g.InFlight = false
			return result
		}, "poll"),
	}, {
		Name: "redelivery-has-the-same-attempt",
		What: "What was rejected comes back with the attempt that it had.",
		Case: "message-nack-redelivers-with-the-next-attempt",
		Rules: polling(func(g group) group {
			g.InFlight = true
			g.Attempts = max(1, g.Attempts)
			return g
		}),
	}, {
		Name: "poll-gives-the-latest-message",
		What: "A poll shows the payload of the last message.",
		Case: "message-poll-delivers-one-message-at-a-time",
		Around: after(func(m *model.Message, _ *group, c call, result any) any {
			if delivery, ok := result.(map[string]any); ok {
				log := m.Topics[c.Text("topic")].Log
				delivery["payload"] = log[len(log)-1]
			}
			return result
		}, "poll"),
	}, {
		Name:   "delivery-offset-counted-from-one",
		What:   "Deliveries name their offset counted from one.",
		Case:   "message-ack-starts-the-next-message-at-attempt-1",
		Around: inDelivery(func(_ *group, d map[string]any) { d["offset"] = d["offset"].(int64) + 1 }),
	}, {
		Name: "delivery-names-the-group",
		What: "Deliveries name the group where the topic belongs.",
		Case: "message-ack-starts-the-next-message-at-attempt-1",
		Around: after(func(_ *model.Message, _ *group, c call, result any) any {
			if delivery, ok := result.(map[string]any); ok {
				delivery["topic"] = c.Text("group")
			}
			return result
		}, "poll"),
	}, {
		Name: "delivery-of-an-empty-payload-is-null",
		What: "A poll that finds an empty payload answers as if nothing waited.",
		Case: "message-payload-empty-is-valid",
		Around: after(func(_ *model.Message, _ *group, _ call, result any) any {
			if delivery, ok := result.(map[string]any); ok && delivery["payload"] == "" {
				return nil
			}
			return result
		}, "poll"),
	}, {
		Name: "poll-at-the-end-refused",
		What: "A poll that finds nothing is an invalid argument.",
		Case: "message-poll-of-an-empty-topic-is-null",
		Around: faults.Refuses(func(m *model.Message, c call) bool {
			topic := m.Topics[c.Text("topic")]
			return topic != nil && (len(topic.Log) == 0 || groupOf(m, c) != nil && groupOf(m, c).Offset == int64(len(topic.Log)))
		}, "poll"),
	}, {
		Name: "poll-at-the-end-goes-round",
		What: "A group that has read everything begins again.",
		Case: "message-poll-after-the-last-ack-is-null",
		Around: before(func(m *model.Message, g *group, c call) {
			if log := m.Topics[c.Text("topic")].Log; g.Offset == int64(len(log)) {
				g.Offset = 0
			}
		}, "poll"),
	}, {
		Name: "poll-at-the-end-uses-an-attempt",
		What: "A poll that finds nothing counts as an attempt of the message to come.",
		Case: "message-poll-that-found-nothing-counts-no-attempt",
		Around: after(func(_ *model.Message, g *group, _ call, result any) any {
			if result == nil {
				g.Attempts++
			}
			return result
		}, "poll"),
	},
}

func polling(polled func(group) group) func(*model.MessageRules) {
	return func(r *model.MessageRules) { r.Polled = polled }
}

// moved is a group that acknowledged its delivery.
func moved(g group) group { return correct.Acked(g) }

// inDelivery changes what a poll delivers.
func inDelivery(change func(g *group, delivery map[string]any)) func(*model.Message) perform {
	return after(func(_ *model.Message, g *group, _ call, result any) any {
		if delivery, ok := result.(map[string]any); ok {
			change(g, delivery)
		}
		return result
	}, "poll")
}
