package event

import (
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// What a change of membership does (EB-10, EB-11).
var rebalance = []Fault{
	{
		Name: "move-keeps-the-delivery",
		What: "A partition that moves takes its delivery along, so that the new owner is not given the record.",
		Case: "rebalance-moves-a-delivery-to-the-new-owner",
		Rules: handingOver(func(before, after model.EventCursor, _ *model.EventPartition) model.EventCursor {
			if before.Owner != "" && after.Owner != "" {
				after.InFlight = before.InFlight
			}
			return after
		}),
	}, {
		Name: "rebalance-cancels-every-delivery",
		What: "Any change of membership cancels all deliveries of the group, those of unmoved partitions too.",
		Case: "rebalance-keeps-a-delivery-whose-owner-stayed",
		Rules: handingOver(func(_, after model.EventCursor, _ *model.EventPartition) model.EventCursor {
			after.InFlight = model.NoDelivery
			return after
		}),
	}, {
		Name: "rebalance-cancels-in-the-first-partition",
		What: "A change of membership cancels the delivery of partition 0 although its owner stayed.",
		Case: "rebalance-on-leave-keeps-a-delivery-whose-owner-stayed",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			if at := placeOf(e, c); at.group != nil && result != false {
				at.group.Cursors[0].InFlight = model.NoDelivery
			}
			return result
		}, "leave"),
	}, {
		Name: "move-commits-the-delivery",
		What: "A delivery that is cancelled by a move counts as acknowledged: the record is lost.",
		Case: "rebalance-moves-a-delivery-to-the-new-owner",
		Rules: handingOver(func(before, after model.EventCursor, _ *model.EventPartition) model.EventCursor {
			if before.InFlight != after.InFlight {
				after.Committed++
			}
			return after
		}),
	}, {
		Name: "move-goes-back-to-the-earliest-record",
		What: "The new owner of a partition begins at the earliest retained record, not where the group stands.",
		Case: "rebalance-keeps-progress-of-moved-partitions",
		Rules: handingOver(func(before, after model.EventCursor, log *model.EventPartition) model.EventCursor {
			if before.Owner != "" && after.Owner != "" && before.Owner != after.Owner {
				after.Committed = correct.Start(log)
			}
			return after
		}),
	}, {
		Name: "move-skips-to-the-end",
		What: "The new owner of a partition begins behind what is there.",
		Case: "rebalance-keeps-progress-of-moved-partitions",
		Rules: handingOver(func(before, after model.EventCursor, log *model.EventPartition) model.EventCursor {
			if before.Owner != "" && after.Owner != "" && before.Owner != after.Owner {
				after.Committed = log.Next
			}
			return after
		}),
	}, {
		Name: "last-leave-keeps-the-deliveries",
		What: "When the last member leaves, its deliveries stay in flight and go to whoever joins next.",
		Case: "leave-of-the-last-member-and-return-cancels-the-delivery",
		Rules: handingOver(func(before, after model.EventCursor, _ *model.EventPartition) model.EventCursor {
			if before.Owner == "" || after.Owner == "" {
				after.InFlight = before.InFlight
			}
			return after
		}),
	}, {
		Name:   "returning-member-finds-its-delivery",
		What:   "A member that leaves and joins again may still acknowledge what it was given before.",
		Case:   "leave-of-the-last-member-and-return-cancels-the-delivery",
		Around: reviving(func(group *model.EventGroup, owner string) bool { return !slices.Contains(group.Members, owner) }),
	}, {
		Name:   "returning-partition-brings-its-delivery",
		What:   "A partition that moves away and back is in flight again at its first owner.",
		Case:   "rebalance-away-and-back-loses-the-delivery",
		Around: reviving(func(group *model.EventGroup, owner string) bool { return slices.Contains(group.Members, owner) }),
	}, {
		Name: "last-leave-loses-progress",
		What: "A group without members goes back to the earliest retained records.",
		Case: "leave-of-the-last-member-keeps-progress",
		Rules: handingOver(func(_, after model.EventCursor, log *model.EventPartition) model.EventCursor {
			if after.Owner == "" {
				after.Committed = correct.Start(log)
			}
			return after
		}),
	}, {
		Name: "last-leave-deletes-the-group",
		What: "A group ends with its last member and holds records no longer.",
		Case: "retention-empty-group-counts",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			if at := placeOf(e, c); at.group != nil && len(at.group.Members) == 0 {
				delete(at.topic.Groups, c.Text("group"))
				e.RemoveAcknowledged(at.topic)
			}
			return result
		}, "leave"),
	}, {
		Name: "empty-group-resumes-at-the-end",
		What: "Who joins an empty group begins behind what was published meanwhile.",
		Case: "group-emptied-before-anything-was-published-keeps-its-place",
		Around: faults.Before(func(e *model.Event, c Call) {
			if at := placeOf(e, c); at.group != nil && len(at.group.Members) == 0 {
				for p, partition := range at.topic.Partitions {
					at.group.Cursors[p].Committed = partition.Next
				}
			}
		}, "join"),
	}, {
		Name: "leave-commits-the-deliveries",
		What: "What a leaving member had in flight counts as acknowledged.",
		Case: "leave-cancels-the-delivery",
		Around: faults.Before(func(e *model.Event, c Call) {
			for p, cursor := range groupCursors(e, c) {
				if cursor.Owner == c.Text("member") && cursor.InFlight != model.NoDelivery {
					groupCursors(e, c)[p] = correct.Acked(cursor)
				}
			}
		}, "leave"),
	}, {
		Name: "leave-does-not-rebalance",
		What: "The partitions of a member that left stay its own until somebody joins.",
		Case: "leave-gives-the-partitions-to-those-who-stay",
		Rules: func(r *model.EventRules) {
			size := map[*model.EventGroup]int{} // before the change
			r.Assign = func(group *model.EventGroup) []string {
				owners := correct.Assign(group)
				if len(group.Members) < size[group] {
					owners = currentOwners(group)
				}
				size[group] = len(group.Members)
				return owners
			}
		},
	},
}

// handingOver changes what the correct rule makes of a cursor.
func handingOver(change func(before, after model.EventCursor, log *model.EventPartition) model.EventCursor) func(*model.EventRules) {
	return func(r *model.EventRules) {
		r.HandOver = func(before model.EventCursor, owner string, log *model.EventPartition) model.EventCursor {
			return change(before, correct.HandOver(before, owner, log), log)
		}
	}
}

// A delivery is remembered where a partition is taken from its owner.
type delivery struct {
	group     *model.EventGroup
	partition int
	owner     string
}

// reviving remembers the deliveries of owners that lost a partition, where the
// condition holds, and puts them back when the partition returns.
func reviving(remember func(group *model.EventGroup, owner string) bool) around {
	return func(e *model.Event) Perform {
		lost := map[delivery]int64{}
		return func(c Call) (any, error) {
			old := slices.Clone(groupCursors(e, c))
			result, err := faults.PerformOn(e)(c)
			group := placeOf(e, c).group
			for p, cursor := range old {
				if group.Cursors[p].Owner == cursor.Owner {
					continue
				}
				if cursor.InFlight != model.NoDelivery && remember(group, cursor.Owner) {
					lost[delivery{group, p, cursor.Owner}] = cursor.InFlight
				}
				if offset, ok := lost[delivery{group, p, group.Cursors[p].Owner}]; ok && offset == cursor.Committed {
					group.Cursors[p].InFlight = offset
				}
			}
			return result, err
		}
	}
}

func currentOwners(group *model.EventGroup) []string {
	var owners []string
	for _, cursor := range group.Cursors {
		owners = append(owners, cursor.Owner)
	}
	return owners
}

// groupCursors are those of the group that the call names, if it exists.
func groupCursors(e *model.Event, c Call) []model.EventCursor {
	if at := placeOf(e, c); at.group != nil {
		return at.group.Cursors
	}
	return nil
}
