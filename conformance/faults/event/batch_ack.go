package event

import (
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

var batchesOfPositions = []Fault{
	{
		Name:   "acks-answer-by-partition",
		What:   "The positions of a batch are taken, and answered, in the order of their partitions.",
		Case:   "batch-ack-partitions-in-any-order",
		Around: byPartition("ack_many", "positions"),
	}, {
		Name:   "acks-begin-at-the-last-position",
		What:   "The positions of a batch are acknowledged from the last to the first.",
		Case:   "batch-ack-the-same-twice",
		Around: inTurn("ack_many", backward),
	}, {
		Name: "acks-are-all-judged-before-the-first",
		What: "A position that is in a batch twice is acknowledged twice.",
		Case: "batch-ack-the-same-twice",
		Around: inTurn("ack_many", func(perform Perform, calls []Call) []any {
			seen, answers := map[[2]any]any{}, make([]any, len(calls))
			for i, c := range calls {
				position := [2]any{c.Args["partition"], c.Args["offset"]}
				if _, before := seen[position]; !before {
					seen[position], _ = perform(c)
				}
				answers[i] = seen[position]
			}
			return answers
		}),
	}, {
		Name: "acks-commit-what-comes-next",
		What: "An ack in a batch puts the next record in flight, which the batch may then acknowledge.",
		Case: "batch-ack-of-the-offset-behind-the-delivery-is-false",
		Around: func(e *model.Event) Perform {
			return inTurn("ack_many", func(perform Perform, calls []Call) (answers []any) {
				for _, c := range calls {
					answer, _ := perform(c)
					if at := placeOf(e, c); answer == true {
						if _, waits := at.partition.At(at.cursor.Committed); waits {
							at.cursor.InFlight = at.cursor.Committed
						}
					}
					answers = append(answers, answer)
				}
				return answers
			})(e)
		},
	}, {
		Name: "acks-stop-at-the-first-false",
		What: "Behind a position that is not in flight, a batch acknowledges nothing.",
		Case: "batch-ack-false-ones-stop-nothing",
		Around: inTurn("ack_many", func(perform Perform, calls []Call) (answers []any) {
			going := true
			for _, c := range calls {
				if going {
					answer, _ := perform(c)
					going = answer == true
				}
				answers = append(answers, going)
			}
			return answers
		}),
	}, {
		Name: "acks-all-or-none",
		What: "A batch with a position that is not in flight acknowledges nothing.",
		Case: "batch-ack-the-same-twice",
		Around: func(e *model.Event) Perform {
			return func(c Call) (any, error) {
				answers, err := faults.PerformOn(e.Copy())(c)
				list, _ := answers.([]any)
				for _, answer := range list {
					if c.Op == "ack_many" && answer == false {
						return slices.Repeat([]any{false}, len(list)), nil
					}
				}
				if err != nil {
					return nil, err
				}
				return faults.PerformOn(e)(c)
			}
		},
	}, {
		Name:   "acks-of-no-positions-refused",
		What:   "A batch without positions is an invalid argument.",
		Case:   "batch-ack-of-no-positions",
		Around: faults.Refuses(batchOf("positions", 0), "ack_many"),
	}, {
		Name:   "acks-of-no-positions-need-no-names",
		What:   "A batch without positions is answered whatever the names are.",
		Case:   "batch-ack-with-malformed-names-is-invalid",
		Around: faults.Answers([]any{}, batchOf("positions", 0), "ack_many"),
	}, {
		Name:   "acks-up-to-the-bad-position",
		What:   "A batch fails at its bad position, and has acknowledged those before it.",
		Case:   "batch-ack-with-a-bad-partition-changes-nothing",
		Around: doneUpToTheBadOne("ack_many", "positions"),
	}, {
		Name:   "acks-judge-offsets-as-they-go",
		What:   "A batch fails at a negative offset, and has acknowledged those before it.",
		Case:   "batch-ack-with-a-negative-offset-changes-nothing",
		Around: doneUpToTheBadOne("ack_many", "positions"),
	}, {
		Name:   "acks-of-strangers-are-not-judged",
		What:   "A bad position of a group that does not exist is false.",
		Case:   "batch-ack-is-judged-for-strangers-too",
		Around: faults.Answers([]any{false}, absentGroup, "ack_many"),
	}, {
		Name:   "acks-by-an-absent-group-refused",
		What:   "A batch of a group that does not exist is an invalid argument.",
		Case:   "batch-ack-by-an-absent-group-is-false",
		Around: faults.Refuses(absentGroup, "ack_many"),
	}, {
		Name:   "acks-make-the-group",
		What:   "A batch of acks makes the group that does not exist.",
		Case:   "batch-ack-by-an-absent-group-is-false",
		Around: makingGroup("ack_many"),
	}, {
		Name:   "acks-make-the-member",
		What:   "A batch of acks by a stranger makes it a member.",
		Case:   "batch-ack-by-an-absent-member-is-false",
		Around: faults.Before(func(e *model.Event, c Call) { _, _ = faults.PerformOn(e)(c.As("join")) }, "ack_many"),
	}, {
		Name: "acks-by-any-member",
		What: "In a batch any member of the group may acknowledge.",
		Case: "batch-ack-of-partitions-of-another-member-is-false",
		Around: func(e *model.Event) Perform {
			return inTurn("ack_many", func(perform Perform, calls []Call) (answers []any) {
				for _, c := range calls {
					if cursor := placeOf(e, c).cursor; cursor != nil && isMember(e, c) {
						c = c.With(map[string]any{"member": cursor.Owner})
					}
					answer, _ := perform(c)
					answers = append(answers, answer)
				}
				return answers
			})(e)
		},
	}, {
		Name: "acks-free-no-room",
		What: "What a batch acknowledged is removed by the next single ack.",
		Case: "batch-publish-takes-the-room-that-a-batch-of-acks-made",
		Around: func(e *model.Event) Perform {
			return func(c Call) (any, error) {
				defer func() { e.Rules.Removable = correct.Removable }()
				if c.Op == "ack_many" {
					e.Rules.Removable = func(*model.EventTopic, int, int64) bool { return false }
				}
				return faults.PerformOn(e)(c)
			}
		},
	}, {
		Name:   "acks-of-1024-refused",
		What:   "The longest batch of positions is one too long.",
		Case:   "batch-ack-1024-positions",
		Around: faults.Refuses(batchOf("positions", 1024), "ack_many"),
	}, {
		Name:   "acks-up-to-the-1024th",
		What:   "A batch that is too long fails, and has acknowledged as many positions as it may have.",
		Case:   "batch-ack-1025-positions-is-invalid",
		Around: doneUpToTheBadOne("ack_many", "positions"),
	}, {
		Name:   "acks-offset-cut-to-32-bits",
		What:   "The offset of a position is cut to 32 bits.",
		Case:   "batch-ack-integers-are-not-cut",
		Around: hearing("positions", 1, cutTo32),
	},
}
