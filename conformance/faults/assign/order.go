package assign

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/eventbroker/eventbroker/conformance/model"
)

// member is what an order compares.
type member = model.AssignMember

// In which order a topic's subscribers get their partitions (RA-04).
var orders = []fault{
	{
		Name:  "members-in-the-order-of-arrival",
		What:  "Members are not sorted.",
		Case:  "field-global-instead-of-per-topic-assignment",
		Rules: ordering(func(member, member) int { return 0 }),
	}, {
		Name:  "members-sorted-backwards",
		What:  "Members are sorted in descending order.",
		Case:  "field-global-instead-of-per-topic-assignment",
		Rules: ordering(func(a, b member) int { return correct.Order(b, a) }),
	}, {
		Name:  "members-sorted-by-byte",
		What:  "Ids compare by byte: what is beyond the BMP comes last.",
		Case:  "range-order-of-an-emoji-before-u-ff5e",
		Rules: sortingBy(strings.Compare),
	}, {
		Name:  "members-sorted-by-code-point",
		What:  "Ids compare by code point, as strings do in Python.",
		Case:  "range-order-of-the-last-code-point-before-u-e000",
		Rules: sortingBy(func(a, b string) int { return slices.Compare([]rune(a), []rune(b)) }),
	}, {
		Name:  "members-sorted-by-utf16-bytes",
		What:  "Ids compare by the bytes of UTF-16 as little-endian machines have them.",
		Case:  "range-order-of-u-d7ff-before-u-10000",
		Rules: sortingBy(func(a, b string) int { return slices.Compare(swapped(a), swapped(b)) }),
	}, {
		Name:  "members-sorted-ignoring-case",
		What:  "Ids compare without their case.",
		Case:  "field-member-order-hash-arrival-numeric-case-folded",
		Rules: sortingBy(func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }),
	}, {
		Name:  "members-sorted-by-number",
		What:  "Ids that end in a number compare by it: consumer-2 comes before consumer-10.",
		Case:  "range-order-is-not-numeric",
		Rules: sortingBy(byNumber),
	}, {
		Name: "members-sorted-by-length",
		What: "A shorter id comes first.",
		Case: "range-order-is-not-numeric",
		Rules: sortingBy(func(a, b string) int {
			return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
		}),
	}, {
		Name:  "instance-ids-ignored",
		What:  "All members are sorted by member id.",
		Case:  "field-static-members-order",
		Rules: ordering(func(a, b member) int { return byID(member{ID: a.ID}, member{ID: b.ID}) }),
	}, {
		Name:  "static-members-last",
		What:  "Members with an instance id come behind the others.",
		Case:  "field-static-members-order",
		Rules: ordering(func(a, b member) int { return cmp.Or(-staticness(a, b), correct.Order(a, b)) }),
	}, {
		Name:  "static-members-sorted-by-member-id",
		What:  "Members with an instance id come first, by their member id.",
		Case:  "range-order-of-static-members-is-by-instance-id",
		Rules: ordering(func(a, b member) int { return cmp.Or(staticness(a, b), byID(a, b)) }),
	}, {
		Name:  "static-and-dynamic-members-mixed",
		What:  "A member is sorted by its instance id where it has one, among the member ids of the others.",
		Case:  "range-order-of-static-and-other-members-mixed",
		Rules: ordering(func(a, b member) int { return correct.Order(member{ID: key(a)}, member{ID: key(b)}) }),
	}, {
		Name: "instance-ids-sorted-by-byte",
		What: "Instance ids compare by byte.",
		Case: "range-order-of-static-members-is-by-utf-16",
		Rules: ordering(func(a, b member) int {
			if a.Instance != nil && b.Instance != nil {
				return strings.Compare(*a.Instance, *b.Instance)
			}
			return correct.Order(a, b)
		}),
	}, {
		Name: "static-members-in-the-order-of-arrival",
		What: "Members with an instance id come first, not sorted.",
		Case: "range-order-of-static-members-is-not-numeric",
		Rules: ordering(func(a, b member) int {
			if a.Instance != nil && b.Instance != nil {
				return 0
			}
			return correct.Order(a, b)
		}),
	},
}

func ordering(order func(a, b member) int) func(*model.AssignRules) {
	return func(r *model.AssignRules) { r.Order = order }
}

// sortingBy compares the ids of two members without an instance id.
func sortingBy(compare func(a, b string) int) func(*model.AssignRules) {
	return ordering(func(a, b member) int {
		if a.Instance == nil && b.Instance == nil {
			return compare(a.ID, b.ID)
		}
		return correct.Order(a, b)
	})
}

// byID passes over instance ids.
func byID(a, b member) int { return correct.Order(member{ID: a.ID}, member{ID: b.ID}) }

// staticness is negative where only a has an instance id.
func staticness(a, b member) int {
	switch {
	case a.Instance != nil && b.Instance == nil:
		return -1
	case a.Instance == nil && b.Instance != nil:
		return 1
	}
	return 0
}

func key(m member) string {
	if m.Instance != nil {
		return *m.Instance
	}
	return m.ID
}

func byNumber(a, b string) int {
	startA, numberA := numbered(a)
	startB, numberB := numbered(b)
	return cmp.Or(strings.Compare(startA, startB), cmp.Compare(numberA, numberB))
}

// numbered splits the digits at the end off.
func numbered(id string) (string, int) {
	start := strings.TrimRight(id, "0123456789")
	n, _ := strconv.Atoi(id[len(start):])
	return start, n
}

// swapped are the units of UTF-16 with their bytes exchanged.
func swapped(s string) []uint16 {
	units := utf16.Encode([]rune(s))
	for i, unit := range units {
		units[i] = unit<<8 | unit>>8
	}
	return units
}
