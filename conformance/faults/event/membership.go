package event

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Joins and leaves that change nothing, and what they answer (EB-06, EB-09).
var membership = []Fault{
	{
		Name: "repeated-join-cancels-the-callers-deliveries",
		What: "A member that joins again loses what it has in flight.",
		Case: "join-again-keeps-the-delivery",
		Around: faults.Before(func(e *model.Event, c Call) {
			cancel(e, c, func(owner string) bool { return owner == c.Text("member") })
		}, "join"),
	}, {
		Name: "repeated-join-cancels-the-others-deliveries",
		What: "A member that joins again makes the others lose what they have in flight.",
		Case: "join-again-keeps-the-deliveries-of-others",
		Around: faults.Before(func(e *model.Event, c Call) {
			if isMember(e, c) {
				cancel(e, c, func(owner string) bool { return owner != c.Text("member") })
			}
		}, "join"),
	}, {
		Name: "repeated-join-counts-twice",
		What: "A member that joins again has two places in the assignment.",
		Case: "join-again-is-not-a-second-membership",
		Around: faults.Before(func(e *model.Event, c Call) {
			if group := placeOf(e, c).group; isMember(e, c) {
				group.Members = append(group.Members, c.Text("member"))
				correct.Sort(group.Members)
				for p, owner := range correct.Assign(group) {
					group.Cursors[p] = correct.HandOver(group.Cursors[p], owner, nil)
				}
			}
		}, "join"),
	}, {
		Name: "repeated-join-answers-with-nothing",
		What: "A member that joins again is told that it owns no partition.",
		Case: "join-again-changes-nothing",
		Around: func(e *model.Event) Perform {
			return func(c Call) (any, error) {
				again := c.Op == "join" && isMember(e, c)
				result, err := faults.PerformOn(e)(c)
				if err == nil && again {
					result = []any{}
				}
				return result, err
			}
		},
	}, {
		Name:   "repeated-join-refused",
		What:   "A member that joins again is an invalid argument.",
		Case:   "join-again-changes-nothing",
		Around: faults.Refuses(isMember, "join"),
	}, {
		Name: "absent-leave-cancels-every-delivery",
		What: "The leave of a stranger cancels the deliveries of the group.",
		Case: "leave-absent-member-keeps-deliveries",
		Around: faults.Before(func(e *model.Event, c Call) {
			if absentMember(e, c) {
				cancel(e, c, func(string) bool { return true })
			}
		}, "leave"),
	}, {
		Name:   "absent-leave-answers-true",
		What:   "The leave of a stranger is true.",
		Case:   "leave-a-member-is-true-once",
		Around: faults.After(func(_ *model.Event, _ Call, _ any) any { return true }, "leave"),
	}, {
		Name: "last-leave-answers-false",
		What: "The leave of the last member is false.",
		Case: "leave-a-member-is-true-once",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			at := placeOf(e, c)
			return result == true && len(at.group.Members) > 0
		}, "leave"),
	}, {
		Name:   "leave-of-an-absent-member-refused",
		What:   "The leave of a stranger is an invalid argument.",
		Case:   "leave-absent-member-keeps-deliveries",
		Around: faults.Refuses(absentMember, "leave"),
	}, {
		Name:   "leave-of-an-absent-group-refused",
		What:   "The leave from a group that does not exist is an invalid argument.",
		Case:   "leave-absent-group-is-false",
		Around: faults.Refuses(absentGroup, "leave"),
	}, {
		Name: "leave-reaches-every-group",
		What: "A member that leaves one group is taken out of the others of the topic too.",
		Case: "leave-of-one-group-is-not-leave-of-another",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			for name := range placeOf(e, c).topic.Groups {
				if result == true {
					_, _ = faults.PerformOn(e)(c.With(map[string]any{"group": name}))
				}
			}
			return result
		}, "leave"),
	}, {
		Name: "leave-reaches-every-topic",
		What: "A member that leaves a group is taken out of the group of that name in every topic.",
		Case: "leave-of-one-topic-is-not-leave-of-another",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			for name := range e.Topics {
				if result == true {
					_, _ = faults.PerformOn(e)(c.With(map[string]any{"topic": name}))
				}
			}
			return result
		}, "leave"),
	},
}

// cancel ends the deliveries of these owners in the group that the call names.
func cancel(e *model.Event, c Call, of func(owner string) bool) {
	for p, cursor := range groupCursors(e, c) {
		if of(cursor.Owner) {
			groupCursors(e, c)[p] = correct.Retried(cursor)
		}
	}
}
