package pubsub

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// What is judged first, and what a call that fails leaves behind (PS-16, the
// contract's "invalid argument").
var effects = []fault{
	absentFirst("publish", model.Absent, "pubsub-bad-topic-with-an-absent-name-is-invalid"),
	absentFirst("offset", model.Absent, "pubsub-bad-name-on-an-absent-topic-is-invalid"),
	absentFirst("unsubscribe", false, "pubsub-bad-name-on-an-absent-topic-is-invalid"),
	absentFirst("seek", false, "pubsub-bad-name-on-an-absent-topic-is-invalid"),
	absentFirst("dead_letters", []any{}, "pubsub-bad-name-on-an-absent-topic-is-invalid"),
	absentFirst("redeliver", int64(0), "redeliver-with-bad-names-is-invalid"),
	{
		Name: "payload-judged-behind-the-topic",
		What: "A publish of a bad payload to a topic that does not exist answers -1.",
		Case: "pubsub-bad-payload-to-an-absent-topic-is-invalid",
		Around: faults.Answers(model.Absent, func(p *model.PubSub, c call) bool {
			return absentTopic(p, c) && correct.Identifier(c.Text("topic"))
		}, "publish"),
	}, {
		Name: "offset-judged-behind-the-subscription",
		What: "A seek to a negative offset is false where there is no such subscription.",
		Case: "pubsub-negative-offset-on-an-absent-topic-is-invalid",
		Around: faults.Answers(false, func(p *model.PubSub, c call) bool {
			return absent(p, c) && correct.Identifier(c.Text("topic")) && correct.Identifier(c.Text("name"))
		}, "seek"),
	}, {
		Name:   "retain-judged-behind-the-topic",
		What:   "A duplicate create_topic is false, whatever its options are.",
		Case:   "pubsub-duplicate-create-with-a-bad-retain-is-invalid",
		Around: faults.Answers(false, presentTopic, "create_topic"),
	}, {
		Name:   "invalid-create-topic-makes-it",
		What:   "A create_topic with a bad option fails and makes the topic.",
		Case:   "pubsub-create-with-a-negative-retain-makes-nothing",
		Around: faults.Refusing(func(p *model.PubSub, c call) { _, _ = faults.PerformOn(p)(without(c, "retain")) }, "create_topic"),
	}, {
		Name:   "invalid-publish-appends",
		What:   "A publish with a bad payload fails and appends an empty one.",
		Case:   "pubsub-publish-refused-uses-no-offset",
		Around: doneAllTheSame("publish", map[string]any{"payload": ""}),
	}, {
		Name: "invalid-subscribe-subscribes",
		What: "A subscribe with a bad option fails and subscribes without it.",
		Case: "pubsub-refused-subscribe-leaves-nothing",
		Around: faults.Refusing(func(p *model.PubSub, c call) {
			_, _ = faults.PerformOn(p)(without(c, "group", "policy", "filter"))
		}, "subscribe"),
	}, {
		Name: "invalid-subscribe-makes-the-group",
		What: "A subscribe to a group with a filter or a policy that is refused makes the group.",
		Case: "pubsub-filter-together-with-a-group-is-invalid",
		Around: faults.Refusing(func(p *model.PubSub, c call) {
			t := topicOf(p, c)
			if group := c.Text("group"); t != nil && correct.Identifier(group) && t.Groups[group] == nil {
				t.Groups[group] = &cursor{Policy: "drop", Next: t.End()}
			}
		}, "subscribe"),
	}, {
		Name: "invalid-subscribe-forgets-the-reason",
		What: "A subscribe that is refused clears the reason of a disconnection.",
		Case: "status-of-a-disconnected-name-after-a-refused-subscribe",
		Around: faults.Refusing(func(p *model.PubSub, c call) {
			if t := topicOf(p, c); t != nil {
				delete(t.Disconnected, c.Text("name"))
			}
		}, "subscribe"),
	}, {
		Name: "invalid-seek-moves-to-the-beginning",
		What: "A seek to a negative offset fails and moves to offset 0.",
		Case: "pubsub-seek-to-a-negative-offset-is-invalid",
		Around: faults.Refusing(func(p *model.PubSub, c call) {
			if s := of(p, c); s != nil && negative("offset")(p, c) {
				s.Cursor.Next = 0
			}
		}, "seek"),
	}, {
		Name:   "errors-of-another-type",
		What:   "Calls fail with an error of another type.",
		Case:   "pubsub-subscribe-to-an-absent-topic-is-invalid",
		Around: faults.RaisesAnother(faults.Always[*model.PubSub]),
	}, {
		Name:   "seek-outside-the-log-of-another-type",
		What:   "A seek past the end fails with an error of another type.",
		Case:   "pubsub-seek-past-the-end-is-invalid",
		Around: faults.RaisesAnother(func(p *model.PubSub, c call) bool { return c.Op == "seek" && present(p, c) && c.Number("offset") >= 0 }),
	}, {
		Name:   "name-in-use-of-another-type",
		What:   "A name in use fails with an error of another type.",
		Case:   "pubsub-subscribe-under-a-name-in-use-is-invalid",
		Around: faults.RaisesAnother(func(p *model.PubSub, c call) bool { return c.Op == "subscribe" && present(p, c) }),
	}, {
		Name:   "absent-topic-of-another-type",
		What:   "A subscribe to a topic that does not exist fails with an error of another type.",
		Case:   "pubsub-subscribe-to-an-absent-topic-is-invalid",
		Around: faults.RaisesAnother(func(p *model.PubSub, c call) bool { return c.Op == "subscribe" && absentTopic(p, c) }),
	}, {
		Name: "failing-call-ends-the-handler",
		What: "A call of a handler that is refused makes the message a failure.",
		Case: "pubsub-drain-calls-of-a-handler-that-fail-are-its-own-matter",
		Around: func(p *model.PubSub) perform {
			refused := false
			outcome := p.Rules.Outcome
			p.Rules.Outcome = func(ret any) model.PubSubOutcome {
				defer func() { refused = false }()
				if refused {
					return model.Failed
				}
				return outcome(ret)
			}
			return nesting(func(p *model.PubSub, c call, inside bool) (any, error) {
				result, err := faults.PerformOn(p)(c)
				refused = refused || inside && err != nil
				return result, err
			})(p)
		},
	}, {
		Name:   "creating-a-topic-in-a-handler-does-nothing",
		What:   "Nobody makes a topic while a handler runs.",
		Case:   "pubsub-drain-leaves-a-topic-created-by-a-handler",
		Around: notInside("create_topic", true),
	},
}

// absentFirst answers about what does not exist without judging its name.
func absentFirst(op string, answer any, caughtBy string) fault {
	return fault{
		Name:   faults.Kebab(op) + "-looks-before-it-judges",
		What:   "A malformed name in " + op + " is one that does not exist.",
		Case:   caughtBy,
		Around: faults.Answers(answer, malformedName, op),
	}
}

func malformedName(_ *model.PubSub, c call) bool {
	_, named := c.Args["name"]
	return !correct.Identifier(c.Text("topic")) || named && !correct.Identifier(c.Text("name"))
}

// without is the same call without these options.
func without(c call, options ...string) call {
	other := c.With(nil)
	for _, option := range options {
		delete(other.Args, option)
	}
	return other
}
