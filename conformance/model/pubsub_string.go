package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// String shows the state in an order that depends on nothing but the state.
func (p *PubSub) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %d tries, payloads of at most %d bytes\n", p.Dispatcher, p.MaxAttempts, p.MaxPayload)
	for _, t := range p.Topics {
		fmt.Fprintf(&b, "topic %s: messages %d through %d\n", t.Name, earliestKept(t), t.End()-1)
		b.WriteString(t.String())
	}
	return b.String()
}

func (t *PubSubTopic) String() string {
	var b strings.Builder
	for _, s := range t.Subscriptions {
		if !slices.Contains(t.groups(), s.Cursor) {
			fmt.Fprintf(&b, "  %s: %s\n", s.Name, s.Cursor)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.Groups)) {
		group := t.Groups[name]
		fmt.Fprintf(&b, "  group %s: %s, %s\n", name, group, group.members())
	}
	for _, name := range slices.Sorted(maps.Keys(t.Disconnected)) {
		fmt.Fprintf(&b, "  %s: disconnected\n", name)
	}
	return b.String()
}

func (t *PubSubTopic) groups() []*PubSubCursor { return slices.Collect(maps.Values(t.Groups)) }

func (c *PubSubCursor) members() string {
	if len(c.Members) == 0 {
		return "no members"
	}
	var names []string
	for _, s := range c.Members {
		names = append(names, s.Name)
	}
	return fmt.Sprintf("members %s, next %s", names, names[c.Turn])
}

func (c *PubSubCursor) String() string {
	return fmt.Sprintf("at %d, failed %d times, %s, lost %d, dead letters %d, again %d",
		c.Next, c.Attempts, c.Policy, c.Lost, offsets(c.Parked), offsets(c.Again))
}

func offsets(letters []*PubSubLetter) []int64 {
	var list []int64
	for _, l := range letters {
		list = append(list, l.Offset)
	}
	return list
}
