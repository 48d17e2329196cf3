package event

import (
	"errors"
	"slices"
	"sync"
	"unicode/utf8"
)

// A simple broker is what a careful developer writes in an afternoon: maps and
// slices under one mutex, the same checks, the same answers. It is what the
// benchmarks compare with.
type simple struct {
	mu       sync.Mutex
	capacity int
	topics   map[string]*simpleTopic
}

type simpleTopic struct {
	partitions []simplePartition
	groups     map[string]*simpleGroup
}

type simplePartition struct {
	base    int64
	records []string
}

type simpleGroup struct {
	members   []string
	committed []int64
	inFlight  []string // by partition, who has a record
}

var errSimple = errors.New("invalid argument")

func newSimple(capacity int) *simple {
	return &simple{capacity: capacity, topics: map[string]*simpleTopic{}}
}

func (s *simple) create(topic string, partitions int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.topics[topic] = &simpleTopic{make([]simplePartition, partitions), map[string]*simpleGroup{}}
}

func (s *simple) join(topic, group, member string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.topics[topic]
	g := t.groups[group]
	if g == nil {
		g = &simpleGroup{committed: make([]int64, len(t.partitions)), inFlight: make([]string, len(t.partitions))}
		for i := range t.partitions {
			g.committed[i] = t.partitions[i].base
		}
		t.groups[group] = g
	}
	g.members = append(g.members, member)
	slices.Sort(g.members)
	clear(g.inFlight)
}

func (s *simple) publish(topic string, partition int, payload string) (int64, error) {
	if len(payload) > 1024 || !utf8.ValidString(payload) {
		return 0, errSimple
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.topics[topic]
	if t == nil || partition < 0 || partition >= len(t.partitions) {
		return 0, errSimple
	}
	p := &t.partitions[partition]
	if len(p.records) == s.capacity {
		return Full, nil
	}
	p.records = append(p.records, payload)
	return p.base + int64(len(p.records)) - 1, nil
}

func (s *simple) poll(topic, group, member string, limit int) ([]Record, error) {
	if limit < 1 || limit > 64 {
		return nil, errSimple
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.topics[topic]
	if t == nil {
		return nil, errSimple
	}
	g := t.groups[group]
	if g == nil {
		return nil, nil
	}
	index := slices.Index(g.members, member)
	if index < 0 {
		return nil, nil
	}
	var records []Record
	for i := index; i < len(t.partitions) && len(records) < limit; i += len(g.members) {
		p, offset := &t.partitions[i], g.committed[i]
		if g.inFlight[i] == "" && offset < p.base+int64(len(p.records)) {
			g.inFlight[i] = member
			records = append(records, Record{topic, i, offset, p.records[offset-p.base]})
		}
	}
	return records, nil
}

func (s *simple) ack(topic, group, member string, partition int, offset int64) (bool, error) {
	if offset < 0 {
		return false, errSimple
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.topics[topic]
	if t == nil || partition < 0 || partition >= len(t.partitions) {
		return false, errSimple
	}
	g := t.groups[group]
	if g == nil || g.inFlight[partition] != member || g.committed[partition] != offset {
		return false, nil
	}
	g.inFlight[partition] = ""
	g.committed[partition]++
	t.trim(partition)
	return true, nil
}

// trim drops what every group has acknowledged.
func (t *simpleTopic) trim(partition int) {
	p := &t.partitions[partition]
	least := p.base + int64(len(p.records))
	for _, g := range t.groups {
		least = min(least, g.committed[partition])
	}
	p.records = p.records[least-p.base:]
	p.base = least
}
