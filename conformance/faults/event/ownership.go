package event

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Who owns which partition (EB-08).
var ownership = []Fault{
	{
		Name:  "members-sorted-by-arrival",
		What:  "Members own partitions in the order in which they joined.",
		Case:  "join-before-the-others-takes-the-first-partition",
		Rules: sorting(func([]string) {}),
	}, {
		Name: "members-sorted-in-reverse",
		What: "Members are sorted from the last to the first.",
		Case: "join-two-members-share-by-turns",
		Rules: sorting(func(members []string) {
			slices.SortFunc(members, func(a, b string) int { return strings.Compare(b, a) })
		}),
	}, {
		Name:  "members-sorted-by-number",
		What:  "Digits in the names of members are compared as numbers: m2 comes before m10.",
		Case:  "join-sorts-numbers-as-text",
		Rules: sorting(func(members []string) { slices.SortFunc(members, byNumber) }),
	}, {
		Name: "members-sorted-ignoring-case",
		What: "Upper case does not sort before lower case.",
		Case: "join-sorts-upper-case-before-lower-case",
		Rules: sorting(func(members []string) {
			slices.SortFunc(members, func(a, b string) int {
				return cmp.Or(strings.Compare(strings.ToLower(a), strings.ToLower(b)), strings.Compare(a, b))
			})
		}),
	}, {
		Name: "members-sorted-by-locale",
		What: "Members are sorted as in a dictionary: hyphen and underscore count last of all, and case after the letters.",
		Case: "join-sorts-underscore-between-the-cases",
		Rules: sorting(func(members []string) {
			slices.SortFunc(members, func(a, b string) int {
				return cmp.Or(strings.Compare(letters(a), letters(b)), strings.Compare(b, a))
			})
		}),
	}, {
		Name: "members-sorted-by-length",
		What: "Shorter names come first.",
		Case: "join-sorts-a-prefix-before-the-longer-name",
		Rules: sorting(func(members []string) {
			slices.SortFunc(members, func(a, b string) int {
				return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
			})
		}),
	}, {
		Name: "members-sorted-by-first-eight-bytes",
		What: "Names are compared in their first eight bytes only; those alike there stay in the order of arrival.",
		Case: "join-sorts-by-the-last-byte-of-long-names",
		Rules: sorting(func(members []string) {
			slices.SortStableFunc(members, func(a, b string) int {
				return strings.Compare(a[:min(8, len(a))], b[:min(8, len(b))])
			})
		}),
	}, {
		Name: "ownership-by-ranges",
		What: "Each member owns a run of neighbouring partitions, as in Kafka's range assignor.",
		Case: "join-three-members-share-by-turns",
		Rules: assigning(func(p, partitions, members int) int {
			share, more := partitions/members, partitions%members
			if p < more*(share+1) {
				return p / (share + 1)
			}
			return more + (p-more*(share+1))/share
		}),
	}, {
		Name:  "ownership-shifted-by-one",
		What:  "The first partition belongs to the second member.",
		Case:  "join-two-members-share-by-turns",
		Rules: assigning(func(p, _, members int) int { return (p + 1) % members }),
	}, {
		Name:  "ownership-from-the-end",
		What:  "Partitions are dealt out from the last one.",
		Case:  "join-three-members-share-by-turns",
		Rules: assigning(func(p, partitions, members int) int { return (partitions - 1 - p) % members }),
	}, {
		Name:  "ownership-of-32-members",
		What:  "Members after the thirty-second own nothing.",
		Case:  "wide-topic-with-64-members",
		Rules: assigning(func(p, _, members int) int { return p % min(members, 32) }),
	}, {
		Name:  "ownership-of-63-members",
		What:  "The sixty-fourth member owns nothing.",
		Case:  "wide-topic-with-64-members",
		Rules: assigning(func(p, _, members int) int { return p % min(members, 63) }),
	}, {
		Name: "ownership-of-32-partitions",
		What: "Partitions from 32 on belong to nobody: the set of owned ones has 32 bits.",
		Case: "wide-partition-31-32-and-33-are-three",
		Rules: func(r *model.EventRules) {
			r.Assign = func(group *model.EventGroup) []string {
				owners := correct.Assign(group)
				for p := 32; p < len(owners); p++ {
					owners[p] = ""
				}
				return owners
			}
		},
	}, {
		Name: "partition-63-unowned",
		What: "The last of 64 partitions belongs to nobody: its bit is the sign.",
		Case: "wide-topic-with-1-member",
		Rules: func(r *model.EventRules) {
			r.Assign = func(group *model.EventGroup) []string {
				owners := correct.Assign(group)
				if len(owners) == 64 {
					owners[63] = ""
				}
				return owners
			}
		},
	}, {
		Name: "ownership-sticks",
		What: "A partition stays with its owner as long as that one is a member: who joins gets only what is free.",
		Case: "join-two-members-share-by-turns",
		Rules: func(r *model.EventRules) {
			r.Assign = func(group *model.EventGroup) []string {
				owners := correct.Assign(group)
				for p, cursor := range group.Cursors {
					if slices.Contains(group.Members, cursor.Owner) {
						owners[p] = cursor.Owner
					}
				}
				return owners
			}
		},
	}, {
		Name: "join-answers-in-descending-order",
		What: "The partitions that join returns begin with the highest.",
		Case: "join-lists-partitions-in-ascending-order",
		Around: faults.After(func(_ *model.Event, _ Call, result any) any {
			owned := slices.Clone(result.([]any))
			slices.Reverse(owned)
			return owned
		}, "join"),
	}, {
		Name: "join-answers-with-all-partitions",
		What: "A join returns the partitions of the topic, not those of the caller.",
		Case: "join-two-members-share-by-turns",
		Around: faults.After(func(e *model.Event, c Call, _ any) any {
			all := []any{}
			for p := range placeOf(e, c).topic.Partitions {
				all = append(all, int64(p))
			}
			return all
		}, "join"),
	}, {
		Name: "join-answers-null-for-none",
		What: "A member without partitions gets null in place of an empty list.",
		Case: "join-more-members-than-partitions",
		Around: faults.After(func(_ *model.Event, _ Call, result any) any {
			if len(result.([]any)) == 0 {
				return nil
			}
			return result
		}, "join"),
	}, {
		Name: "surplus-member-refused",
		What: "A member for whom there is no partition may not join.",
		Case: "join-more-members-than-partitions",
		Around: faults.Refuses(func(e *model.Event, c Call) bool {
			return absentMember(e, c) && len(placeOf(e, c).group.Members) >= len(placeOf(e, c).topic.Partitions)
		}, "join"),
	}, {
		Name: "member-65-refused",
		What: "A group takes 64 members and no more.",
		Case: "join-more-than-64-members",
		Around: faults.Refuses(func(e *model.Event, c Call) bool {
			return absentMember(e, c) && len(placeOf(e, c).group.Members) >= 64
		}, "join"),
	},
}

func sorting(by func(members []string)) func(*model.EventRules) {
	return func(r *model.EventRules) { r.Sort = by }
}

// assigning gives partition p of so many to the member with the index that is
// returned.
func assigning(index func(p, partitions, members int) int) func(*model.EventRules) {
	return func(r *model.EventRules) {
		r.Assign = func(group *model.EventGroup) []string {
			owners := correct.Assign(group)
			for p := range owners {
				if len(group.Members) > 0 {
					owners[p] = group.Members[index(p, len(owners), len(group.Members))]
				}
			}
			return owners
		}
	}
}

// letters is a name as a dictionary sees it at first.
func letters(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(name))
}

// byNumber compares the numbers at the first place where two names differ.
func byNumber(a, b string) int {
	same := 0
	for same < min(len(a), len(b)) && a[same] == b[same] {
		same++
	}
	return cmp.Or(cmp.Compare(leadingNumber(a[same:]), leadingNumber(b[same:])), strings.Compare(a, b))
}

func leadingNumber(s string) int {
	end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(s)
	}
	n, _ := strconv.Atoi(s[:end])
	return n
}
