package event

import (
	"maps"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// What holds a record (EB-11, EB-14).
var retention = []Fault{
	{
		Name: "retention-by-the-fastest-group",
		What: "A record goes as soon as one group has acknowledged it.",
		Case: "retention-slowest-group-decides",
		Rules: removing(func(topic *model.EventTopic, p int, offset int64) bool {
			for _, group := range topic.Groups {
				if offset < group.Cursors[p].Committed {
					return true
				}
			}
			return false
		}),
	}, {
		Name: "retention-by-the-first-group",
		What: "Only the group whose name comes first holds records.",
		Case: "retention-slowest-group-decides",
		Rules: removing(func(topic *model.EventTopic, p int, offset int64) bool {
			first := topic.Groups[groupNames(topic)[0]]
			return offset < first.Cursors[p].Committed
		}),
	}, {
		Name: "retention-by-64-groups",
		What: "Groups beyond the sixty-fourth hold no records.",
		Case: "the-sixty-fifth-group-holds-records",
		Rules: removing(func(topic *model.EventTopic, p int, offset int64) bool {
			for _, name := range groupNames(topic)[:min(64, len(topic.Groups))] {
				if offset >= topic.Groups[name].Cursors[p].Committed {
					return false
				}
			}
			return true
		}),
	}, {
		Name: "empty-groups-hold-nothing",
		What: "A group without members does not hold records.",
		Case: "retention-empty-group-counts",
		Rules: removing(func(topic *model.EventTopic, p int, offset int64) bool {
			for _, group := range topic.Groups {
				if len(group.Members) > 0 && offset >= group.Cursors[p].Committed {
					return false
				}
			}
			return true
		}),
	}, {
		Name: "groups-hold-nothing-before-their-first-poll",
		What: "A group holds records only once it has polled.",
		Case: "retention-slowest-group-decides",
		Around: func(e *model.Event) Perform {
			polled := map[*model.EventGroup]bool{}
			e.Rules.Removable = func(topic *model.EventTopic, p int, offset int64) bool {
				for _, group := range topic.Groups {
					if polled[group] && offset >= group.Cursors[p].Committed {
						return false
					}
				}
				return true
			}
			return func(c Call) (any, error) {
				if c.Op == "poll" {
					polled[placeOf(e, c).group] = true
				}
				return faults.PerformOn(e)(c)
			}
		},
	}, {
		Name: "groups-hold-only-what-came-after-them",
		What: "A new group does not hold the records that were retained when it came.",
		Case: "retention-a-new-group-holds-back-what-is-retained",
		Around: func(e *model.Event) Perform {
			first := map[*model.EventPartition]map[*model.EventGroup]int64{} // offset that a group holds
			e.Rules.Removable = func(topic *model.EventTopic, p int, offset int64) bool {
				for _, group := range topic.Groups {
					if offset >= max(group.Cursors[p].Committed, first[topic.Partitions[p]][group]) {
						return false
					}
				}
				return true
			}
			return joiningAnew(func(at place) {
				for _, log := range at.topic.Partitions {
					if first[log] == nil {
						first[log] = map[*model.EventGroup]int64{}
					}
					first[log][at.group] = log.Next
				}
			})(e)
		},
	}, {
		Name: "groups-hold-only-what-is-in-flight",
		What: "A group that has nothing in flight in a partition holds no records there.",
		Case: "retention-slowest-group-decides",
		Rules: removing(func(topic *model.EventTopic, p int, offset int64) bool {
			for _, group := range topic.Groups {
				cursor := group.Cursors[p]
				if cursor.InFlight != model.NoDelivery && offset >= cursor.Committed {
					return false
				}
			}
			return true
		}),
	}, {
		Name:  "records-are-never-removed",
		What:  "Acknowledged records go on to take up room.",
		Case:  "retention-one-group-frees-at-its-ack",
		Rules: removing(func(*model.EventTopic, int, int64) bool { return false }),
	}, {
		Name: "records-without-groups-are-dropped",
		What: "Where there is no group, a record is gone once it is published.",
		Case: "publish-without-groups-fills-up",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			if at := placeOf(e, c); len(at.topic.Groups) == 0 {
				at.partition.Retained = nil
			}
			return result
		}, "publish"),
	}, {
		Name: "ack-frees-the-whole-topic",
		What: "An acknowledgement that removes a record removes the earliest one of every partition.",
		Case: "publish-room-in-one-partition-is-no-room-in-another",
		Around: func(e *model.Event) Perform {
			return func(c Call) (any, error) {
				log := placeOf(e, c).partition
				if c.Op != "ack" || log == nil {
					return faults.PerformOn(e)(c)
				}
				held := retained(log)
				result, err := faults.PerformOn(e)(c)
				if retained(log) < held {
					dropEarliest(placeOf(e, c).topic, log)
				}
				return result, err
			}
		},
	}, {
		Name:   "room-comes-with-the-next-publish",
		What:   "What was acknowledged is removed when the next publish looked for room in vain.",
		Case:   "retention-one-group-frees-at-its-ack",
		Around: removingAfter("publish"),
	}, {
		Name:   "room-comes-with-the-next-poll",
		What:   "What was acknowledged is removed by the next poll.",
		Case:   "retention-one-group-frees-at-its-ack",
		Around: removingAfter("poll"),
	}, {
		Name:   "room-comes-with-the-next-leave",
		What:   "What was acknowledged is removed when a member leaves.",
		Case:   "retention-one-group-frees-at-its-ack",
		Around: removingAfter("leave"),
	}, {
		Name: "records-removed-only-where-room-is-needed",
		What: "What was acknowledged stays until a publish needs the room, and a new group sees it.",
		Case: "retention-a-late-group-does-not-bring-records-back",
		Around: func(e *model.Event) Perform {
			e.Rules.Removable = never
			return func(c Call) (any, error) {
				if c.Op == "publish" {
					removeNow(e)
				}
				return faults.PerformOn(e)(c)
			}
		},
	},
}

func removing(removable func(topic *model.EventTopic, p int, offset int64) bool) func(*model.EventRules) {
	return func(r *model.EventRules) { r.Removable = removable }
}

func never(*model.EventTopic, int, int64) bool { return false }

// removeNow does what was put off.
func removeNow(e *model.Event) {
	e.Rules.Removable = correct.Removable
	for _, topic := range e.Topics {
		e.RemoveAcknowledged(topic)
	}
	e.Rules.Removable = never
}

// removingAfter puts the removal of records off until a call of this operation
// has been made.
func removingAfter(op string) around {
	return func(e *model.Event) Perform {
		e.Rules.Removable = never
		return func(c Call) (any, error) {
			result, err := faults.PerformOn(e)(c)
			if c.Op == op {
				removeNow(e)
			}
			return result, err
		}
	}
}

func dropEarliest(topic *model.EventTopic, but *model.EventPartition) {
	for p, log := range topic.Partitions {
		if log == but || len(log.Retained) == 0 {
			continue
		}
		log.Retained = log.Retained[1:]
		for _, group := range topic.Groups {
			cursor := &group.Cursors[p]
			cursor.Committed = max(cursor.Committed, correct.Start(log))
		}
	}
}

func groupNames(topic *model.EventTopic) []string {
	return slices.Sorted(maps.Keys(topic.Groups))
}
