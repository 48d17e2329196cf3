package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// String shows the state in an order that depends on nothing but the state.
func (e *Event) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "capacity %d, payloads of at most %d bytes\n", e.Capacity, e.MaxPayload)
	for _, name := range slices.Sorted(maps.Keys(e.Topics)) {
		fmt.Fprintf(&b, "topic %s\n%s", name, e.Topics[name])
	}
	return b.String()
}

func (t *EventTopic) String() string {
	var b strings.Builder
	for p, partition := range t.Partitions {
		fmt.Fprintf(&b, "  partition %d: %s\n", p, partition)
	}
	for _, name := range slices.Sorted(maps.Keys(t.Groups)) {
		group := t.Groups[name]
		fmt.Fprintf(&b, "  group %s: members %s\n", name, group.Members)
		for p, cursor := range group.Cursors {
			fmt.Fprintf(&b, "    partition %d: %s\n", p, cursor)
		}
	}
	return b.String()
}

func (p *EventPartition) String() string {
	var retained []int64
	for _, record := range p.Retained {
		retained = append(retained, record.Offset)
	}
	return fmt.Sprintf("retains %d, next %d", retained, p.Next)
}

func (c EventCursor) String() string {
	owner, delivery := "nobody", "nothing in flight"
	if c.Owner != "" {
		owner = c.Owner
	}
	if c.InFlight != NoDelivery {
		delivery = fmt.Sprintf("%d in flight", c.InFlight)
	}
	return fmt.Sprintf("owned by %s, committed %d, %s", owner, c.Committed, delivery)
}
