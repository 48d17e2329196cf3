package model

import (
	"math"
	"slices"
	"unicode/utf16"
	"unicode/utf8"
)

// AssignRules are the decisions of the contract, as [EventRules] are.
type AssignRules struct {
	// Join and Split turn the bytes of an integer into it and back (RA-01).
	Join  func(bytes []byte) int64
	Split func(n int64, size int) []byte

	// Since is the version with which a field of the tail came. Later versions
	// than Latest are read as that one (RA-01).
	Since  map[string]int64
	Latest int64
	// MayStop: a writer may leave the input at that before this field of a
	// subscription (RA-01).
	MayStop func(field string, version int64) bool
	// Forgives: the tail of a subscription of this version may fail, and then
	// counts as absent (RA-01).
	Forgives func(version int64) bool
	// MayRemain: so many bytes may be left over (RA-01).
	MayRemain func(left int) bool

	ReadVersion  Range // RA-02
	Count        Range // RA-02, of a list
	StringLength Range // RA-02, in bytes
	RackLength   Range // RA-02, -1 for null
	BytesLength  Range // RA-02, -1 for null
	WriteVersion Range // RA-03
	WrittenText  Range // RA-03, in bytes
	Text         func(string) bool

	// Order is that of a topic's subscribers (RA-04).
	Order func(a, b AssignMember) int
	// Subscribers are the members that take part in the assignment of a topic,
	// once each (RA-04, RA-05).
	Subscribers func(topic string, members []AssignMember) []AssignMember
	// Share is which partitions fall to subscriber i of m, out of n (RA-04).
	Share func(n, m, i int64) []int64

	Partitions      Range // RA-06, of one topic
	PartitionsInAll Range // RA-06
	// ID: it may be an id, or an instance id (RA-06).
	ID func(field, id string) bool
}

// An AssignMember is a member as range_assign is told of it. A member whose
// instance id is null has none.
type AssignMember struct {
	ID       string
	Topics   []string
	Instance *string
}

// CorrectAssignRules are those of the contract.
func CorrectAssignRules() AssignRules {
	return AssignRules{
		Join:            bigEndian,
		Split:           splitBigEndian,
		Since:           map[string]int64{"owned_partitions": 1, "generation_id": 2, "rack_id": 3},
		Latest:          3,
		MayStop:         func(string, int64) bool { return true },
		Forgives:        func(version int64) bool { return version > 3 },
		MayRemain:       func(int) bool { return true },
		ReadVersion:     Range{0, math.MaxInt16},
		Count:           Range{0, math.MaxInt32},
		StringLength:    Range{0, math.MaxInt16},
		RackLength:      Range{-1, math.MaxInt16},
		BytesLength:     Range{-1, math.MaxInt32},
		WriteVersion:    Range{0, 3},
		WrittenText:     Range{0, math.MaxInt16},
		Text:            utf8.ValidString,
		Order:           staticFirst,
		Subscribers:     whoNames,
		Share:           consecutive,
		Partitions:      Range{0, math.MaxInt32},
		PartitionsInAll: Range{0, 10_000_000},
		ID:              func(_, id string) bool { return id != "" },
	}
}

// bigEndian: the first byte is the highest and has the sign (RA-01).
func bigEndian(bytes []byte) int64 {
	n := int64(int8(bytes[0]))
	for _, b := range bytes[1:] {
		n = n*256 + int64(b)
	}
	return n
}

// splitBigEndian is the reverse of bigEndian.
func splitBigEndian(n int64, size int) []byte {
	var bytes []byte
	for range size {
		bytes = append([]byte{byte(n)}, bytes...)
		n >>= 8
	}
	return bytes
}

// staticFirst: members with an instance id first, by that id, then the others
// by their member id (RA-04).
func staticFirst(a, b AssignMember) int {
	switch {
	case a.Instance != nil && b.Instance != nil:
		return byUTF16(*a.Instance, *b.Instance)
	case a.Instance != nil:
		return -1
	case b.Instance != nil:
		return 1
	}
	return byUTF16(a.ID, b.ID)
}

// byUTF16: as Java's strings compare (RA-04).
func byUTF16(a, b string) int {
	return slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
}

// whoNames: a topic that a member names twice counts once (RA-05).
func whoNames(topic string, members []AssignMember) []AssignMember {
	var subscribers []AssignMember
	for _, member := range members {
		if slices.Contains(member.Topics, topic) {
			subscribers = append(subscribers, member)
		}
	}
	return subscribers
}

// consecutive: n div m partitions each and one more for the first n mod m
// (RA-04).
func consecutive(n, m, i int64) []int64 {
	start, size := n/m*i+min(i, n%m), n/m
	if i < n%m {
		size++
	}
	var partitions []int64
	for p := start; p < start+size; p++ {
		partitions = append(partitions, p)
	}
	return partitions
}
