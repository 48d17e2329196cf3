package model

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// String shows the state in an order that depends on nothing but the state.
func (m *Message) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d attempts, payloads of at most %d bytes\n", m.MaxAttempts, m.MaxPayload)
	for _, name := range slices.Sorted(maps.Keys(m.Topics)) {
		topic := m.Topics[name]
		fmt.Fprintf(&b, "topic %s: %d messages\n", name, len(topic.Log))
		for _, name := range slices.Sorted(maps.Keys(topic.Groups)) {
			fmt.Fprintf(&b, "  group %s: %s\n", name, topic.Groups[name])
		}
	}
	return b.String()
}

func (g *MessageGroup) String() string {
	delivery := "nothing in flight"
	if g.InFlight {
		delivery = "in flight"
	}
	var parked []int64
	for _, letter := range g.DeadLetters {
		parked = append(parked, letter.Offset)
	}
	return fmt.Sprintf("at %d, delivered %d times, %s, dead letters %d", g.Offset, g.Attempts, delivery, parked)
}
