package assign

import (
	"maps"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// What the result of range_assign has in it (RA-05).
var results = []fault{
	{
		Name: "members-without-partitions-dropped",
		What: "A member that got nothing is not in the result.",
		Case: "field-members-with-nothing-assigned-are-dropped",
		Around: after(func(result any) any {
			maps.DeleteFunc(result.(fields), func(_ string, topics any) bool { return len(topics.(fields)) == 0 })
			return result
		}, "range_assign"),
	}, {
		Name: "members-without-topics-dropped",
		What: "A member that subscribes to nothing is not in the result.",
		Case: "field-members-with-nothing-assigned-are-dropped",
		Around: faults.After(func(_ *model.Assign, c call, result any) any {
			for _, m := range c.Args["members"].([]any) {
				if len(m.(fields)["topics"].([]any)) == 0 {
					delete(result.(fields), content(m.(fields)["id"]))
				}
			}
			return result
		}, "range_assign"),
	}, {
		Name:   "topics-not-got-listed-as-empty",
		What:   "A member has an empty list for each topic it subscribes to and got nothing of.",
		Case:   "field-members-with-nothing-assigned-are-dropped",
		Around: listing(func(known bool) bool { return known }),
	}, {
		Name:   "topics-without-metadata-listed-as-empty",
		What:   "A member has an empty list for each topic that does not exist.",
		Case:   "range-topic-without-metadata-is-passed-over",
		Around: listing(func(known bool) bool { return !known }),
	}, {
		Name: "topics-without-metadata-assigned",
		What: "A topic that does not exist is taken to have one partition.",
		Case: "range-topic-without-metadata-is-passed-over",
		Hears: func(c *call) {
			if c.Op != "range_assign" {
				return
			}
			counts := with(c.Args["partitions_by_topic"].(fields), nil)
			for _, m := range c.Args["members"].([]any) {
				for _, topic := range texts(m.(fields)["topics"]) {
					if _, known := counts[topic]; !known {
						counts[topic] = int64(1)
					}
				}
			}
			c.Args["partitions_by_topic"] = counts
		},
	}, {
		Name: "topics-without-metadata-refused",
		What: "A topic that does not exist is an invalid argument.",
		Case: "range-topic-without-metadata-is-passed-over",
		Around: faults.Refuses(func(_ *model.Assign, c call) bool {
			return anyMember(c, func(m fields) bool {
				for _, topic := range texts(m["topics"]) {
					if _, known := c.Args["partitions_by_topic"].(fields)[topic]; !known {
						return true
					}
				}
				return false
			})
		}, "range_assign"),
	}, {
		Name:   "no-members-refused",
		What:   "A group without members is an invalid argument.",
		Case:   "range-no-members-no-result",
		Around: faults.Refuses(func(_ *model.Assign, c call) bool { return len(c.Args["members"].([]any)) == 0 }, "range_assign"),
	}, {
		Name:   "no-topics-refused",
		What:   "A cluster without topics is an invalid argument.",
		Case:   "range-no-members-no-result",
		Around: faults.Refuses(func(_ *model.Assign, c call) bool { return len(c.Args["partitions_by_topic"].(fields)) == 0 }, "range_assign"),
	}, {
		Name: "no-members-are-null",
		What: "Without members the result is null.",
		Case: "range-no-members-no-result",
		Around: after(func(result any) any {
			if len(result.(fields)) == 0 {
				return nil
			}
			return result
		}, "range_assign"),
	}, {
		Name: "static-members-named-by-instance",
		What: "The result names a member by its instance id where it has one.",
		Case: "field-static-members-order",
		Around: faults.After(func(_ *model.Assign, c call, result any) any {
			for _, m := range c.Args["members"].([]any) {
				if instance := m.(fields)["instance_id"]; instance != nil {
					id := content(m.(fields)["id"])
					topics := result.(fields)[id]
					delete(result.(fields), id)
					result.(fields)[content(instance)] = topics
				}
			}
			return result
		}, "range_assign"),
	},
}

// listing adds an empty list for topics that a member got nothing of.
func listing(when func(known bool) bool) func(*model.Assign) perform {
	return faults.After(func(_ *model.Assign, c call, result any) any {
		for _, m := range c.Args["members"].([]any) {
			got := result.(fields)[content(m.(fields)["id"])].(fields)
			for _, topic := range texts(m.(fields)["topics"]) {
				_, known := c.Args["partitions_by_topic"].(fields)[topic]
				if got[topic] == nil && when(known) {
					got[topic] = []any{}
				}
			}
		}
		return result
	}, "range_assign")
}
