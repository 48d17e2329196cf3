package assign

import (
	"cmp"
	"unicode/utf8"
)

// A Member is one consumer of a group.
type Member struct {
	// ID is not empty and not that of another member.
	ID string
	// InstanceID is the group instance id of a static member: nil for a member
	// that has none, else not empty and not that of another member.
	InstanceID *string
	// Topics are those it subscribes to, in any order.
	Topics []string
}

// Compare orders members as Kafka does (RA-04): those with an instance id
// first, by that id, then the others by member id, both in the order of UTF-16
// code units. The ids must be valid UTF-8. For use with [slices.SortFunc].
func (m Member) Compare(other Member) int {
	switch {
	case m.InstanceID != nil && other.InstanceID != nil:
		return compareUTF16(*m.InstanceID, *other.InstanceID)
	case m.InstanceID != nil:
		return -1
	case other.InstanceID != nil:
		return 1
	}
	return compareUTF16(m.ID, other.ID)
}

// compareUTF16 compares valid UTF-8 as Java compares strings.
func compareUTF16(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return cmp.Compare(weight(a[i]), weight(b[i]))
		}
	}
	return cmp.Compare(len(a), len(b))
}

// weight puts the first byte of the characters from U+E000 through U+FFFF, EE
// or EF, behind that of the ones beyond, F0 to F4, which are pairs of surrogates
// (U+D800 through U+DFFF) in UTF-16. Everywhere else the order of UTF-8 bytes is
// that of UTF-16 code units.
func weight(c byte) byte {
	if c == 0xEE || c == 0xEF {
		return c | 0x10
	}
	return c
}

// checkMembers judges RA-06. Members are told apart by their place: their ids
// are what may be wrong.
func checkMembers(members []Member) error {
	ids := make(map[string]int, len(members))
	instances := make(map[string]int)
	for i, m := range members {
		if err := checkID("id", m.ID, i, ids); err != nil {
			return err
		}
		if m.InstanceID != nil {
			if err := checkID("instance_id", *m.InstanceID, i, instances); err != nil {
				return err
			}
		}
		for j, topic := range m.Topics {
			if !utf8.ValidString(topic) {
				return invalid("members", "topics[%d] of member %d is not valid UTF-8", j, i)
			}
		}
	}
	return nil
}

// checkID judges the id of member number i, and keeps whose it is in owners.
func checkID(name, id string, i int, owners map[string]int) error {
	if id == "" {
		return invalid("members", "%s of member %d is empty", name, i)
	}
	if !utf8.ValidString(id) {
		return invalid("members", "%s of member %d is not valid UTF-8", name, i)
	}
	if owner, used := owners[id]; used {
		return invalid("members", "%s of member %d is that of member %d too", name, i, owner)
	}
	owners[id] = i
	return nil
}
