package assign

import "slices"

// What a decoder makes of the lists that it read (RA-01, RA-03).
var decoded = []fault{
	{
		Name:   "decoded-topics-sorted",
		What:   "The topics of a subscription come out in order.",
		Case:   "decode-subscription-of-300-topics",
		Around: inField("decode_subscription", "topics", sorted),
	}, {
		Name:   "decoded-topics-named-once",
		What:   "A topic that a subscription names twice comes out once.",
		Case:   "decode-subscription-topics-of-many-lengths",
		Around: inField("decode_subscription", "topics", unique),
	}, {
		Name:   "decoded-topics-backwards",
		What:   "The topics of a subscription come out in reverse.",
		Case:   "decode-subscription-of-300-topics",
		Around: inField("decode_subscription", "topics", backwards),
	}, {
		Name:   "decoded-owned-partitions-sorted",
		What:   "The partitions of an owned topic come out in order.",
		Case:   "decode-subscription-owned-partitions-keep-their-order",
		Around: inField("decode_subscription", "owned_partitions", replacing(inOrder)),
	}, {
		Name:   "decoded-owned-topics-merged",
		What:   "A topic that is owned in two entries comes out in one.",
		Case:   "decode-subscription-owned-topic-twice",
		Around: inField("decode_subscription", "owned_partitions", merged),
	}, {
		Name:   "decoded-owned-topics-without-partitions-dropped",
		What:   "An owned topic without partitions does not come out.",
		Case:   "decode-subscription-owned-topic-without-partitions",
		Around: inField("decode_subscription", "owned_partitions", occupied),
	}, {
		Name:   "decoded-assigned-partitions-sorted",
		What:   "The partitions of an assigned topic come out in order.",
		Case:   "decode-assignment-of-two-topics",
		Around: inField("decode_assignment", "partitions", replacing(inOrder)),
	}, {
		Name:   "decoded-assigned-topics-merged",
		What:   "A topic that is assigned in two entries comes out in one.",
		Case:   "decode-assignment-keeps-what-is-there-twice",
		Around: inField("decode_assignment", "partitions", merged),
	}, {
		Name:   "decoded-assigned-topics-without-partitions-dropped",
		What:   "An assigned topic without partitions does not come out.",
		Case:   "decode-assignment-keeps-what-is-there-twice",
		Around: inField("decode_assignment", "partitions", occupied),
	}, {
		Name:   "decoded-assigned-topics-backwards",
		What:   "The assigned topics come out in reverse.",
		Case:   "encode-assignment-of-what-range-assign-gave",
		Around: inField("decode_assignment", "partitions", backwards),
	},
}

func backwards(list any) any {
	reversed := slices.Clone(list.([]any))
	slices.Reverse(reversed)
	return reversed
}

// inOrder has the partitions of a topic ascend.
func inOrder(entry fields) fields {
	partitions := slices.Clone(entry["partitions"].([]any))
	slices.SortFunc(partitions, func(a, b any) int { return int(a.(int64) - b.(int64)) })
	return with(entry, fields{"partitions": partitions})
}

// merged has each topic once, with all of its partitions.
func merged(list any) any {
	entries, at := []any{}, map[string]int{}
	for _, entry := range list.([]any) {
		topic := content(entry.(fields)["topic"])
		i, seen := at[topic]
		if !seen {
			at[topic] = len(entries)
			entries = append(entries, entry)
			continue
		}
		first := entries[i].(fields)
		all := slices.Concat(first["partitions"].([]any), entry.(fields)["partitions"].([]any))
		entries[i] = with(first, fields{"partitions": all})
	}
	return entries
}

// occupied has no topics without partitions.
func occupied(list any) any {
	return slices.DeleteFunc(slices.Clone(list.([]any)), func(entry any) bool {
		return len(entry.(fields)["partitions"].([]any)) == 0
	})
}
