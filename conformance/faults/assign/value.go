package assign

import (
	"math/big"
	"slices"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// anyMember reports whether a member of range_assign is such.
func anyMember(c call, is func(fields) bool) bool {
	return slices.ContainsFunc(c.Args["members"].([]any), func(m any) bool { return is(m.(fields)) })
}

// inMembers changes how the list of members arrives.
func inMembers(change func([]any) []any) func(*call) {
	return func(c *call) {
		if c.Op == "range_assign" {
			c.Args["members"] = change(slices.Clone(c.Args["members"].([]any)))
		}
	}
}

func eachMember(change func(fields) fields) func([]any) []any {
	return func(list []any) []any { return replacing(change)(list).([]any) }
}

// replacing changes each struct of a list.
func replacing(change func(fields) fields) func(any) any {
	return func(list any) any {
		changed := []any{}
		for _, s := range list.([]any) {
			changed = append(changed, change(s.(fields)))
		}
		return changed
	}
}

// repeated is true of a member whose field has a value that came before.
func repeated(field string) func(any) bool {
	var seen []any
	return func(m any) bool {
		value := m.(fields)[field]
		if slices.ContainsFunc(seen, func(before any) bool { return wire.Equal(before, value) }) {
			return true
		}
		seen = append(seen, value)
		return false
	}
}

// inCounts changes how each count of partitions arrives.
func inCounts(change func(c *call, topic string, n any) any) func(*call) {
	return func(c *call) {
		if c.Op != "range_assign" {
			return
		}
		changed := fields{}
		for topic, n := range c.Args["partitions_by_topic"].(fields) {
			changed[topic] = change(c, topic, n)
		}
		c.Args["partitions_by_topic"] = changed
	}
}

func wrapped(n any, to func(*big.Int) int64) any {
	switch n := n.(type) {
	case int64:
		return to(big.NewInt(n))
	case *big.Int:
		return to(n)
	}
	return n
}

// content is the text of a string, or "" where there is none.
func content(value any) string {
	switch s := value.(type) {
	case string:
		return s
	case wire.Bytes:
		return string(s)
	}
	return ""
}

// texts is a list of strings.
func texts(list any) []string {
	var all []string
	for _, value := range list.([]any) {
		all = append(all, content(value))
	}
	return all
}

// inText changes a string that is not null.
func inText(change func(string) string) func(any) any {
	return func(value any) any {
		if value == nil {
			return nil
		}
		return change(content(value))
	}
}

// eachText changes each string of a list.
func eachText(change func(any) any) func(any) any {
	return func(list any) any {
		changed := []any{}
		for _, value := range list.([]any) {
			changed = append(changed, change(value))
		}
		return changed
	}
}

var beforeNUL = inText(faults.BeforeNUL)

var mendedText = inText(func(s string) string { return strings.ToValidUTF8(s, "\ufffd") })

// sorted is a list of strings in order.
func sorted(list any) any {
	changed := slices.Clone(list.([]any))
	slices.SortFunc(changed, func(a, b any) int { return strings.Compare(content(a), content(b)) })
	return changed
}

// unique is a list without what came before in it.
func unique(list any) any {
	changed := []any{}
	for _, value := range list.([]any) {
		if !slices.ContainsFunc(changed, func(before any) bool { return wire.Equal(before, value) }) {
			changed = append(changed, value)
		}
	}
	return changed
}
