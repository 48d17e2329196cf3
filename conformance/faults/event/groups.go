package event

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Where a new group starts, and who makes one (EB-06, EB-07).
var groups = []Fault{
	{
		Name:  "new-group-starts-at-zero",
		What:  "A new group stands at offset 0, whatever was removed before it came.",
		Case:  "group-starts-after-the-trimmed-prefix",
		Rules: starting(func(*model.EventPartition) int64 { return 0 }),
	}, {
		Name:  "new-group-starts-at-the-end",
		What:  "A new group sees only what is published after it came.",
		Case:  "group-starts-at-the-earliest-retained-record",
		Rules: starting(func(log *model.EventPartition) int64 { return log.Next }),
	}, {
		Name: "new-group-starts-at-zero-where-nothing-is-retained",
		What: "A new group stands at offset 0 in a partition whose records are all gone.",
		Case: "group-starts-at-the-next-offset-where-nothing-is-retained",
		Rules: starting(func(log *model.EventPartition) int64 {
			if len(log.Retained) == 0 {
				return 0
			}
			return correct.Start(log)
		}),
	}, {
		Name: "new-group-starts-behind-the-earliest-record",
		What: "A new group misses the earliest retained record.",
		Case: "group-starts-at-the-earliest-retained-record",
		Rules: starting(func(log *model.EventPartition) int64 {
			return min(correct.Start(log)+1, log.Next)
		}),
	}, {
		Name: "new-group-starts-at-the-latest-record",
		What: "A new group sees the latest retained record and what follows.",
		Case: "group-starts-at-the-earliest-retained-record",
		Rules: starting(func(log *model.EventPartition) int64 {
			return max(correct.Start(log), log.Next-1)
		}),
	}, {
		Name: "new-group-starts-with-the-fastest",
		What: "A new group stands where the group furthest ahead stands.",
		Case: "group-starts-at-what-the-slowest-group-retains",
		Around: joiningAnew(func(at place) {
			for p := range at.group.Cursors {
				for _, other := range at.topic.Groups {
					at.group.Cursors[p].Committed = max(at.group.Cursors[p].Committed, other.Cursors[p].Committed)
				}
			}
		}),
	}, {
		Name: "new-group-starts-alike-in-every-partition",
		What: "A new group starts everywhere at the offset where partition 0 begins.",
		Case: "group-starts-on-each-partition-separately",
		Around: joiningAnew(func(at place) {
			for p := range at.group.Cursors {
				at.group.Cursors[p].Committed = at.group.Cursors[0].Committed
			}
		}),
	}, {
		Name:   "poll-makes-the-group",
		What:   "A poll by a group that does not exist makes it, without members.",
		Case:   "group-is-not-made-by-poll",
		Around: makingGroup("poll"),
	}, {
		Name:   "ack-makes-the-group",
		What:   "An ack by a group that does not exist makes it, without members.",
		Case:   "ack-by-an-absent-group-is-false",
		Around: makingGroup("ack"),
	}, {
		Name:   "retry-makes-the-group",
		What:   "A retry by a group that does not exist makes it, without members.",
		Case:   "retry-by-an-absent-group-is-false",
		Around: makingGroup("retry"),
	}, {
		Name:   "leave-makes-the-group",
		What:   "A leave from a group that does not exist makes it, without members.",
		Case:   "leave-absent-group-is-false",
		Around: makingGroup("leave"),
	}, {
		Name: "poll-joins",
		What: "A poll by a stranger makes it a member.",
		Case: "poll-absent-member-is-empty",
		Around: faults.Before(func(e *model.Event, c Call) {
			if absentMember(e, c) {
				_, _ = faults.PerformOn(e)(c.As("join"))
			}
		}, "poll"),
	}, {
		Name: "join-reaches-every-topic",
		What: "A join makes the group in every topic that exists.",
		Case: "join-topics-have-groups-of-their-own",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			for topic := range e.Topics {
				_, _ = faults.PerformOn(e)(c.With(map[string]any{"topic": topic}))
			}
			return result
		}, "join"),
	}, {
		Name: "group-129-refused",
		What: "A topic takes 128 groups and no more.",
		Case: "join-more-than-128-groups",
		Around: faults.Refuses(func(e *model.Event, c Call) bool {
			return absentGroup(e, c) && len(placeOf(e, c).topic.Groups) >= 128
		}, "join"),
	},
}

func starting(at func(*model.EventPartition) int64) func(*model.EventRules) {
	return func(r *model.EventRules) { r.Start = at }
}

// joiningAnew does something with a group that a join has just made.
func joiningAnew(do func(at place)) around {
	return func(e *model.Event) Perform {
		return func(c Call) (any, error) {
			isNew := c.Op == "join" && absentGroup(e, c)
			result, err := faults.PerformOn(e)(c)
			if isNew && err == nil {
				do(placeOf(e, c))
			}
			return result, err
		}
	}
}

// makingGroup has an operation make the group that it does not find.
func makingGroup(op string) around { return faults.Before(makeGroup, op) }

// makeGroup makes the group of a call where it is absent, and leaves it empty.
func makeGroup(e *model.Event, c Call) {
	if absentGroup(e, c) {
		_, _ = faults.PerformOn(e)(c.As("join"))
		_, _ = faults.PerformOn(e)(c.As("leave"))
	}
}
