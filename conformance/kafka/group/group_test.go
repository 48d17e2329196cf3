package group

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/eventbroker/eventbroker/broker/assign"
)

func TestTheSameSeedGivesTheSameGroup(t *testing.T) {
	first, again := New(7, All), New(7, All)
	assert.Equal(t, first, again)
	assert.NotEqual(t, New(7, All), New(8, All))
}

// A comparison over groups that are all alike would prove little: each of these
// must be so in one group of twenty at least.
func TestGroupsAreVaried(t *testing.T) {
	const groups = 2000
	kinds := map[string]func(Group) bool{
		"more members than partitions": func(g Group) bool {
			for _, count := range g.Partitions {
				if 0 < count && count < len(g.Members) {
					return true
				}
			}
			return false
		},
		"different subscriptions": func(g Group) bool {
			return g.any(func(m Member) bool { return len(m.Topics) != len(g.Members[0].Topics) })
		},
		"static and other members": func(g Group) bool {
			return g.any(func(m Member) bool { return m.InstanceID != nil }) && g.any(func(m Member) bool { return m.InstanceID == nil })
		},
		"topics without metadata": func(g Group) bool {
			return g.any(func(m Member) bool {
				return slices.ContainsFunc(m.Topics, func(topic string) bool { _, known := g.Partitions[topic]; return !known })
			})
		},
		"ids whose order differs in UTF-8 and UTF-16": func(g Group) bool {
			members := g.AssignMembers()
			for i := range members {
				members[i].InstanceID = nil
			}
			slices.SortFunc(members, assign.Member.Compare)
			return !slices.IsSortedFunc(members, func(a, b assign.Member) int { return strings.Compare(a.ID, b.ID) })
		},
		"owned partitions": func(g Group) bool {
			return g.any(func(m Member) bool { return m.Subscription.OwnedPartitions != nil })
		},
		"a generation": func(g Group) bool {
			return g.any(func(m Member) bool { return m.Subscription.GenerationID >= 0 })
		},
		"a rack": func(g Group) bool { return g.any(func(m Member) bool { return m.Subscription.RackID != nil }) },
	}
	seen := make(map[string]int)
	for seed := range uint64(groups) {
		g := New(seed, All)
		for kind, is := range kinds {
			if is(g) {
				seen[kind]++
			}
		}
		for _, m := range g.Members {
			assert.Len(t, slices.Compact(slices.Sorted(slices.Values(m.Topics))), len(m.Topics), "a topic twice")
		}
	}
	for kind := range kinds {
		assert.Greater(t, seen[kind], groups/20, kind)
	}
}

func (g Group) any(is func(Member) bool) bool { return slices.ContainsFunc(g.Members, is) }
