package event

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/eventbroker/eventbroker/broker"
)

// noLimit is the room of a poll that may return whatever there is.
const noLimit = -1

// A topic is the locked shell around its partitions and groups, which are plain
// values. Its name and the number of its partitions never change.
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

func (t *topic) publish(partition int, payload string, capacity int) int64 {
	t.mu.Lock()
	offset := t.append(partition, payload, capacity)
	t.mu.Unlock()
	return offset
}

// publishMany appends to dst what each message got (EB-17).
func (t *topic) publishMany(dst []int64, messages []Message, capacity int) []int64 {
	dst = slices.Grow(dst, len(messages))
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range messages {
		dst = append(dst, t.append(messages[i].Partition, messages[i].Payload, capacity))
	}
	return dst
}

func (t *topic) append(partition int, payload string, capacity int) int64 {
	p := &t.partitions[partition]
	if p.log.Len() == capacity {
		return Full
	}
	return p.append(payload, bit(partition))
}

// join returns the set of partitions that the member owns.
func (t *topic) join(groupName, memberName string) uint64 {
	t.mu.Lock()
	defer t.mu.Unlock()
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

func (t *topic) leave(c *Consumer) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.find(c)
	if m == nil {
		return false
	}
	m.group.leave(m)
	return true
}

// poll appends to dst what it reserves; found says that the member is there.
// Where the records need more than room, it reserves nothing.
func (t *topic) poll(dst []Record, c *Consumer, limit, room int) (records []Record, need int, found bool) {
	t.mu.Lock()
	m := t.find(c)
	if m != nil {
		dst, need = t.reserve(dst, m, limit, room)
	}
	t.mu.Unlock()
	return dst, need, m != nil
}

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

// settle ends the delivery of exactly this offset, if the member owns it
// (EB-13), and commits it if asked to.
func (t *topic) settle(c *Consumer, partition int, offset int64, commit bool) bool {
	t.mu.Lock()
	m := t.find(c)
	ended := m != nil && t.end(m, partition, offset, commit)
	t.mu.Unlock()
	return ended
}

// ackMany appends to dst what was committed (EB-17); found says that the member
// is there.
func (t *topic) ackMany(dst []bool, c *Consumer, positions []Position) (acked []bool, found bool) {
	dst = slices.Grow(dst, len(positions))
	t.mu.Lock()
	defer t.mu.Unlock()
	m := t.find(c)
	for _, p := range positions {
		dst = append(dst, m != nil && t.end(m, p.Partition, p.Offset, true))
	}
	return dst, m != nil
}

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
	if c.seat == nil || c.seat.group == nil {
		c.seat = t.lookUp(c.group, c.member)
	}
	return c.seat
}

// lookUp passes over names that are too long without reading them, since others
// wait for the lock meanwhile.
func (t *topic) lookUp(groupName, memberName string) *member {
	if len(groupName) > broker.MaxIdentifier || len(memberName) > broker.MaxIdentifier {
		return nil
	}
	if m := t.last; m != nil && m.group != nil && m.name == memberName && m.group.name == groupName {
		return m // most calls come from whom the last one came from
	}
	g := t.groups[groupName]
	if g == nil {
		return nil
	}
	t.last = g.byName[memberName]
	return t.last
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
