package assign

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/eventbroker/eventbroker/broker"
)

// What a member gets: topic => partitions.
type gets = map[string][]int32

func TestRange(t *testing.T) {
	tests := []struct {
		why        string
		partitions map[string]int
		members    []Member
		want       map[string]gets
	}{
		{"the front members get the extra partition of every topic",
			map[string]int{"a": 3, "b": 3, "c": 3},
			[]Member{member("m1", "a", "b", "c"), member("m0", "a", "b", "c")},
			map[string]gets{"m0": {"a": {0, 1}, "b": {0, 1}, "c": {0, 1}}, "m1": {"a": {2}, "b": {2}, "c": {2}}}},
		{"ids are ordered as strings, not by number, arrival or folded case",
			map[string]int{"t": 7},
			[]Member{member("consumer-2", "t"), member("consumer-10", "t"), member("Consumer-1", "t"), member("consumer-1", "t"), member("consumer", "t")},
			map[string]gets{"Consumer-1": {"t": {0, 1}}, "consumer": {"t": {2, 3}}, "consumer-1": {"t": {4}}, "consumer-10": {"t": {5}}, "consumer-2": {"t": {6}}}},
		{"each topic is divided among its own subscribers",
			map[string]int{"A": 2, "B": 3, "C": 3, "D": 1},
			[]Member{member("c1", "A", "B", "C"), member("c2", "B", "C", "D")},
			map[string]gets{"c1": {"A": {0, 1}, "B": {0, 1}, "C": {0, 1}}, "c2": {"B": {2}, "C": {2}, "D": {0}}}},
		{"without instance ids",
			map[string]int{"t": 5},
			[]Member{member("m-9", "t"), member("m-1", "t"), member("m-5", "t")},
			map[string]gets{"m-1": {"t": {0, 1}}, "m-5": {"t": {2, 3}}, "m-9": {"t": {4}}}},
		{"static members come first, by instance id",
			map[string]int{"t": 5},
			[]Member{static("m-9", "i1", "t"), static("m-1", "i2", "t"), member("m-5", "t")},
			map[string]gets{"m-9": {"t": {0, 1}}, "m-1": {"t": {2, 3}}, "m-5": {"t": {4}}}},
		{"idle members are in the result",
			map[string]int{"t": 2},
			[]Member{member("c", "t"), member("a", "t"), member("d", "t"), member("b")},
			map[string]gets{"a": {"t": {0}}, "c": {"t": {1}}, "d": {}, "b": {}}},
		{"topics without metadata, partitions or subscribers are passed over",
			map[string]int{"t": 1, "empty": 0, "unwanted": 5},
			[]Member{member("m", "unknown", "empty", "t")},
			map[string]gets{"m": {"t": {0}}}},
		{"a topic named twice counts once",
			map[string]int{"t": 4},
			[]Member{member("a", "t", "u", "t"), member("b", "t")},
			map[string]gets{"a": {"t": {0, 1}}, "b": {"t": {2, 3}}}},
		{"an instance id may be the id of another member",
			map[string]int{"t": 2},
			[]Member{static("z", "a", "t"), member("a", "t")},
			map[string]gets{"z": {"t": {0}}, "a": {"t": {1}}}},
		{"names are any text, the empty topic too",
			map[string]int{"": 1, "é \x00": 1},
			[]Member{member("ü\n", "", "é \x00")},
			map[string]gets{"ü\n": {"": {0}, "é \x00": {0}}}},
		{"beyond the BMP is before U+E000, as in UTF-16",
			map[string]int{"t": 3},
			[]Member{member("\uffee", "t"), member("\U00010000", "t"), member("\ud7ff", "t")},
			map[string]gets{"\ud7ff": {"t": {0}}, "\U00010000": {"t": {1}}, "\uffee": {"t": {2}}}},
		{"no members", map[string]int{"t": 2}, nil, map[string]gets{}},
		{"nothing at all", nil, nil, map[string]gets{}},
	}
	for _, test := range tests {
		got, err := Range(test.partitions, test.members)
		assert.NoError(t, err, test.why)
		assert.Empty(t, cmp.Diff(test.want, got), test.why)
	}
}

// Rounding 213/66 up would leave members idle: 15 get four, 51 get three.
func TestRangeOfManyMembers(t *testing.T) {
	for _, format := range []string{"m%02d", "m%d"} {
		var members []Member
		for i := range 66 {
			members = append(members, member(fmt.Sprintf(format, i), "t"))
		}
		got, err := Range(map[string]int{"t": 213}, members)
		require.NoError(t, err)
		start, ids := int32(0), slices.Sorted(maps.Keys(got))
		for i, id := range ids {
			size := 3
			if i < 15 {
				size = 4
			}
			assert.Len(t, got[id]["t"], size, id)
			assert.Equal(t, start, got[id]["t"][0], id)
			start += int32(size)
		}
	}
}

func TestRangeRefuses(t *testing.T) {
	tests := []struct {
		argument, reason string
		partitions       map[string]int
		members          []Member
	}{
		{"partitions_by_topic", `count -1 of topic "b" is negative`, map[string]int{"a": 1, "b": -1, "c": -2}, nil},
		{"partitions_by_topic", `topic "a\xff" is not valid UTF-8`, map[string]int{"a\xff": 1}, nil},
		{"partitions_by_topic", "there are more than 10000000 partitions in all", map[string]int{"a": 10_000_001}, nil},
		{"partitions_by_topic", "there are more than 10000000 partitions in all", map[string]int{"a": 9_999_999, "b": 0, "c": 2}, nil},
		{"partitions_by_topic", "there are more than 10000000 partitions in all", map[string]int{"a": math.MaxInt, "b": math.MaxInt}, nil},
		{"members", "id of member 1 is empty", nil, []Member{member("a"), member("")}},
		{"members", "id of member 2 is that of member 0 too", nil, []Member{member("a"), member("b"), member("a")}},
		{"members", "id of member 2 is that of member 0 too", nil, []Member{static("a", "i"), member("b"), static("a", "j")}},
		{"members", "id of member 0 is not valid UTF-8", nil, []Member{member("\xed\xa0\x80")}},
		{"members", "instance_id of member 0 is empty", nil, []Member{static("a", "")}},
		{"members", "instance_id of member 1 is that of member 0 too", nil, []Member{static("a", "i"), static("b", "i")}},
		{"members", "instance_id of member 0 is not valid UTF-8", nil, []Member{static("a", "\xff")}},
		{"members", "topics[1] of member 0 is not valid UTF-8", nil, []Member{member("a", "t", "\xff")}},
	}
	for _, test := range tests {
		got, err := Range(test.partitions, test.members)
		assertInvalid(t, err, test.argument, test.reason)
		assert.Nil(t, got)
	}
}

func TestRangeDividesTheMostPartitions(t *testing.T) {
	got, err := Range(map[string]int{"a": MaxPartitions - 1, "b": 1}, []Member{member("m1", "a"), member("m0", "a", "b")})
	require.NoError(t, err)
	assert.Len(t, got["m0"]["a"], MaxPartitions/2)
	assert.Len(t, got["m1"]["a"], MaxPartitions/2-1)
	assert.Equal(t, int32(MaxPartitions-2), got["m1"]["a"][MaxPartitions/2-2])
}

// Counts of topics that nobody names take no memory, and each partition of the
// others stands in the result once.
func TestRangeTakesNoMoreThanTheResult(t *testing.T) {
	partitions := map[string]int{"wanted": 1_000_000, "unwanted": 9_000_000}
	members := []Member{member("a", "wanted"), member("b", "wanted", "wanted")}
	assert.Less(t, allocated(func() { _, _ = Range(partitions, members) }), uint64(4*1_000_000+64<<10))
}

// A member that appends to its partitions must not write over another's.
func TestRangesDoNotReachIntoEachOther(t *testing.T) {
	got, err := Range(map[string]int{"t": 4}, []Member{member("a", "t"), member("b", "t")})
	require.NoError(t, err)
	_ = append(got["a"]["t"], 99)
	assert.Equal(t, []int32{2, 3}, got["b"]["t"])
}

func TestRangeLeavesItsArgumentsAlone(t *testing.T) {
	members := []Member{member("b", "t"), member("a", "t")}
	_, err := Range(map[string]int{"t": 1}, members)
	require.NoError(t, err)
	assert.Equal(t, []Member{member("b", "t"), member("a", "t")}, members)
}

// RA-04, RA-05, stated without the formula.
func TestRangeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		partitions, members := drawGroup(t)
		got, err := Range(partitions, members)
		require.NoError(t, err)
		require.Len(t, got, len(members))
		slices.SortFunc(members, Member.Compare)
		for topic, count := range partitions {
			requireDivided(t, topic, count, members, got)
		}
		for _, m := range members {
			for topic, owned := range got[m.ID] {
				require.Contains(t, m.Topics, topic)
				require.Positive(t, partitions[topic])
				require.NotEmpty(t, owned)
			}
		}
	})
}

// requireDivided asks that the subscribers, in order, own all partitions of the
// topic, each once and in sequence, with sizes that fall by one at most.
func requireDivided(t *rapid.T, topic string, count int, members []Member, got map[string]gets) {
	var all []int32
	var sizes []int
	for _, m := range members {
		if slices.Contains(m.Topics, topic) {
			all = append(all, got[m.ID][topic]...)
			sizes = append(sizes, len(got[m.ID][topic]))
		}
	}
	if len(sizes) == 0 {
		return
	}
	require.Len(t, all, count)
	for p := range all {
		require.EqualValues(t, p, all[p])
	}
	require.IsNonIncreasing(t, append(sizes, math.MinInt)) // one size alone counts as not sorted
	require.LessOrEqual(t, sizes[0]-sizes[len(sizes)-1], 1)
}

func TestRangeDoesNotDependOnTheOrderOfMembers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		partitions, members := drawGroup(t)
		want, err := Range(partitions, members)
		require.NoError(t, err)
		got, err := Range(partitions, rapid.Permutation(members).Draw(t, "permuted"))
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(want, got))
	})
}

// Whatever the members are, there is an answer or an error, and no partition is
// given twice.
func TestRangeOfAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		anyText := rapid.OneOf(rapid.SampledFrom([]string{"", "a", "b", "\xff"}), rapid.String())
		anyMember := rapid.Custom(func(t *rapid.T) Member {
			return Member{anyText.Draw(t, "id"), rapid.Ptr(anyText, true).Draw(t, "instance"), rapid.SliceOf(anyText).Draw(t, "topics")}
		})
		partitions := rapid.MapOf(anyText, rapid.IntRange(-1, 100)).Draw(t, "partitions")
		got, err := Range(partitions, rapid.SliceOf(anyMember).Draw(t, "members"))
		if err != nil {
			require.ErrorIs(t, err, broker.ErrInvalidArgument)
			return
		}
		for topic, count := range partitions {
			given := 0
			for _, topics := range got {
				given += len(topics[topic])
			}
			require.LessOrEqual(t, given, count)
		}
	})
}

// drawGroup draws a valid group of members with different subscriptions, some
// static, to topics of which some have no metadata or no partitions.
func drawGroup(t *rapid.T) (map[string]int, []Member) {
	partitions := rapid.MapOf(rapid.SampledFrom([]string{"a", "b", "c", "d"}), rapid.IntRange(0, 20)).Draw(t, "partitions")
	topics := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "d", "unknown"}), 0, 6)
	ids := rapid.SliceOfDistinct(rapid.StringN(1, 4, -1), rapid.ID[string]).Draw(t, "ids")
	instances := rapid.Permutation(ids).Draw(t, "instances")
	var members []Member
	for i, id := range ids {
		m := member(id, topics.Draw(t, "topics")...)
		if rapid.Bool().Draw(t, "static") {
			m.InstanceID = &instances[i]
		}
		members = append(members, m)
	}
	return partitions, members
}

func member(id string, topics ...string) Member { return Member{id, nil, topics} }

func static(id, instance string, topics ...string) Member { return Member{id, &instance, topics} }
