package message

import (
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// What dead_letters answers (MB-08, MB-09, MB-10).
var deadLetters = []fault{
	{
		Name: "dead-letters-shared-between-groups",
		What: "The dead letters of a topic belong to all of its groups.",
		Case: "dead-letters-belong-to-their-group",
		Around: lettersOf(func(m *model.Message, c call) []*group {
			var all []*group
			if topic := m.Topics[c.Text("topic")]; topic != nil {
				for _, g := range topic.Groups {
					all = append(all, g)
				}
			}
			return all
		}),
	}, {
		Name: "dead-letters-shared-between-topics",
		What: "A group has one list of dead letters for all topics.",
		Case: "dead-letters-belong-to-their-topic",
		Around: lettersOf(func(m *model.Message, c call) []*group {
			var all []*group
			for _, topic := range m.Topics {
				if g := topic.Groups[c.Text("group")]; g != nil {
					all = append(all, g)
				}
			}
			return all
		}),
	}, {
		Name: "dead-letters-latest-first",
		What: "Dead letters come in the reverse order of parking.",
		Case: "dead-letters-stand-in-the-order-of-parking",
		Around: inLetters(func(letters []any) []any {
			slices.Reverse(letters)
			return letters
		}),
	}, {
		Name:   "dead-letters-only-the-last",
		What:   "A group remembers the last dead letter alone.",
		Case:   "dead-letters-stand-in-the-order-of-parking",
		Around: inLetters(func(letters []any) []any { return letters[max(0, len(letters)-1):] }),
	}, {
		Name: "dead-letters-taken-out",
		What: "Asking for the dead letters empties them.",
		Case: "dead-letters-are-the-same-when-asked-again",
		Around: after(func(_ *model.Message, g *group, _ call, result any) any {
			g.DeadLetters = nil
			return result
		}, "dead_letters"),
	}, {
		Name:   "dead-letter-attempts-count-retries",
		What:   "A dead letter says how often it was tried again.",
		Case:   "dead-letter-names-topic-offset-payload-and-attempts",
		Around: inLetters(each(func(l map[string]any) { l["attempts"] = l["attempts"].(int64) - 1 })),
	}, {
		Name:   "dead-letter-attempts-one-too-many",
		What:   "A dead letter counts the attempt that was not made.",
		Case:   "dead-letter-names-topic-offset-payload-and-attempts",
		Around: inLetters(each(func(l map[string]any) { l["attempts"] = l["attempts"].(int64) + 1 })),
	}, {
		Name:   "dead-letter-attempts-always-1",
		What:   "A dead letter says one attempt, whatever the limit.",
		Case:   "dead-letter-names-topic-offset-payload-and-attempts",
		Around: inLetters(each(func(l map[string]any) { l["attempts"] = int64(1) })),
	}, {
		Name: "dead-letter-offset-is-its-place",
		What: "A dead letter says its place in the list for its offset.",
		Case: "dead-letters-skip-what-was-acknowledged",
		Around: inLetters(func(letters []any) []any {
			for i, letter := range letters {
				letter.(map[string]any)["offset"] = int64(i)
			}
			return letters
		}),
	}, {
		Name:   "dead-letter-loses-its-payload",
		What:   "A dead letter has an empty payload.",
		Case:   "dead-letter-names-topic-offset-payload-and-attempts",
		Around: inLetters(each(func(l map[string]any) { l["payload"] = "" })),
	}, {
		Name: "dead-letter-names-the-group",
		What: "A dead letter names the group where the topic belongs.",
		Case: "dead-letter-names-topic-offset-payload-and-attempts",
		Around: after(func(_ *model.Message, _ *group, c call, result any) any {
			return each(func(l map[string]any) { l["topic"] = c.Text("group") })(result.([]any))
		}, "dead_letters"),
	}, {
		Name: "dead-letter-carries-the-attempt-in-flight",
		What: "A dead letter calls its attempts an attempt.",
		Case: "dead-letter-names-topic-offset-payload-and-attempts",
		Around: inLetters(each(func(l map[string]any) {
			l["attempt"] = l["attempts"]
			delete(l, "attempts")
		})),
	}, {
		Name: "no-dead-letters-are-null",
		What: "A group without dead letters has null in place of an empty list.",
		Case: "dead-letters-of-an-unknown-group-are-none",
		Around: faults.After(func(_ *model.Message, _ call, result any) any {
			if len(result.([]any)) == 0 {
				return nil
			}
			return result
		}, "dead_letters"),
	}, {
		Name: "dead-letters-reserve-the-next-message",
		What: "Asking for the dead letters polls as well.",
		Case: "dead-letters-deliver-nothing",
		Around: faults.After(func(m *model.Message, c call, result any) any {
			_, _ = m.Call("poll", []any{c.Args["topic"], c.Args["group"]})
			return result
		}, "dead_letters"),
	}, {
		Name: "dead-letters-clear-the-delivery",
		What: "Asking for the dead letters clears what is in flight.",
		Case: "dead-letters-do-not-disturb-the-delivery",
		Around: after(func(_ *model.Message, g *group, _ call, result any) any {
			g.InFlight = false
			return result
		}, "dead_letters"),
	}, {
		Name: "dead-letters-show-what-was-rejected",
		What: "A message that is to be delivered again is among the dead letters.",
		Case: "dead-letters-do-not-disturb-the-delivery",
		Around: after(func(m *model.Message, g *group, c call, result any) any {
			if g.InFlight || g.Attempts == 0 {
				return result
			}
			return append(result.([]any), map[string]any{
				"topic": c.Text("topic"), "offset": g.Offset, "attempts": g.Attempts, "payload": m.Topics[c.Text("topic")].Log[g.Offset],
			})
		}, "dead_letters"),
	},
}

func inLetters(change func([]any) []any) func(*model.Message) perform {
	return faults.After(func(_ *model.Message, _ call, result any) any { return change(result.([]any)) }, "dead_letters")
}

func each(change func(letter map[string]any)) func([]any) []any {
	return func(letters []any) []any {
		for _, letter := range letters {
			change(letter.(map[string]any))
		}
		return letters
	}
}

// lettersOf answers with the dead letters of these groups together, by offset.
func lettersOf(groups func(*model.Message, call) []*group) func(*model.Message) perform {
	return faults.After(func(m *model.Message, c call, _ any) any {
		var letters []model.MessageDeadLetter
		for _, g := range groups(m, c) {
			letters = append(letters, g.DeadLetters...)
		}
		slices.SortFunc(letters, func(a, b model.MessageDeadLetter) int { return int(a.Offset - b.Offset) })
		answer := []any{}
		for _, l := range letters {
			answer = append(answer, map[string]any{
				"topic": c.Text("topic"), "offset": l.Offset, "attempts": l.Attempts, "payload": l.Payload,
			})
		}
		return answer
	}, "dead_letters")
}
