package event

import (
	"math/bits"
	"strings"
	"sync"

	"github.com/eventbroker/eventbroker/broker"
)

// noLimit is the room of a poll that may return whatever there is.
const noLimit = -1

// A topic has the lock of its partitions and groups, which are plain values.
// Its name and the number of its partitions never change. Its methods, but for
// those that only judge, are for who holds the lock: see [Topic] and [Consumer].
//
// What calls write lies in cache lines that no other topic writes to, so that
// two topics do not slow each other down: structures are padded to whole lines,
// and slices have room for one.
type topic struct {
	name string

	mu         sync.Mutex  // guards everything below, and everything that it points to
	partitions []partition // the slice itself is fixed
	groups     map[string]*group
	last       *member // that was looked up last, or nil
}

// lineWords is how many words a cache line has.
const lineWords = 8

func newTopic(name string, partitionCount int) *topic {
	t := &topic{
		name:       strings.Clone(name), // the caller's string may be part of something large
		partitions: make([]partition, partitionCount),
		groups:     map[string]*group{},
	}
	lines := make([]*group, partitionCount*lineWords)
	for i := range t.partitions {
		t.partitions[i].atEnd, lines = lines[:0:lineWords], lines[lineWords:]
	}
	return t
}

func (t *topic) checkPartition(partition int) error {
	return broker.CheckRange("partition", partition, 0, len(t.partitions)-1)
}

func (t *topic) checkPosition(partition int, offset int64) error {
	if 0 <= partition && partition < len(t.partitions) && offset >= 0 {
		return nil
	}
	return t.wrongPosition(partition, offset) // apart, so that the check itself is inlined
}

func (t *topic) wrongPosition(partition int, offset int64) error {
	if err := t.checkPartition(partition); err != nil {
		return err
	}
	return broker.NegativeOffset(offset)
}

func (t *topic) append(partition int, payload string, capacity int) int64 {
	return t.partitions[partition].append(payload, bit(partition), capacity)
}

// join returns the set of partitions that the member owns.
func (t *topic) join(groupName, memberName string) uint64 {
	g := t.groups[groupName]
	if g == nil {
		g = t.newGroup(strings.Clone(groupName))
		t.groups[g.name] = g
	}
	return g.join(memberName).owned
}

// newGroup places a group at the earliest retained record of each partition,
// or at its end where nothing is retained (EB-07).
func (t *topic) newGroup(name string) *group {
	n := len(t.partitions)
	g := &group{name: name, committed: make([]int64, n, (n+lineWords-1)/lineWords*lineWords), byName: map[string]*member{}}
	for i := range t.partitions {
		g.committed[i] = t.partitions[i].log.Base()
		t.partitions[i].place(g, g.committed[i], bit(i))
	}
	return g
}

// reserve appends to dst what it reserves for the member. Where the records need
// more than room, it reserves nothing.
func (t *topic) reserve(dst []Record, m *member, limit, room int) (records []Record, need int) {
	g := m.group
	chosen := lowest(m.owned&g.ready&^g.inFlight, limit)
	if room != noLimit {
		if need = t.weight(g, chosen); need > room {
			return dst, need
		}
	}
	g.inFlight |= chosen
	return t.appendRecords(dst, g, chosen), need
}

// weight is what the records of the chosen partitions take in a buffer.
func (t *topic) weight(g *group, chosen uint64) int {
	need := 0
	for ; chosen != 0; chosen &= chosen - 1 {
		i := bits.TrailingZeros64(chosen)
		need += RecordOverhead + len(t.partitions[i].log.At(g.committed[i]).payload)
	}
	return need
}

func (t *topic) appendRecords(dst []Record, g *group, chosen uint64) []Record {
	n := len(dst)
	if need := n + bits.OnesCount64(chosen); need <= cap(dst) {
		dst = dst[:need]
	} else {
		dst = append(make([]Record, 0, need), dst...)[:need]
	}
	for ; chosen != 0; chosen &= chosen - 1 {
		i := bits.TrailingZeros64(chosen)
		r := &dst[n] // field by field: a record made first would have to be copied
		r.Topic, r.Partition, r.Offset = t.name, i, g.committed[i]
		r.Payload = t.partitions[i].log.At(r.Offset).payload
		n++
	}
	return dst
}

// end ends the delivery of exactly this offset, if the member owns it (EB-13),
// and commits it if asked to.
func (t *topic) end(m *member, partition int, offset int64, commit bool) bool {
	g := m.group
	if m.owned&g.inFlight&bit(partition) == 0 || g.committed[partition] != offset {
		return false
	}
	g.inFlight &^= bit(partition)
	if commit {
		g.committed[partition]++
		t.partitions[partition].advance(g, offset, bit(partition))
	}
	return true
}

// find is the member of the consumer's names. It looks them up only when it did
// not yet, or when the member that it found has left since.
func (t *topic) find(c *Consumer) *member {
	if m := c.seat; m != nil && m.group != nil {
		return m
	}
	return t.lookUp(c)
}

// lookUp finds the member by its names, which are mostly those of the last call.
// It is kept apart, so that find is inlined.
//
//go:noinline
func (t *topic) lookUp(c *Consumer) *member {
	if m := t.last; m == nil || m.group == nil || m.name != c.member || m.group.name != c.group {
		t.last = t.member(c.group, c.member)
	}
	c.seat = t.last
	return c.seat
}

// member passes over names that are too long without reading them, since others
// wait for the lock meanwhile.
func (t *topic) member(groupName, memberName string) *member {
	if len(groupName) > broker.MaxIdentifier || len(memberName) > broker.MaxIdentifier {
		return nil
	}
	if g := t.groups[groupName]; g != nil {
		return g.byName[memberName]
	}
	return nil
}

// bit is the set that holds only this partition. Sets of partitions are 64-bit
// masks, which bounds a topic to 64 of them (EB-02).
func bit(partition int) uint64 { return 1 << partition }

// lowest is the subset of the limit lowest members of a set.
func lowest(set uint64, limit int) uint64 {
	rest := set
	for ; rest != 0 && limit > 0; limit-- {
		rest &= rest - 1
	}
	return set &^ rest
}
