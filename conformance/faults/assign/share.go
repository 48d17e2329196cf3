package assign

import (
	"maps"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Which partitions fall to whom (RA-04, RA-05).
var shares = []fault{
	{
		Name:   "one-assignment-across-topics",
		What:   "The partitions of all topics are dealt out as one sequence.",
		Case:   "field-global-instead-of-per-topic-assignment",
		Around: acrossTopics,
	}, {
		Name: "extra-partitions-to-the-last",
		What: "The last n mod m members get one more.",
		Case: "range-example-of-7-by-3",
		Rules: sharing(func(n, m, i int64) []int64 {
			return span(n/m*i+max(0, i-(m-n%m)), n/m*(i+1)+max(0, i+1-(m-n%m)))
		}),
	}, {
		Name: "extra-partitions-to-the-first",
		What: "The first member gets all of the remainder.",
		Case: "range-of-100-partitions-by-64",
		Rules: sharing(func(n, m, i int64) []int64 {
			if i == 0 {
				return span(0, n/m+n%m)
			}
			return span(n%m+n/m*i, n%m+n/m*(i+1))
		}),
	}, {
		Name:  "extra-partitions-dropped",
		What:  "The remainder of the division belongs to nobody.",
		Case:  "range-example-of-7-by-3",
		Rules: sharing(func(n, m, i int64) []int64 { return span(n/m*i, n/m*(i+1)) }),
	}, {
		Name: "shares-rounded-up",
		What: "Every member gets n div m, rounded up, until nothing is left.",
		Case: "field-ceil-float-division-leaves-members-idle-02d",
		Rules: sharing(func(n, m, i int64) []int64 {
			size := (n + m - 1) / m
			return span(min(n, size*i), min(n, size*(i+1)))
		}),
	}, {
		Name:  "starts-spread-evenly",
		What:  "Member i starts at n times i div m.",
		Case:  "field-ceil-float-division-leaves-members-idle-02d",
		Rules: sharing(func(n, m, i int64) []int64 { return span(n*i/m, n*(i+1)/m) }),
	}, {
		Name: "starts-forget-the-extra-partitions",
		What: "Member i starts at n div m times i, and neighbours overlap.",
		Case: "range-example-of-7-by-3",
		Rules: sharing(func(n, m, i int64) []int64 {
			size := int64(len(correct.Share(n, m, i)))
			return span(n/m*i, n/m*i+size)
		}),
	}, {
		Name: "starts-count-every-extra-partition",
		What: "Member i starts i partitions later than n div m times i.",
		Case: "range-of-100-partitions-by-64",
		Rules: sharing(func(n, m, i int64) []int64 {
			size := int64(len(correct.Share(n, m, i)))
			return span(n/m*i+i, n/m*i+i+size)
		}),
	}, {
		Name: "partitions-counted-from-one",
		What: "The first partition is 1.",
		Case: "range-of-1-member",
		Rules: sharing(func(n, m, i int64) []int64 {
			share := correct.Share(n, m, i)
			for at := range share {
				share[at]++
			}
			return share
		}),
	}, {
		Name: "partitions-dealt-out-in-turn",
		What: "Partition p goes to member p mod m.",
		Case: "range-example-of-7-by-3",
		Rules: sharing(func(n, m, i int64) []int64 {
			var share []int64
			for p := i; p < n; p += m {
				share = append(share, p)
			}
			return share
		}),
	}, {
		Name: "all-to-the-first-member",
		What: "The first member of a topic gets all of it.",
		Case: "range-of-2-members",
		Rules: sharing(func(n, _, i int64) []int64 {
			if i == 0 {
				return span(0, n)
			}
			return nil
		}),
	}, {
		Name: "more-members-than-partitions-get-none",
		What: "A topic with fewer partitions than members is not assigned.",
		Case: "field-members-with-nothing-assigned-are-dropped",
		Rules: sharing(func(n, m, i int64) []int64 {
			if n < m {
				return nil
			}
			return correct.Share(n, m, i)
		}),
	}, {
		Name: "every-member-subscribes-to-everything",
		What: "A topic is assigned over all members.",
		Case: "field-asymmetric-subscriptions",
		Rules: func(r *model.AssignRules) {
			r.Subscribers = func(_ string, members []member) []member { return slices.Clone(members) }
		},
	}, {
		Name:  "doubled-topic-counts-twice",
		What:  "A member that names a topic twice takes part in it twice.",
		Case:  "range-topic-named-twice-counts-once",
		Rules: func(r *model.AssignRules) { r.Subscribers = onceAMention },
	}, {
		Name: "doubled-topic-refused",
		What: "A member that names a topic twice is an invalid argument.",
		Case: "range-topic-named-twice-counts-once",
		Around: faults.Refuses(func(_ *model.Assign, c call) bool {
			return anyMember(c, func(m fields) bool {
				topics := texts(m["topics"])
				return len(slices.Compact(slices.Sorted(slices.Values(topics)))) < len(topics)
			})
		}, "range_assign"),
	}, {
		Name: "first-members-subscription-is-everyones",
		What: "All members are taken to subscribe to what the first one does.",
		Case: "field-asymmetric-subscriptions",
		Rules: func(r *model.AssignRules) {
			r.Subscribers = func(topic string, members []member) []member {
				if len(members) > 0 && slices.Contains(members[0].Topics, topic) {
					return slices.Clone(members)
				}
				return nil
			}
		},
	}, {
		Name: "only-the-first-topic-of-a-member",
		What: "A member takes part in the topic it names first, and no other.",
		Case: "field-global-instead-of-per-topic-assignment",
		Rules: func(r *model.AssignRules) {
			r.Subscribers = func(topic string, members []member) []member {
				return slices.DeleteFunc(slices.Clone(members), func(m member) bool {
					return len(m.Topics) == 0 || m.Topics[0] != topic
				})
			}
		},
	},
}

func sharing(share func(n, m, i int64) []int64) func(*model.AssignRules) {
	return func(r *model.AssignRules) { r.Share = share }
}

// span are the partitions from begin to before end.
func span(begin, end int64) []int64 {
	var partitions []int64
	for p := begin; p < end; p++ {
		partitions = append(partitions, p)
	}
	return partitions
}

func onceAMention(topic string, members []member) []member {
	var subscribers []member
	for _, m := range members {
		for _, named := range m.Topics {
			if named == topic {
				subscribers = append(subscribers, m)
			}
		}
	}
	return subscribers
}

// acrossTopics assigns one topic as long as all of them together, and cuts it
// up afterwards.
func acrossTopics(a *model.Assign) perform {
	return func(c call) (any, error) {
		result, err := faults.PerformOn(a)(c)
		if err != nil || c.Op != "range_assign" {
			return result, err
		}
		var places []place
		counts := c.Args["partitions_by_topic"].(fields)
		for _, topic := range slices.Sorted(maps.Keys(counts)) {
			for p := range counts[topic].(int64) {
				places = append(places, place{topic, p})
			}
		}
		everyone := replacing(func(m fields) fields { return with(m, fields{"topics": []any{"all"}}) })(c.Args["members"])
		result, err = faults.PerformOn(a)(c.With(fields{
			"partitions_by_topic": fields{"all": int64(len(places))}, "members": everyone,
		}))
		for _, assigned := range result.(fields) {
			cutUp(assigned.(fields), places)
		}
		return result, err
	}
}

// A place is a partition of a topic.
type place struct {
	topic     string
	partition int64
}

func cutUp(assigned fields, places []place) {
	indexes, _ := assigned["all"].([]any)
	delete(assigned, "all")
	for _, i := range indexes {
		at := places[i.(int64)]
		before, _ := assigned[at.topic].([]any)
		assigned[at.topic] = append(before, at.partition)
	}
}
