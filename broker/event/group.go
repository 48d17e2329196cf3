package event

import (
	"slices"
	"strings"
)

// A group is a set of members that divide the partitions among them, and the
// progress they have made together. It outlives its members (EB-11).
type group struct {
	name string

	members []*member // sorted by byte
	byName  map[string]*member

	committed []int64 // by partition: the offset to deliver next, and to ack
	ready     uint64  // partitions with a record at the committed offset
	inFlight  uint64  // partitions whose record at the committed offset is delivered

	_ [40]byte // to two cache lines
}

// A member takes a cache line of its own.
type member struct {
	name  string
	group *group // nil once it has left
	owned uint64 // partitions

	_ [32]byte
}

// join adds a member of that name unless there is one (EB-09).
func (g *group) join(name string) *member {
	if m := g.byName[name]; m != nil {
		return m
	}
	m := &member{name: strings.Clone(name), group: g}
	i, _ := slices.BinarySearchFunc(g.members, name, byNameOrder)
	g.members = slices.Insert(g.members, i, m)
	g.byName[m.name] = m
	g.rebalance()
	return m
}

func (g *group) leave(m *member) {
	i, _ := slices.BinarySearchFunc(g.members, m.name, byNameOrder)
	g.members = slices.Delete(g.members, i, i+1)
	delete(g.byName, m.name)
	m.group = nil
	g.rebalance()
}

func byNameOrder(m *member, name string) int { return strings.Compare(m.name, name) }

// rebalance gives partition p to the member at p mod n (EB-08) and ends the
// deliveries of the partitions that did not stay with their owner. A member
// that is gone keeps nothing, so that the last one to leave takes every
// delivery with it (EB-10).
func (g *group) rebalance() {
	var stayed uint64
	for i, m := range g.members {
		before := m.owned
		m.owned = share(i, len(g.members), len(g.committed))
		stayed |= before & m.owned
	}
	g.inFlight &= stayed
}

// share is the set of the partitions p with p mod members == index.
func share(index, members, partitions int) uint64 {
	var set uint64
	for p := index; p < partitions; p += members {
		set |= bit(p)
	}
	return set
}
