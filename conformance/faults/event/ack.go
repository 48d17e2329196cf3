package event

import (
	"math"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Which ack succeeds, and what it does (EB-13).
var ack = []Fault{
	{
		Name: "ack-by-anyone",
		What: "Whoever names the offset in flight may acknowledge it.",
		Case: "ack-by-a-member-that-does-not-own-the-partition-is-false",
		Rules: acking(func(cursor model.EventCursor, _ string, offset int64) bool {
			return cursor.InFlight == offset
		}),
	}, {
		Name: "owner-compared-ignoring-case",
		What: "A member whose name differs in case alone may acknowledge.",
		Case: "ack-and-retry-by-a-member-that-differs-in-case-is-false",
		Rules: acking(func(cursor model.EventCursor, member string, offset int64) bool {
			return strings.EqualFold(cursor.Owner, member) && cursor.InFlight == offset
		}),
	}, {
		Name: "ack-of-a-lower-offset",
		What: "An ack of any offset up to the one in flight succeeds.",
		Case: "ack-of-the-previous-offset-is-false",
		Rules: acking(func(cursor model.EventCursor, member string, offset int64) bool {
			return cursor.Owner == member && cursor.InFlight != model.NoDelivery && offset <= cursor.InFlight
		}),
	}, {
		Name: "ack-of-a-higher-offset",
		What: "An ack of any offset from the one in flight on succeeds.",
		Case: "ack-far-ahead-is-false",
		Rules: acking(func(cursor model.EventCursor, member string, offset int64) bool {
			return cursor.Owner == member && cursor.InFlight != model.NoDelivery && offset >= cursor.InFlight
		}),
	}, {
		Name: "ack-of-the-offset-behind",
		What: "An ack names the next offset to read, as a commit does in Kafka.",
		Case: "ack-of-the-next-offset-is-false",
		Rules: acking(func(cursor model.EventCursor, member string, offset int64) bool {
			return cursor.Owner == member && cursor.InFlight != model.NoDelivery &&
				(offset == cursor.InFlight || offset == cursor.InFlight+1)
		}),
	}, {
		Name: "ack-ignores-the-offset",
		What: "An ack with any offset at all succeeds while something is in flight.",
		Case: "ack-far-ahead-is-false",
		Rules: acking(func(cursor model.EventCursor, member string, _ int64) bool {
			return cursor.Owner == member && cursor.InFlight != model.NoDelivery
		}),
	}, {
		Name: "ack-without-a-delivery",
		What: "The owner may acknowledge the committed offset without having polled.",
		Case: "ack-before-any-poll-is-false",
		Around: faults.Before(func(e *model.Event, c Call) {
			at := placeOf(e, c)
			if at.cursor == nil || at.cursor.Owner != c.Text("member") || c.Number("offset") != at.cursor.Committed {
				return
			}
			if _, waiting := at.partition.At(at.cursor.Committed); waiting {
				at.cursor.InFlight = at.cursor.Committed
			}
		}, "ack"),
	}, {
		Name: "ack-of-what-is-committed-answers-true",
		What: "An ack of an offset that was acknowledged before is true.",
		Case: "ack-twice-is-false",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			at := placeOf(e, c)
			committed := at.cursor != nil && at.cursor.Owner == c.Text("member") && c.Number("offset") < at.cursor.Committed
			return result == true || committed
		}, "ack"),
	}, {
		Name: "ack-ahead-commits-all-before",
		What: "An ack of an offset that is retained commits everything up to it.",
		Case: "field-out-of-order-or-repeated-ack-moves-progress",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			at := placeOf(e, c)
			if at.cursor == nil || at.cursor.Owner != c.Text("member") || c.Number("offset") < at.cursor.Committed {
				return result
			}
			if _, ok := at.partition.At(c.Number("offset")); !ok {
				return result
			}
			at.cursor.Committed, at.cursor.InFlight = c.Number("offset")+1, model.NoDelivery
			e.RemoveAcknowledged(at.topic)
			return true
		}, "ack"),
	}, {
		Name: "ack-commits-everything",
		What: "An ack moves the group behind the last record.",
		Case: "field-out-of-order-or-repeated-ack-moves-progress",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			if at := placeOf(e, c); result == true {
				at.cursor.Committed = at.partition.Next
				e.RemoveAcknowledged(at.topic)
			}
			return result
		}, "ack"),
	}, {
		Name:  "ack-does-not-advance",
		What:  "An ack clears the delivery and leaves progress where it was.",
		Case:  "ack-advances-by-one-record",
		Rules: func(r *model.EventRules) { r.Acked = correct.Retried },
	}, {
		Name: "ack-does-not-clear",
		What: "After an ack the partition stays in flight.",
		Case: "ack-twice-is-false",
		Rules: func(r *model.EventRules) {
			r.Acked = func(cursor model.EventCursor) model.EventCursor {
				cursor.Committed++
				return cursor
			}
		},
	}, {
		Name: "ack-clears-every-delivery",
		What: "An ack clears all that the member has in flight.",
		Case: "ack-partitions-in-any-order",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			if result == true {
				cancel(e, c, func(owner string) bool { return owner == c.Text("member") })
			}
			return result
		}, "ack"),
	}, {
		Name: "ack-speaks-for-every-group",
		What: "An ack moves the other groups past the record too.",
		Case: "ack-in-another-group-is-false",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			if result == true {
				for _, group := range placeOf(e, c).topic.Groups {
					passOver(&group.Cursors[c.Number("partition")], c.Number("offset"))
				}
				e.RemoveAcknowledged(placeOf(e, c).topic)
			}
			return result
		}, "ack"),
	}, {
		Name: "mismatched-ack-cancels-the-delivery",
		What: "An ack of a wrong offset by the owner is false and clears the delivery.",
		Case: "ack-of-the-next-offset-is-false",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			if cursor := placeOf(e, c).cursor; cursor != nil && cursor.Owner == c.Text("member") && result == false {
				cursor.InFlight = model.NoDelivery
			}
			return result
		}, "ack"),
	}, {
		Name: "ack-of-a-stranger-cancels-the-delivery",
		What: "An ack by another than the owner is false and clears the delivery.",
		Case: "ack-by-a-member-that-does-not-own-the-partition-is-false",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			if cursor := placeOf(e, c).cursor; cursor != nil && result == false && cursor.InFlight == c.Number("offset") {
				cursor.InFlight = model.NoDelivery
			}
			return result
		}, "ack"),
	}, {
		Name:   "ack-of-a-wrong-offset-refused",
		What:   "An ack that matches no delivery is an invalid argument.",
		Case:   "ack-far-ahead-is-false",
		Around: faults.Refuses(mismatch, "ack"),
	}, {
		Name:   "ack-by-an-absent-group-refused",
		What:   "An ack by a group that does not exist is an invalid argument.",
		Case:   "ack-by-an-absent-group-is-false",
		Around: faults.Refuses(absentGroup, "ack"),
	}, {
		Name:   "ack-by-an-absent-member-refused",
		What:   "An ack by a stranger is an invalid argument.",
		Case:   "ack-by-an-absent-member-is-false",
		Around: faults.Refuses(absentMember, "ack"),
	}, {
		Name: "ack-of-an-offset-that-never-was-refused",
		What: "An ack of an offset behind the last record is an invalid argument.",
		Case: "ack-far-ahead-is-false",
		Around: faults.Refuses(func(e *model.Event, c Call) bool {
			log := placeOf(e, c).partition
			return log != nil && c.Number("offset") >= log.Next
		}, "ack"),
	}, {
		Name:  "offset-past-31-bits-refused",
		What:  "An offset that does not fit a signed 32-bit integer is an invalid argument.",
		Case:  "integer-largest-offset-is-a-mismatch",
		Rules: func(r *model.EventRules) { r.Offset.Max = math.MaxInt32 },
	}, {
		Name:  "offset-past-53-bits-refused",
		What:  "An offset that does not fit a floating-point number is an invalid argument.",
		Case:  "integer-largest-offset-is-a-mismatch",
		Rules: func(r *model.EventRules) { r.Offset.Max = 1 << 53 },
	},
}

func acking(may func(cursor model.EventCursor, member string, offset int64) bool) func(*model.EventRules) {
	return func(r *model.EventRules) { r.MayAck = may }
}

// mismatch: of an existing group and member, but not its delivery.
func mismatch(e *model.Event, c Call) bool {
	cursor := placeOf(e, c).cursor
	return cursor != nil && !correct.MayAck(*cursor, c.Text("member"), c.Number("offset"))
}

// passOver moves a cursor that stands at this offset to the next.
func passOver(cursor *model.EventCursor, offset int64) {
	if cursor.Committed == offset {
		*cursor = correct.Acked(*cursor)
	}
}
