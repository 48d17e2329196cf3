package pubsub

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// What is told about a subscription (PS-04, PS-16, PS-17).
var answersAbout = []fault{
	{
		Name:   "offset-of-the-absent-answers-0",
		What:   "The place of what does not exist is 0.",
		Case:   "pubsub-offset-of-what-is-absent-is-minus-1",
		Around: whenAbsent(int64(0), "offset"),
	}, {
		Name:   "offset-of-the-absent-refused",
		What:   "Asking for the place of what does not exist is an invalid argument.",
		Case:   "pubsub-offset-of-what-is-absent-is-minus-1",
		Around: faults.Refuses(absent, "offset"),
	}, {
		Name:   "offset-of-the-last-message",
		What:   "The place that is told is that of the message offered last.",
		Case:   "pubsub-offset-moves-by-confirmation",
		Around: after(func(_ *topic, _ *subscription, result any) any { return result.(int64) - 1 }, "offset"),
	}, {
		Name:   "offset-of-the-end",
		What:   "The place that is told is the end of the log.",
		Case:   "pubsub-offset-is-not-moved-by-publishing",
		Around: after(func(t *topic, _ *subscription, _ any) any { return t.End() }, "offset"),
	}, {
		Name:   "offset-tells-how-many-wait",
		What:   "What is told for the place is how many messages wait.",
		Case:   "pubsub-offset-is-not-moved-by-publishing",
		Around: after(func(t *topic, s *subscription, _ any) any { return t.End() - s.Cursor.Next }, "offset"),
	},
	status("status-tells-no-tries", "The status has no failed tries.", "status-counts-failed-tries", func(_ *subscription, status map[string]any) {
		status["attempts"] = int64(0)
	}),
	status("status-tells-the-try-to-come", "The status counts the try to come.", "status-of-a-new-subscription", func(_ *subscription, status map[string]any) {
		status["attempts"] = number(status, "attempts") + 1
	}),
	status("status-tells-nothing-lost", "The status has no messages lost.", "status-counts-lost-messages", func(_ *subscription, status map[string]any) {
		status["lost"] = int64(0)
	}),
	status("status-tells-the-parked-as-lost", "The status counts dead letters as lost.", "status-counts-failed-tries", func(s *subscription, status map[string]any) {
		status["lost"] = number(status, "lost") + int64(len(s.Cursor.Parked))
	}),
	status("status-tells-the-tries-of-what-is-redelivered", "The status has the failed tries of a dead letter that is offered again.", "status-does-not-tell-the-tries-of-dead-letters",
		func(s *subscription, status map[string]any) {
			if again := s.Cursor.Again; len(again) > 0 {
				status["attempts"] = again[0].Attempts
			}
		}),
	status("status-tells-the-place-of-what-is-redelivered", "The status has the offset of a dead letter that is offered again.", "status-does-not-tell-the-tries-of-dead-letters",
		func(s *subscription, status map[string]any) {
			if again := s.Cursor.Again; len(again) > 0 {
				status["offset"] = again[0].Offset
			}
		}),
	{
		Name:   "status-of-the-absent-subscribed",
		What:   "The status of what does not exist is that it is subscribed.",
		Case:   "status-of-what-is-absent",
		Around: inStatusOfTheAbsent(func(status map[string]any) { status["subscribed"] = true }),
	}, {
		Name:   "status-of-the-absent-at-0",
		What:   "The status of what does not exist has the offset 0.",
		Case:   "status-of-what-is-absent",
		Around: inStatusOfTheAbsent(func(status map[string]any) { status["offset"] = int64(0) }),
	}, {
		Name:   "status-of-the-absent-disconnected",
		What:   "The status of what does not exist is that it was disconnected.",
		Case:   "status-of-what-is-absent",
		Around: inStatusOfTheAbsent(func(status map[string]any) { status["disconnected"] = true }),
	}, {
		Name:   "status-of-the-disconnected-without-reason",
		What:   "The status does not tell that a subscription was disconnected.",
		Case:   "status-of-a-disconnected-name",
		Around: inStatusOfTheAbsent(func(status map[string]any) { status["disconnected"] = false }),
	}, {
		Name:   "status-of-the-absent-refused",
		What:   "Asking for the status of what does not exist is an invalid argument.",
		Case:   "status-of-what-is-absent",
		Around: faults.Refuses(absent, "status"),
	}, {
		Name: "status-forgets-the-reason-when-it-told-it",
		What: "The reason of a disconnection is told once.",
		Case: "status-of-a-disconnected-name",
		Around: faults.After(func(p *model.PubSub, c call, result any) any {
			if t := topicOf(p, c); t != nil {
				delete(t.Disconnected, c.Text("name"))
			}
			return result
		}, "status"),
	}, {
		Name:   "reason-outlives-a-new-subscription",
		What:   "The reason of a disconnection is told when the name has subscribed again and left.",
		Case:   "status-of-a-disconnected-name-that-subscribes-again",
		Around: keepingReasons("subscribe"),
	}, {
		Name:   "reason-outlives-unsubscribe",
		What:   "The reason of a disconnection is told also when the name was unsubscribed.",
		Case:   "status-of-a-disconnected-name",
		Around: keepingReasons("unsubscribe"),
	},
}

// status changes what is told about a subscription that exists.
func status(name, what, caughtBy string, change func(s *subscription, status map[string]any)) fault {
	return fault{
		Name: name,
		What: what,
		Case: caughtBy,
		Around: after(func(_ *topic, s *subscription, result any) any {
			change(s, result.(map[string]any))
			return result
		}, "status"),
	}
}

func inStatusOfTheAbsent(change func(map[string]any)) func(*model.PubSub) perform {
	return faults.After(func(p *model.PubSub, c call, result any) any {
		if absent(p, c) {
			change(result.(map[string]any))
		}
		return result
	}, "status")
}

// keepingReasons keeps what the operation forgets.
func keepingReasons(op string) func(*model.PubSub) perform {
	return func(p *model.PubSub) perform {
		return func(c call) (any, error) {
			t := topicOf(p, c)
			kept := c.Op == op && t != nil && t.Disconnected[c.Text("name")]
			result, err := faults.PerformOn(p)(c)
			if kept {
				t.Disconnected[c.Text("name")] = true
			}
			return result, err
		}
	}
}
