package event

import (
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Handles that remember more than names (EB-18).
var handles = []Fault{
	{
		Name:   "handle-remembers-an-absent-member",
		What:   "A handle that found no member never finds one.",
		Case:   "handle-serves-a-member-that-joins-later",
		Around: findingOnce(func(e *model.Event, c Call) bool { return !isMember(e, c) }),
	}, {
		Name:   "handle-remembers-an-absent-member-of-a-group-that-is-there",
		What:   "A handle that found a group without the member never finds it.",
		Case:   "handle-serves-a-member-that-joins-a-group-later",
		Around: findingOnce(absentMember),
	}, {
		Name:   "handle-remembers-that-a-member-left",
		What:   "A handle through which a member left does not find the next membership.",
		Case:   "handle-of-a-member-that-left-and-joined-again",
		Around: findingOnce(func(_ *model.Event, c Call) bool { return c.Op == "leave" }),
	}, {
		Name:   "handle-goes-on-after-the-member-left",
		What:   "A handle whose member has left still polls the partitions that were the member's.",
		Case:   "handle-of-a-member-that-left",
		Around: pollingWhatWasOwned(absentMember),
	}, {
		Name:   "handle-remembers-its-partitions",
		What:   "A handle polls the partitions that were its member's when it was found.",
		Case:   "handle-of-a-member-whose-partitions-moved",
		Around: pollingWhatWasOwned(isMember),
	}, {
		Name:   "handle-joins",
		What:   "Who makes a handle for a member joins.",
		Case:   "handle-does-not-join",
		Around: faults.Before(func(e *model.Event, c Call) { _, _ = faults.PerformOn(e)(c.As("join")) }, ofMembers...),
	}, {
		Name: "handle-makes-the-group",
		What: "Who makes a handle for a member makes its group.",
		Case: "handle-does-not-join",
		Around: faults.Before(func(e *model.Event, c Call) {
			if absentGroup(e, c) {
				_, _ = faults.PerformOn(e)(c.As("join"))
				_, _ = faults.PerformOn(e)(c.As("leave"))
			}
		}, ofMembers...),
	}, {
		Name:   "handle-remembers-an-unknown-topic",
		What:   "A topic that was not found once is never found.",
		Case:   "handle-of-a-topic-that-comes-later",
		Around: rememberingUnknownTopics,
	}, {
		Name:   "handle-names-run-together",
		What:   "Handles are kept by the names of topic, group and member put together.",
		Case:   "handle-names-are-told-apart",
		Around: keptBy(func(c Call) string { return c.Text("topic") + c.Text("group") + c.Text("member") }),
	}, {
		Name:   "handle-of-another-topic",
		What:   "Handles are kept by group and member, whatever the topic.",
		Case:   "handle-names-are-told-apart",
		Around: keptBy(func(c Call) string { return c.Text("group") + " " + c.Text("member") }),
	}, {
		Name:   "handle-of-another-group",
		What:   "Handles are kept by topic and member, whatever the group.",
		Case:   "handle-names-are-told-apart",
		Around: keptBy(func(c Call) string { return c.Text("topic") + " " + c.Text("member") }),
	},
}

// ofMembers are the operations of a consumer, but for join.
var ofMembers = []string{"leave", "poll", "ack", "retry", "ack_many"}

// names are what a handle stands for.
type names struct{ topic, group, member string }

func namesOf(c Call) names { return names{c.Text("topic"), c.Text("group"), c.Text("member")} }

// findingOnce has calls of a member's names find nobody from the moment on at
// which the condition held.
func findingOnce(lost func(*model.Event, Call) bool) around {
	return func(e *model.Event) Perform {
		gone := map[names]bool{}
		return func(c Call) (any, error) {
			if !slices.Contains(ofMembers, c.Op) {
				return faults.PerformOn(e)(c)
			}
			n := namesOf(c)
			if gone[n] {
				return faults.PerformOn(e)(c.With(map[string]any{"member": "nobody-of-this-name"}))
			}
			gone[n] = lost(e, c)
			return faults.PerformOn(e)(c)
		}
	}
}

// pollingWhatWasOwned polls, where the condition holds, the partitions that the
// member owned when it was last found; those it was found with first, if it is
// still a member.
func pollingWhatWasOwned(now func(*model.Event, Call) bool) around {
	return func(e *model.Event) Perform {
		owned := map[names][]int{}
		return func(c Call) (any, error) {
			n := namesOf(c)
			if _, found := owned[n]; !found && isMember(e, c) && c.Op == "poll" {
				owned[n] = ownedBy(placeOf(e, c).group, n.member)
			}
			if _, found := owned[n]; found && now(e, c) && c.Op == "poll" {
				defer func() { e.Rules.Reserve = correct.Reserve }()
				e.Rules.Reserve = func(topic *model.EventTopic, group *model.EventGroup, _ string, limit int64) []int {
					s := search{topic, group, n.member, limit}
					return slices.DeleteFunc(slices.Clone(owned[n]), func(p int) bool {
						return group.Cursors[p].InFlight != model.NoDelivery || !s.waiting(p)
					})
				}
			}
			return faults.PerformOn(e)(c)
		}
	}
}

func ownedBy(group *model.EventGroup, member string) []int {
	list := []int{}
	for p, cursor := range group.Cursors {
		if cursor.Owner == member {
			list = append(list, p)
		}
	}
	return list
}

func rememberingUnknownTopics(e *model.Event) Perform {
	unknown := map[string]bool{}
	return func(c Call) (any, error) {
		if c.Op != "create" && absentTopic(e, c) {
			unknown[c.Text("topic")] = true
		}
		if c.Op != "create" && unknown[c.Text("topic")] {
			return nil, &model.InvalidArgument{Argument: "topic", Reason: "was not there once"}
		}
		return faults.PerformOn(e)(c)
	}
}

// keptBy has the names that came first answer for all with the same key.
func keptBy(key func(Call) string) around {
	return func(e *model.Event) Perform {
		first := map[string]names{}
		return func(c Call) (any, error) {
			if slices.Contains(ofMembers, c.Op) {
				n, kept := first[key(c)]
				if !kept {
					n = namesOf(c)
					first[key(c)] = n
				}
				c = c.With(map[string]any{"topic": n.topic, "group": n.group, "member": n.member})
			}
			return faults.PerformOn(e)(c)
		}
	}
}
