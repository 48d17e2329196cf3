package event

import (
	"math/bits"
	"strings"
	"sync"

	"github.com/eventbroker/eventbroker/broker"
)

// noLimit is the room of a poll that may return whatever there is.
const noLimit = -1

// A topic is the locked shell around its partitions and groups, which are plain
// values. Its name and the number of its partitions never change.
type topic struct {
	name string

	mu         sync.Mutex  // guards everything below, and everything that it points to
	partitions []partition // the slice itself is fixed
	groups     map[string]*group
}

func newTopic(name string, partitionCount int) *topic {
	return &topic{
		name:       strings.Clone(name), // the caller's string may be part of something large
		partitions: make([]partition, partitionCount),
		groups:     map[string]*group{},
	}
}

func (t *topic) checkPartition(partition int) error {
	return broker.CheckRange("partition", partition, 0, len(t.partitions)-1)
}

func (t *topic) publish(partition int, payload string, capacity int) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
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
		g = t.newGroup()
		t.groups[strings.Clone(groupName)] = g
	}
	return g.join(memberName).owned
}

// newGroup places a group at the earliest retained record of each partition,
// or at its end where nothing is retained (EB-07).
func (t *topic) newGroup() *group {
	g := &group{committed: make([]int64, len(t.partitions)), byName: map[string]*member{}}
	for i := range t.partitions {
		g.committed[i] = t.partitions[i].log.Base()
		t.partitions[i].place(g, g.committed[i], bit(i))
	}
	return g
}

func (t *topic) leave(groupName, memberName string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	g, m := t.find(groupName, memberName)
	if m == nil {
		return false
	}
	g.leave(m)
	return true
}

// poll appends to dst what it reserves; found says that the member is there.
// Where the records need more than room, it reserves nothing.
func (t *topic) poll(dst []Record, groupName, memberName string, limit, room int) (records []Record, need int, found bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	g, m := t.find(groupName, memberName)
	if m == nil {
		return dst, 0, false
	}
	chosen := lowest(m.owned&g.ready&^g.inFlight, limit)
	if chosen == 0 {
		return dst, 0, true
	}
	if room >= 0 {
		if need = t.weight(g, chosen); need > room {
			return dst, need, true
		}
	}
	g.inFlight |= chosen
	return t.appendRecords(dst, g, chosen), need, true
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
	if n := len(dst) + bits.OnesCount64(chosen); n > cap(dst) {
		dst = append(make([]Record, 0, n), dst...)
	}
	for ; chosen != 0; chosen &= chosen - 1 {
		i := bits.TrailingZeros64(chosen)
		offset := g.committed[i]
		dst = append(dst, Record{t.name, i, offset, t.partitions[i].log.At(offset).payload})
	}
	return dst
}

// settle ends the delivery of exactly this offset, if the member owns it
// (EB-13), and commits it if asked to.
func (t *topic) settle(groupName, memberName string, partition int, offset int64, commit bool) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	g, m := t.find(groupName, memberName)
	if m == nil || m.owned&g.inFlight&bit(partition) == 0 || g.committed[partition] != offset {
		return false
	}
	g.inFlight &^= bit(partition)
	if commit {
		g.committed[partition]++
		t.partitions[partition].advance(g, offset, bit(partition))
	}
	return true
}

// find passes over names that are too long without reading them, since others
// wait for the lock meanwhile.
func (t *topic) find(groupName, memberName string) (*group, *member) {
	if len(groupName) > broker.MaxIdentifier || len(memberName) > broker.MaxIdentifier {
		return nil, nil
	}
	g := t.groups[groupName]
	if g == nil {
		return nil, nil
	}
	return g, g.byName[memberName]
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
