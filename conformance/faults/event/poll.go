package event

import (
	"cmp"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Which partitions a poll takes a record from (EB-12).
var poll = []Fault{
	{
		Name: "poll-in-descending-order",
		What: "A poll begins with the highest partition.",
		Case: "poll-in-ascending-order-of-partition",
		Rules: reserving(func(s search) []int {
			var found []int
			for p := len(s.group.Cursors) - 1; p >= 0 && int64(len(found)) < s.limit; p-- {
				if s.ready(p) {
					found = append(found, p)
				}
			}
			return found
		}),
	}, {
		Name: "poll-answers-in-descending-order",
		What: "A poll reserves from the lowest partition on and returns the records the other way round.",
		Case: "poll-in-ascending-order-of-partition",
		Rules: reserving(func(s search) []int {
			found := s.correct()
			slices.Reverse(found)
			return found
		}),
	}, {
		Name: "poll-answers-in-the-order-of-offsets",
		What: "The records of a poll are sorted by offset before partition.",
		Case: "poll-order-does-not-depend-on-offsets-or-on-the-poll-before",
		Rules: reserving(func(s search) []int {
			found := s.correct()
			slices.SortStableFunc(found, func(p, q int) int {
				return cmp.Compare(s.group.Cursors[p].Committed, s.group.Cursors[q].Committed)
			})
			return found
		}),
	}, {
		Name: "poll-resumes-where-it-stopped",
		What: "A poll begins behind the last partition of the poll before, to be fair to all.",
		Case: "poll-order-does-not-depend-on-offsets-or-on-the-poll-before",
		Rules: func(r *model.EventRules) {
			next := map[*model.EventGroup]int{}
			reserving(func(s search) []int {
				var found []int
				for i := range s.group.Cursors {
					p := (next[s.group] + i) % len(s.group.Cursors)
					if s.ready(p) && int64(len(found)) < s.limit {
						found = append(found, p)
					}
				}
				if len(found) > 0 {
					next[s.group] = found[len(found)-1] + 1
				}
				slices.Sort(found)
				return found
			})(r)
		},
	}, {
		Name: "poll-limit-counts-what-is-in-flight",
		What: "Partitions of the caller that are in flight count towards the limit of a poll.",
		Case: "poll-partitions-in-flight-do-not-count",
		Rules: reserving(func(s search) []int {
			for _, cursor := range s.group.Cursors {
				if cursor.Owner == s.member && cursor.InFlight != model.NoDelivery {
					s.limit--
				}
			}
			s.limit = max(0, s.limit)
			return s.correct()
		}),
	}, {
		Name: "poll-limit-counts-partitions",
		What: "A poll looks at so many of the caller's partitions, whether they have something or not.",
		Case: "poll-skips-empty-partitions",
		Rules: reserving(func(s search) []int {
			return s.among(func(int) bool {
				s.limit--
				return s.limit >= 0
			})
		}),
	}, {
		Name: "poll-stops-at-a-partition-in-flight",
		What: "A poll looks no further than the first of the caller's partitions that is in flight.",
		Case: "poll-partitions-in-flight-do-not-count",
		Rules: reserving(func(s search) []int {
			stopped := false
			return s.among(func(p int) bool {
				stopped = stopped || s.group.Cursors[p].InFlight != model.NoDelivery
				return !stopped
			})
		}),
	}, {
		Name: "poll-stops-at-an-empty-partition",
		What: "A poll looks no further than the first of the caller's partitions that has nothing to give.",
		Case: "poll-skips-empty-partitions",
		Rules: reserving(func(s search) []int {
			stopped := false
			return s.among(func(p int) bool {
				stopped = stopped || !s.waiting(p)
				return !stopped
			})
		}),
	}, {
		Name: "poll-waits-for-all-deliveries",
		What: "A member that has anything in flight gets nothing.",
		Case: "poll-partitions-in-flight-do-not-count",
		Rules: reserving(func(s search) []int {
			for _, cursor := range s.group.Cursors {
				if cursor.Owner == s.member && cursor.InFlight != model.NoDelivery {
					return nil
				}
			}
			return s.correct()
		}),
	}, {
		Name: "poll-ignores-the-limit",
		What: "A poll takes a record from every partition that is ready.",
		Case: "poll-limit-of-1",
		Rules: reserving(func(s search) []int {
			s.limit = 64
			return s.correct()
		}),
	}, {
		Name: "poll-gives-one-too-many",
		What: "A poll takes one record more than its limit.",
		Case: "poll-limit-of-2",
		Rules: reserving(func(s search) []int {
			s.limit++
			return s.correct()
		}),
	}, {
		Name: "poll-gives-one-too-few",
		What: "A poll with a limit above one takes one record less.",
		Case: "poll-limit-of-2",
		Rules: reserving(func(s search) []int {
			s.limit = max(1, s.limit-1)
			return s.correct()
		}),
	}, {
		Name: "poll-gives-at-most-32",
		What: "A poll takes at most 32 records.",
		Case: "wide-topic-polled-whole",
		Rules: reserving(func(s search) []int {
			s.limit = min(32, s.limit)
			return s.correct()
		}),
	}, {
		Name: "poll-reserves-more-than-it-returns",
		What: "A poll reserves a record from every partition that is ready and returns as many as asked for.",
		Case: "poll-beyond-the-limit-reserves-nothing",
		Around: func(e *model.Event) Perform {
			return func(c Call) (any, error) {
				result, err := faults.PerformOn(e)(c)
				if err == nil && c.Op == "poll" {
					_, _ = faults.PerformOn(e)(c.With(map[string]any{"max_records": int64(64)}))
				}
				return result, err
			}
		},
	}, {
		Name: "poll-gives-again-what-is-in-flight",
		What: "A poll returns records that the caller has already.",
		Case: "poll-again-does-not-redeliver",
		Rules: reserving(func(s search) []int {
			var found []int
			for p, cursor := range s.group.Cursors {
				if cursor.Owner == s.member && s.waiting(p) && int64(len(found)) < s.limit {
					found = append(found, p)
				}
			}
			return found
		}),
	}, {
		Name: "poll-goes-past-what-is-in-flight",
		What: "A partition with a record in flight gives the next one.",
		Case: "poll-sees-what-was-published-behind-a-delivery",
		Around: func(e *model.Event) Perform {
			return func(c Call) (any, error) {
				if c.Op == "poll" && isMember(e, c) {
					skipDeliveries(placeOf(e, c), c.Text("member"))
				}
				return faults.PerformOn(e)(c)
			}
		},
	}, {
		Name: "poll-ignores-ownership",
		What: "Any member gets the records of every partition.",
		Case: "poll-only-the-callers-partitions",
		Rules: reserving(func(s search) []int {
			var found []int
			for p, cursor := range s.group.Cursors {
				if isIn(s.group, s.member) && cursor.InFlight == model.NoDelivery && s.waiting(p) && int64(len(found)) < s.limit {
					found = append(found, p)
				}
			}
			return found
		}),
	}, {
		Name: "poll-serves-strangers",
		What: "A caller that is no member of the group gets records too.",
		Case: "poll-absent-member-is-empty",
		Around: func(e *model.Event) Perform {
			return func(c Call) (any, error) {
				if c.Op == "poll" && absentMember(e, c) && len(placeOf(e, c).group.Members) > 0 {
					c = c.With(map[string]any{"member": placeOf(e, c).group.Members[0]})
				}
				return faults.PerformOn(e)(c)
			}
		},
	}, {
		Name: "delivery-excludes-other-groups",
		What: "A record that one group has in flight is not given to another.",
		Case: "poll-of-groups-is-independent",
		Rules: reserving(func(s search) []int {
			return s.among(func(p int) bool {
				for _, other := range s.topic.Groups {
					if other != s.group && other.Cursors[p].InFlight != model.NoDelivery {
						return false
					}
				}
				return true
			})
		}),
	}, {
		Name: "delivery-excludes-other-topics",
		What: "A partition that a group has in flight is in flight for the group of that name in every topic.",
		Case: "rebalance-of-one-topic-leaves-other-topics-alone",
		Around: func(e *model.Event) Perform {
			return func(c Call) (any, error) {
				if c.Op == "poll" && isMember(e, c) {
					e.Rules.Reserve = func(topic *model.EventTopic, group *model.EventGroup, member string, limit int64) []int {
						return search{topic, group, member, limit}.among(func(p int) bool { return !inFlightElsewhere(e, c, p) })
					}
				}
				return faults.PerformOn(e)(c)
			}
		},
	}, {
		Name: "group-that-caught-up-is-not-woken",
		What: "A group that has acknowledged all of a partition sees nothing new there until it is rebalanced.",
		Case: "poll-when-everything-is-acknowledged-is-empty",
		Around: func(e *model.Event) Perform {
			asleep := map[*model.EventCursor]bool{}
			e.Rules.Reserve = func(topic *model.EventTopic, group *model.EventGroup, member string, limit int64) []int {
				return search{topic, group, member, limit}.among(func(p int) bool { return !asleep[&group.Cursors[p]] })
			}
			return faults.After(func(e *model.Event, c Call, result any) any {
				if at := placeOf(e, c); c.Op == "ack" && result == true {
					asleep[at.cursor] = at.cursor.Committed == at.partition.Next
				} else if c.Op != "ack" {
					clear(asleep)
				}
				return result
			}, "ack", "join", "leave")(e)
		},
	}, {
		Name: "delivery-of-32-partitions",
		What: "The set of partitions in flight has 32 bits: partition 32 is in flight where 0 is.",
		Case: "wide-topic-polled-up-to-63",
		Rules: reserving(func(s search) []int {
			return s.among(func(p int) bool {
				return p < 32 || s.group.Cursors[p%32].InFlight == model.NoDelivery
			})
		}),
	}, {
		Name:  "poll-sees-32-partitions",
		What:  "Partitions from 32 on are never polled.",
		Case:  "wide-partition-31-32-and-33-are-three",
		Rules: reserving(func(s search) []int { return s.among(func(p int) bool { return p < 32 }) }),
	}, {
		Name:  "poll-sees-63-partitions",
		What:  "Partition 63 is never polled.",
		Case:  "wide-topic-polled-up-to-63",
		Rules: reserving(func(s search) []int { return s.among(func(p int) bool { return p < 63 }) }),
	}, {
		Name:   "poll-of-an-absent-group-refused",
		What:   "A poll by a group that does not exist is an invalid argument.",
		Case:   "poll-absent-group-is-empty",
		Around: faults.Refuses(absentGroup, "poll"),
	}, {
		Name:   "poll-of-an-absent-member-refused",
		What:   "A poll by a stranger is an invalid argument.",
		Case:   "poll-absent-member-is-empty",
		Around: faults.Refuses(absentMember, "poll"),
	},
}

func isIn(group *model.EventGroup, member string) bool { return slices.Contains(group.Members, member) }

// inFlightElsewhere: in a group of the same name in another topic.
func inFlightElsewhere(e *model.Event, c Call, p int) bool {
	for name, topic := range e.Topics {
		group := topic.Groups[c.Text("group")]
		if name != c.Text("topic") && group != nil && p < len(group.Cursors) && group.Cursors[p].InFlight != model.NoDelivery {
			return true
		}
	}
	return false
}

// skipDeliveries moves a member's cursors past what it has in flight, where
// another record follows.
func skipDeliveries(at place, member string) {
	for p := range at.group.Cursors {
		cursor := &at.group.Cursors[p]
		_, follows := at.topic.Partitions[p].At(cursor.InFlight + 1)
		if cursor.Owner == member && cursor.InFlight != model.NoDelivery && follows {
			cursor.Committed, cursor.InFlight = cursor.InFlight+1, model.NoDelivery
		}
	}
}
