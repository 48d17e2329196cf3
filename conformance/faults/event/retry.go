package event

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Which retry succeeds, and what it does (EB-13).
var retry = []Fault{
	{
		Name: "retry-by-anyone",
		What: "Whoever names the offset in flight may retry it.",
		Case: "retry-by-a-member-that-does-not-own-the-partition-is-false",
		Rules: retrying(func(cursor model.EventCursor, _ string, offset int64) bool {
			return cursor.InFlight == offset
		}),
	}, {
		Name: "retry-of-a-stranger-cancels-the-delivery",
		What: "A retry by another than the owner is false and clears the delivery.",
		Case: "retry-by-a-member-that-does-not-own-the-partition-is-false",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			if cursor := placeOf(e, c).cursor; cursor != nil && result == false && cursor.InFlight == c.Number("offset") {
				cursor.InFlight = model.NoDelivery
			}
			return result
		}, "retry"),
	}, {
		Name: "retry-of-another-offset",
		What: "A retry with any offset at all succeeds while something is in flight.",
		Case: "retry-far-ahead-is-false",
		Rules: retrying(func(cursor model.EventCursor, member string, _ int64) bool {
			return cursor.Owner == member && cursor.InFlight != model.NoDelivery
		}),
	}, {
		Name: "retry-of-a-lower-offset",
		What: "A retry of any offset up to the one in flight succeeds.",
		Case: "retry-of-the-previous-offset-is-false",
		Rules: retrying(func(cursor model.EventCursor, member string, offset int64) bool {
			return cursor.Owner == member && cursor.InFlight != model.NoDelivery && offset <= cursor.InFlight
		}),
	}, {
		Name: "retry-without-a-delivery-answers-true",
		What: "A retry where nothing is in flight is true, as if it had worked.",
		Case: "retry-before-any-poll-is-false",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			cursor := placeOf(e, c).cursor
			idle := cursor != nil && cursor.Owner == c.Text("member") && cursor.InFlight == model.NoDelivery
			return result == true || idle
		}, "retry"),
	}, {
		Name:  "retry-advances",
		What:  "A retry commits like an ack: the record is lost.",
		Case:  "retry-of-the-delivery-in-flight",
		Rules: func(r *model.EventRules) { r.Retried = correct.Acked },
	}, {
		Name: "retry-goes-back-to-the-earliest-record",
		What: "A retry moves the group back to the earliest retained record.",
		Case: "group-progress-is-not-shared",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			if at := placeOf(e, c); result == true {
				at.cursor.Committed = correct.Start(at.partition)
			}
			return result
		}, "retry"),
	}, {
		Name: "retry-does-not-clear",
		What: "After a retry the partition stays in flight.",
		Case: "retry-of-the-delivery-in-flight",
		Rules: func(r *model.EventRules) {
			r.Retried = func(cursor model.EventCursor) model.EventCursor { return cursor }
		},
	}, {
		Name: "retry-clears-every-delivery",
		What: "A retry clears all that the member has in flight.",
		Case: "retry-of-one-partition-keeps-the-others-in-flight",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			if result == true {
				cancel(e, c, func(owner string) bool { return owner == c.Text("member") })
			}
			return result
		}, "retry"),
	}, {
		Name: "retry-clears-in-every-group",
		What: "A retry clears the delivery of the partition in the other groups too.",
		Case: "retry-in-another-group-is-false",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			if result == true {
				for _, group := range placeOf(e, c).topic.Groups {
					group.Cursors[c.Number("partition")].InFlight = model.NoDelivery
				}
			}
			return result
		}, "retry"),
	}, {
		Name: "third-retry-gives-up",
		What: "A record that is retried three times is passed over.",
		Case: "retry-many-times-redelivers-every-time",
		Around: func(e *model.Event) Perform {
			retries := map[*model.EventCursor]int{}
			return faults.After(func(e *model.Event, c Call, result any) any {
				if cursor := placeOf(e, c).cursor; result == true {
					if retries[cursor]++; retries[cursor]%3 == 0 {
						cursor.Committed++
					}
				}
				return result
			}, "retry")(e)
		},
	}, {
		Name:   "retry-of-a-wrong-offset-refused",
		What:   "A retry that matches no delivery is an invalid argument.",
		Case:   "retry-far-ahead-is-false",
		Around: faults.Refuses(mismatch, "retry"),
	}, {
		Name:   "retry-by-an-absent-group-refused",
		What:   "A retry by a group that does not exist is an invalid argument.",
		Case:   "retry-by-an-absent-group-is-false",
		Around: faults.Refuses(absentGroup, "retry"),
	}, {
		Name:   "retry-by-an-absent-member-refused",
		What:   "A retry by a stranger is an invalid argument.",
		Case:   "retry-by-an-absent-member-is-false",
		Around: faults.Refuses(absentMember, "retry"),
	},
}

func retrying(may func(cursor model.EventCursor, member string, offset int64) bool) func(*model.EventRules) {
	return func(r *model.EventRules) { r.MayRetry = may }
}
