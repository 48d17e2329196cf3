package event

import (
	"fmt"
	"slices"
	"strings"
)

// check walks the whole broker and returns the first invariant of package
// broker's documentation that does not hold.
func (b *Broker) check() error {
	slots := b.topics.slots.Load()
	if slots == nil {
		return nil
	}
	count := 0
	for i := range *slots {
		t := (*slots)[i].Load()
		if t == nil {
			continue
		}
		count++
		if err := t.check(b.capacity); err != nil {
			return fmt.Errorf("topic %s: %w", t.name, err)
		}
	}
	if count != b.topics.count || 2*count > len(*slots) {
		return fmt.Errorf("%d topics in %d slots, counted as %d", count, len(*slots), b.topics.count)
	}
	return nil
}

func (t *topic) check(capacity int) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	for name, g := range t.groups {
		if g.name != name {
			return fmt.Errorf("group %s says that it is %s", name, g.name)
		}
		if err := t.checkGroup(g); err != nil {
			return fmt.Errorf("group %s: %w", name, err)
		}
	}
	if err := t.checkLast(); err != nil {
		return err
	}
	for i := range t.partitions {
		if err := t.checkStanding(i, capacity); err != nil {
			return fmt.Errorf("partition %d: %w", i, err)
		}
	}
	return nil
}

// checkLast: the member that was looked up last is the one of its names, unless it
// says that it has left.
func (t *topic) checkLast() error {
	m := t.last
	if m == nil || m.group == nil {
		return nil
	}
	if t.groups[m.group.name] != m.group || m.group.byName[m.name] != m {
		return fmt.Errorf("member %s of group %s was looked up last and is not there", m.name, m.group.name)
	}
	return nil
}

func (t *topic) checkGroup(g *group) error {
	sorted := slices.IsSortedFunc(g.members, func(a, b *member) int { return strings.Compare(a.name, b.name) })
	if !sorted || len(g.members) != len(g.byName) {
		return fmt.Errorf("members are not a sorted set: %d in order, %d by name", len(g.members), len(g.byName))
	}
	owners := make([]int, len(t.partitions))
	for i, m := range g.members {
		if g.byName[m.name] != m {
			return fmt.Errorf("member %s is not found by its name", m.name)
		}
		if m.group != g {
			return fmt.Errorf("member %s is of another group, or says that it has left", m.name)
		}
		for _, p := range indices(m.owned) {
			if p >= len(t.partitions) || p%len(g.members) != i {
				return fmt.Errorf("member %s owns partition %d", m.name, p)
			}
			owners[p]++
		}
	}
	for p, n := range owners {
		if len(g.members) > 0 && n != 1 || len(g.members) == 0 && g.inFlight != 0 {
			return fmt.Errorf("partition %d has %d owners", p, n)
		}
		retained := t.partitions[p].log.Has(g.committed[p])
		if ready := g.ready&bit(p) != 0; ready != retained {
			return fmt.Errorf("partition %d: ready is %v with the record at %d retained: %v", p, ready, g.committed[p], retained)
		}
	}
	if g.inFlight&^g.ready != 0 {
		return fmt.Errorf("in flight %b is not a part of ready %b", g.inFlight, g.ready)
	}
	return nil
}

// checkStanding recounts where the groups stand and compares.
func (t *topic) checkStanding(i, capacity int) error {
	p := &t.partitions[i]
	if p.log.Len() > capacity {
		return fmt.Errorf("%d records with a capacity of %d", p.log.Len(), capacity)
	}
	standing, atEnd := map[int64]int32{}, map[*group]bool{}
	for _, g := range t.groups {
		if offset := g.committed[i]; offset == p.log.Next() {
			atEnd[g] = true
		} else {
			standing[offset]++
		}
	}
	for o := p.log.Base(); o < p.log.Next(); o++ {
		if got := p.log.At(o).standing; got != standing[o] {
			return fmt.Errorf("offset %d counts %d groups, %d stand there", o, got, standing[o])
		}
		delete(standing, o)
	}
	if len(standing) > 0 {
		return fmt.Errorf("groups stand where nothing is retained: %v", standing)
	}
	for _, g := range p.atEnd {
		if !atEnd[g] {
			return fmt.Errorf("a group is listed at the end that does not stand there, or twice")
		}
		delete(atEnd, g)
	}
	if len(atEnd) > 0 {
		return fmt.Errorf("%d groups at the end are not listed", len(atEnd))
	}
	if len(t.groups) > 0 && p.log.Len() > 0 && p.log.At(p.log.Base()).standing == 0 {
		return fmt.Errorf("the record at %d is retained though every group acknowledged it", p.log.Base())
	}
	return nil
}
