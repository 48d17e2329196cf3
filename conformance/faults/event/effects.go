package event

import (
	"math"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Calls that fail and leave something behind, that do not fail, or that fail
// otherwise than they must (EB-03, EB-04).
var effects = []Fault{
	{
		Name:   "invalid-create-leaves-the-topic",
		What:   "A create with a bad count of partitions leaves a topic with one.",
		Case:   "create-0-partitions-is-invalid",
		Around: doneAllTheSame("create", map[string]any{"partition_count": int64(1)}),
	}, {
		Name: "invalid-join-leaves-the-group",
		What: "A join with a bad member leaves its group behind, without members.",
		Case: "no-effect-of-a-join-with-a-bad-member",
		Around: faults.Refusing(func(e *model.Event, c Call) {
			if absentGroup(e, c) {
				good := c.With(map[string]any{"member": "m"})
				_, _ = faults.PerformOn(e)(good)
				_, _ = faults.PerformOn(e)(good.As("leave"))
			}
		}, "join"),
	}, {
		Name:   "invalid-join-leaves-the-member",
		What:   "A join with a bad member takes its place in the group.",
		Case:   "no-effect-of-a-join-with-a-bad-member-on-the-group-that-exists",
		Around: doneAllTheSame("join", map[string]any{"member": "invalid"}),
	}, {
		Name: "invalid-publish-uses-an-offset",
		What: "A publish with a bad payload leaves a gap in the offsets.",
		Case: "no-effect-of-a-publish-with-a-bad-payload",
		Around: faults.Refusing(func(e *model.Event, c Call) {
			if log := placeOf(e, c).partition; log != nil {
				log.Next++
			}
		}, "publish"),
	}, {
		Name:   "invalid-publish-appends",
		What:   "A publish with a bad payload fails and appends an empty one.",
		Case:   "no-effect-of-a-publish-with-a-bad-payload",
		Around: doneAllTheSame("publish", map[string]any{"payload": ""}),
	}, {
		Name: "publish-to-a-bad-partition-appends",
		What: "A publish to a partition out of range fails and appends to partition 0.",
		Case: "no-effect-of-a-publish-with-a-bad-partition",
		Around: faults.Refusing(func(e *model.Event, c Call) {
			if outOfRange(e, c) {
				_, _ = faults.PerformOn(e)(c.With(map[string]any{"partition": int64(0)}))
			}
		}, "publish"),
	}, {
		Name:   "invalid-poll-reserves",
		What:   "A poll with a bad limit fails and reserves what is ready.",
		Case:   "no-effect-of-a-poll-with-a-bad-limit",
		Around: doneAllTheSame("poll", map[string]any{"max_records": int64(64)}),
	}, {
		Name:   "invalid-poll-makes-the-group",
		What:   "A poll with a bad limit makes the group that does not exist.",
		Case:   "no-effect-of-invalid-calls-on-an-absent-group",
		Around: faults.Refusing(makeGroup, "poll"),
	}, {
		Name:   "invalid-ack-clears-the-delivery",
		What:   "An ack with a negative offset fails and clears the delivery.",
		Case:   "no-effect-of-an-ack-with-a-bad-argument",
		Around: faults.Refusing(clearInFlight, "ack"),
	}, {
		Name: "invalid-ack-commits-the-delivery",
		What: "An ack with a negative offset fails and commits what is in flight.",
		Case: "ack-negative-offset-is-invalid",
		Around: faults.Refusing(func(e *model.Event, c Call) {
			if cursor := placeOf(e, c).cursor; cursor != nil {
				_, _ = faults.PerformOn(e)(c.With(map[string]any{"offset": cursor.InFlight}))
			}
		}, "ack"),
	}, {
		Name:   "invalid-retry-clears-the-delivery",
		What:   "A retry with a negative offset fails and clears the delivery.",
		Case:   "no-effect-of-a-retry-with-a-bad-argument",
		Around: faults.Refusing(clearInFlight, "retry"),
	}, {
		Name: "invalid-leave-empties-the-group",
		What: "A leave with a bad member fails and takes all members out of the group.",
		Case: "no-effect-of-an-invalid-leave",
		Around: faults.Refusing(func(e *model.Event, c Call) {
			if group := placeOf(e, c).group; group != nil {
				for len(group.Members) > 0 {
					_, _ = faults.PerformOn(e)(c.With(map[string]any{"member": group.Members[0]}))
				}
			}
		}, "leave"),
	}, {
		Name:   "publish-to-an-absent-topic-makes-it",
		What:   "A publish to a topic that does not exist makes it, with as many partitions as it takes.",
		Case:   "no-effect-of-a-publish-to-an-unknown-topic",
		Around: makingTopic("publish"),
	}, {
		Name:   "join-of-an-absent-topic-makes-it",
		What:   "A join of a topic that does not exist makes it, with one partition.",
		Case:   "join-unknown-topic-is-invalid",
		Around: makingTopic("join"),
	}, {
		Name:   "refused-publish-makes-the-topic",
		What:   "A publish to a topic that does not exist fails and makes it.",
		Case:   "no-effect-of-a-publish-to-an-unknown-topic",
		Around: faults.Refusing(makeTopic, "publish"),
	}, {
		Name:   "refused-join-makes-the-topic",
		What:   "A join of a topic that does not exist fails and makes it.",
		Case:   "join-unknown-topic-is-invalid",
		Around: faults.Refusing(makeTopic, "join"),
	}, {
		Name:   "join-of-an-absent-topic-answers-empty",
		What:   "A join of a topic that does not exist returns no partitions.",
		Case:   "join-unknown-topic-is-invalid",
		Around: faults.Answers([]any{}, absentTopic, "join"),
	}, {
		Name:   "leave-of-an-absent-topic-answers-false",
		What:   "A leave from a topic that does not exist is false.",
		Case:   "leave-unknown-topic-is-invalid",
		Around: faults.Answers(false, absentTopic, "leave"),
	}, {
		Name:   "publish-to-an-absent-topic-answers-full",
		What:   "A publish to a topic that does not exist is -1.",
		Case:   "topic-unknown-is-invalid-for-every-operation",
		Around: faults.Answers(model.Full, absentTopic, "publish"),
	}, {
		Name:   "poll-of-an-absent-topic-answers-empty",
		What:   "A poll of a topic that does not exist returns no records.",
		Case:   "poll-unknown-topic-is-invalid",
		Around: faults.Answers([]any{}, absentTopic, "poll"),
	}, {
		Name:   "ack-of-an-absent-topic-answers-false",
		What:   "An ack in a topic that does not exist is false.",
		Case:   "ack-unknown-topic-is-invalid",
		Around: faults.Answers(false, absentTopic, "ack"),
	}, {
		Name:   "retry-of-an-absent-topic-answers-false",
		What:   "A retry in a topic that does not exist is false.",
		Case:   "retry-unknown-topic-is-invalid",
		Around: faults.Answers(false, absentTopic, "retry"),
	}, {
		Name:   "every-refusal-raises-another-error",
		What:   "What should be an invalid argument fails with another type.",
		Case:   "create-0-partitions-is-invalid",
		Around: faults.RaisesAnother(faults.Always[*model.Event]),
	}, {
		Name:   "absent-topic-raises-another-error",
		What:   "A topic that does not exist fails with the language's error for a missing key.",
		Case:   "topic-unknown-is-invalid-for-every-operation",
		Around: faults.RaisesAnother(absentTopic),
	}, {
		Name:   "bad-partition-raises-another-error",
		What:   "A partition out of range fails with the language's error for a bad index.",
		Case:   "publish-partition-out-of-range-is-invalid",
		Around: faults.RaisesAnother(outOfRange),
	}, {
		Name: "null-raises-another-error",
		What: "A null string fails with the language's error for a wrong type.",
		Case: "null-names-in-join",
		Around: faults.RaisesAnother(func(_ *model.Event, c Call) bool {
			for _, value := range c.Args {
				if value == nil {
					return true
				}
			}
			return false
		}),
	}, {
		Name: "text-not-utf8-raises-another-error",
		What: "A payload that is not UTF-8 fails with the language's error for a bad encoding.",
		Case: "payload-byte-ff-is-invalid",
		Around: faults.RaisesAnother(func(_ *model.Event, c Call) bool {
			return c.Op == "publish" && !correct.Payload(c.Text("payload"), math.MaxInt64)
		}),
	},
}

func clearInFlight(e *model.Event, c Call) {
	if cursor := placeOf(e, c).cursor; cursor != nil {
		cursor.InFlight = model.NoDelivery
	}
}

// makeTopic makes the topic of a call where it is absent, with one partition.
func makeTopic(e *model.Event, c Call) {
	if absentTopic(e, c) {
		_, _ = e.Call("create", []any{c.Args["topic"], int64(1)})
	}
}

// makingTopic has an operation make the topic that it does not find.
func makingTopic(op string) around {
	return faults.Before(func(e *model.Event, c Call) {
		if absentTopic(e, c) {
			_, _ = e.Call("create", []any{c.Args["topic"], max(1, c.Number("partition")+1)})
		}
	}, op)
}
