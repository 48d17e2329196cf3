package assign

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// Which members are accepted (RA-06).
var members = []fault{
	{
		Name:  "doubled-id-takes-the-last",
		What:  "Of two members with one id the last one counts.",
		Case:  "range-member-id-twice",
		Hears: inMembers(func(list []any) []any { slices.Reverse(list); return slices.DeleteFunc(list, repeated("id")) }),
	}, {
		Name:  "doubled-id-takes-the-first",
		What:  "Of two members with one id the first one counts.",
		Case:  "range-member-id-twice",
		Hears: inMembers(func(list []any) []any { return slices.DeleteFunc(list, repeated("id")) }),
	}, {
		Name: "empty-id-accepted",
		What: "A member id may be empty.",
		Case: "range-member-id-empty",
		Rules: func(r *model.AssignRules) {
			r.ID = func(field, id string) bool { return field == "id" || id != "" }
		},
	}, {
		Name: "empty-instance-id-accepted",
		What: "An instance id may be empty.",
		Case: "range-instance-id-empty",
		Rules: func(r *model.AssignRules) {
			r.ID = func(field, id string) bool { return field == "instance_id" || id != "" }
		},
	}, {
		Name: "empty-instance-id-is-none",
		What: "An empty instance id counts as none.",
		Case: "range-instance-id-empty",
		Hears: inMembers(eachMember(func(m fields) fields {
			return with(m, fields{"instance_id": instead("", nil)(m["instance_id"])})
		})),
	}, {
		Name: "doubled-instance-id-accepted",
		What: "Two members may have one instance id.",
		Case: "range-instance-id-twice",
		Around: mending("members", func(list any) any {
			apart := slices.Clone(list.([]any))
			for i, m := range apart {
				if instance, ok := m.(fields)["instance_id"].(string); ok && instance != "" {
					apart[i] = with(m.(fields), fields{"instance_id": fmt.Sprintf("%s%06d", instance, i)})
				}
			}
			return apart
		}, "range_assign"),
	}, {
		Name: "instance-id-like-a-member-id-refused",
		What: "An instance id that is also a member id is an invalid argument.",
		Case: "range-instance-id-may-be-that-of-a-member",
		Around: faults.Refuses(func(_ *model.Assign, c call) bool {
			return anyMember(c, func(m fields) bool {
				return m["instance_id"] != nil && anyMember(c, func(other fields) bool { return wire.Equal(other["id"], m["instance_id"]) })
			})
		}, "range_assign"),
	}, {
		Name:  "ids-limited-to-identifiers",
		What:  "An id is of A-Z a-z 0-9 _ - alone.",
		Case:  "range-names-may-be-any-text",
		Rules: func(r *model.AssignRules) { r.ID = func(_, id string) bool { return model.IsIdentifier(id) } },
	}, {
		Name: "topics-limited-to-identifiers",
		What: "A topic is of A-Z a-z 0-9 _ - alone.",
		Case: "range-names-may-be-any-text",
		Around: faults.Refuses(func(_ *model.Assign, c call) bool {
			return anyMember(c, func(m fields) bool {
				return slices.ContainsFunc(texts(m["topics"]), func(s string) bool { return !model.IsIdentifier(s) })
			})
		}, "range_assign"),
	}, {
		Name:  "ids-cut-at-nul",
		What:  "An id ends at its first NUL.",
		Case:  "range-order-has-nul-first",
		Hears: inMembers(eachMember(func(m fields) fields { return with(m, fields{"id": beforeNUL(m["id"])}) })),
	}, {
		Name:  "ids-trimmed",
		What:  "Blanks around an id are cut off.",
		Case:  "range-names-may-be-any-text",
		Hears: inMembers(eachMember(func(m fields) fields { return with(m, fields{"id": inText(strings.TrimSpace)(m["id"])}) })),
	}, {
		Name:  "ids-folded",
		What:  "Ids that differ in case alone are the same.",
		Case:  "range-ids-that-differ-in-form-only",
		Hears: inMembers(eachMember(func(m fields) fields { return with(m, fields{"id": inText(strings.ToLower)(m["id"])}) })),
	}, {
		Name:  "ids-not-utf8-mended",
		What:  "Bytes of an id that are no UTF-8 become replacement characters.",
		Case:  "range-member-id-that-is-not-utf-8",
		Hears: inMembers(eachMember(func(m fields) fields { return with(m, fields{"id": mendedText(m["id"])}) })),
	}, {
		Name:  "topics-not-utf8-mended",
		What:  "Bytes of a member's topic that are no UTF-8 become replacement characters.",
		Case:  "range-topic-that-is-not-utf-8",
		Hears: inMembers(eachMember(func(m fields) fields { return with(m, fields{"topics": eachText(mendedText)(m["topics"])}) })),
	},
}

// How many partitions there may be (RA-05, RA-06).
var counts = []fault{
	{
		Name:  "negative-count-accepted",
		What:  "A negative count of partitions is taken for none.",
		Case:  "range-negative-partition-count",
		Rules: func(r *model.AssignRules) { r.Partitions.Min, r.PartitionsInAll.Min = math.MinInt64, math.MinInt64 },
	}, {
		Name:  "count-0-refused",
		What:  "A topic must have a partition.",
		Case:  "range-topic-without-partitions-is-passed-over",
		Rules: func(r *model.AssignRules) { r.Partitions.Min = 1 },
	}, {
		Name:  "one-partition-too-many-accepted",
		What:  "There may be 10,000,001 partitions in all.",
		Case:  "range-10000001-partitions-are-too-many",
		Rules: func(r *model.AssignRules) { r.PartitionsInAll.Max++ },
	}, {
		Name:  "ten-million-partitions-refused",
		What:  "There may be 9,999,999 partitions in all.",
		Case:  "range-10000000-partitions-are-not-too-many",
		Rules: func(r *model.AssignRules) { r.PartitionsInAll.Max-- },
	}, {
		Name:  "limit-of-partitions-for-one-topic",
		What:  "A topic may have 10,000,000 partitions, and so may the next.",
		Case:  "range-10000001-partitions-in-several-topics",
		Rules: func(r *model.AssignRules) { r.Partitions.Max, r.PartitionsInAll.Max = 10_000_000, math.MaxInt64 },
	}, {
		Name: "topics-without-subscribers-not-counted",
		What: "The limit counts the partitions of topics that a member subscribes to.",
		Case: "range-10000001-partitions-are-too-many",
		Hears: inCounts(func(c *call, topic string, n any) any {
			if n != nil && anyMember(*c, func(m fields) bool { return slices.Contains(texts(m["topics"]), topic) }) {
				return n
			}
			return int64(0)
		}),
	}, {
		Name:  "count-wraps-at-32-bits",
		What:  "A count of partitions wraps at 32 bits.",
		Case:  "range-partition-count-outside-32-bits",
		Hears: inCounts(func(_ *call, _ string, n any) any { return wrapped(n, faults.To32Bits) }),
	}, {
		Name:  "count-wraps-at-64-bits",
		What:  "A count of partitions wraps at 64 bits.",
		Case:  "range-partition-count-outside-64-bits",
		Hears: inCounts(func(_ *call, _ string, n any) any { return wrapped(n, faults.To64Bits) }),
	}, {
		Name: "sum-wraps-at-32-bits",
		What: "The sum of the counts wraps at 32 bits.",
		Case: "range-sums-that-wrap",
		Around: mending("partitions_by_topic", func(counts any) any {
			sum := int64(0)
			for _, n := range counts.(fields) {
				sum += int64(int32(wrapped(n, faults.Saturated).(int64)))
			}
			if int32(sum) > 10_000_000 {
				return counts
			}
			return fields{}
		}, "range_assign"),
	},
}
