package message

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Calls that fail and leave something behind, that do not fail, or that fail
// otherwise than they must (MB-02, MB-11, the contract's "invalid argument").
var effects = []fault{
	{
		Name:   "invalid-publish-appends",
		What:   "A publish with a bad payload fails and appends an empty one.",
		Case:   "message-no-effect-of-an-invalid-publish",
		Around: doneAllTheSame("publish", map[string]any{"payload": ""}),
	}, {
		Name:   "invalid-ack-moves-the-group-on",
		What:   "An ack with a bad argument fails and acknowledges what is in flight.",
		Case:   "message-no-effect-of-an-invalid-ack",
		Around: insteadOfRefused("ack"),
	}, {
		Name:   "invalid-nack-clears-the-delivery",
		What:   "A nack with a bad argument fails and rejects what is in flight.",
		Case:   "message-no-effect-of-an-invalid-nack",
		Around: insteadOfRefused("nack"),
	}, {
		Name:   "publish-to-an-absent-topic-makes-it",
		What:   "A publish to a topic that does not exist makes it.",
		Case:   "message-unknown-topic-is-invalid-for-every-operation",
		Around: faults.Before(makeTopic, "publish"),
	}, {
		Name:   "poll-of-an-absent-topic-makes-it",
		What:   "A poll of a topic that does not exist makes it.",
		Case:   "message-unknown-topic-is-invalid-for-every-operation",
		Around: faults.Before(makeTopic, "poll"),
	}, {
		Name:   "refused-publish-makes-the-topic",
		What:   "A publish to a topic that does not exist fails and makes it.",
		Case:   "message-unknown-topic-beside-one-that-exists",
		Around: faults.Refusing(makeTopic, "publish"),
	}, {
		Name:   "refused-poll-makes-the-topic",
		What:   "A poll of a topic that does not exist fails and makes it.",
		Case:   "message-unknown-topic-beside-one-that-exists",
		Around: faults.Refusing(makeTopic, "poll"),
	}, {
		Name:   "publish-to-an-absent-topic-answers-minus-1",
		What:   "A publish to a topic that does not exist is -1.",
		Case:   "message-unknown-topic-is-invalid-for-every-operation",
		Around: faults.Answers(int64(-1), absentTopic, "publish"),
	}, {
		Name:   "poll-of-an-absent-topic-answers-null",
		What:   "A poll of a topic that does not exist is null.",
		Case:   "message-unknown-topic-is-invalid-for-every-operation",
		Around: faults.Answers(nil, absentTopic, "poll"),
	}, {
		Name:   "ack-of-an-absent-topic-answers-false",
		What:   "An ack in a topic that does not exist is false.",
		Case:   "message-unknown-topic-is-invalid-for-every-operation",
		Around: faults.Answers(false, absentTopic, "ack"),
	}, {
		Name:   "nack-of-an-absent-topic-answers-false",
		What:   "A nack in a topic that does not exist is false.",
		Case:   "message-unknown-topic-is-invalid-for-every-operation",
		Around: faults.Answers(false, absentTopic, "nack"),
	}, {
		Name:   "dead-letters-of-an-absent-topic-are-empty",
		What:   "A topic that does not exist has no dead letters.",
		Case:   "message-unknown-topic-is-invalid-for-every-operation",
		Around: faults.Answers([]any{}, absentTopic, "dead_letters"),
	}, {
		Name:   "every-refusal-raises-another-error",
		What:   "What should be an invalid argument fails with another type.",
		Case:   "message-unknown-topic-is-invalid-for-every-operation",
		Around: faults.RaisesAnother(faults.Always[*model.Message]),
	}, {
		Name:   "absent-topic-raises-another-error",
		What:   "A topic that does not exist fails with the language's error for a missing key.",
		Case:   "message-unknown-topic-is-invalid-for-every-operation",
		Around: faults.RaisesAnother(absentTopic),
	}, {
		Name:   "ack-in-an-absent-group-refused",
		What:   "An ack in a group that does not exist is an invalid argument.",
		Case:   "message-ack-of-an-unknown-group-is-false",
		Around: faults.Refuses(absentGroup, "ack"),
	}, {
		Name:   "nack-in-an-absent-group-refused",
		What:   "A nack in a group that does not exist is an invalid argument.",
		Case:   "message-nack-of-an-unknown-group-is-false",
		Around: faults.Refuses(absentGroup, "nack"),
	}, {
		Name:   "dead-letters-of-an-absent-group-refused",
		What:   "Asking for the dead letters of a group that does not exist is an invalid argument.",
		Case:   "dead-letters-of-an-unknown-group-are-none",
		Around: faults.Refuses(absentGroup, "dead_letters"),
	}, {
		Name:   "poll-of-an-absent-group-refused",
		What:   "A poll of a group that was not made before is an invalid argument.",
		Case:   "message-poll-makes-the-group-at-offset-0",
		Around: faults.Refuses(absentGroup, "poll"),
	},
}

// insteadOfRefused performs a refused call as it would have been right.
func insteadOfRefused(op string) func(*model.Message) perform {
	return faults.Refusing(func(m *model.Message, c call) {
		if g := groupOf(m, c); g != nil && g.InFlight {
			_, _ = faults.PerformOn(m)(c.With(map[string]any{"offset": g.Offset, "attempt": g.Attempts}))
		}
	}, op)
}

func makeTopic(m *model.Message, c call) {
	if absentTopic(m, c) {
		_, _ = m.Call("create_topic", []any{c.Args["topic"]})
	}
}
