package assign

import (
	"maps"
	"slices"
	"unicode/utf8"
)

// MaxPartitions is how many partitions [Range] divides at most, in all topics
// together (RA-06).
const MaxPartitions = 10_000_000

// Range decides which member owns which partition as Kafka's range assignor
// does, racks ignored (RA-04): topic by topic, the members that subscribe to
// it, sorted by [Member.Compare], get consecutive partitions, those at the
// front one more where they do not divide evenly. So the members at the front
// get the extra partition of every topic.
//
// The result maps every member's id to the topics of which it got partitions,
// and those to their partitions in ascending order. Members without partitions
// are in it too. A topic that no member names, that partitionsByTopic lacks, or
// that has no partitions is passed over, and one that a member names twice
// counts once (RA-05).
//
// Strings are any valid UTF-8; ids are not empty and used once; counts are not
// negative, and at most [MaxPartitions] in all, subscribed to or not (RA-06).
func Range(partitionsByTopic map[string]int, members []Member) (map[string]map[string][]int32, error) {
	if err := checkPartitions(partitionsByTopic); err != nil {
		return nil, err
	}
	if err := checkMembers(members); err != nil {
		return nil, err
	}
	assigned := make(map[string]map[string][]int32, len(members)) // member => topic => partitions
	for _, m := range members {
		assigned[m.ID] = make(map[string][]int32)
	}
	for topic, owners := range subscribers(partitionsByTopic, members) {
		for i, partitions := range ranges(partitionsByTopic[topic], len(owners)) {
			assigned[owners[i]][topic] = partitions
		}
	}
	return assigned, nil
}

// subscribers gives, for each topic that has partitions, the ids of the members
// that want it, in the order of RA-04.
func subscribers(partitionsByTopic map[string]int, members []Member) map[string][]string {
	byTopic := make(map[string][]string)
	for _, m := range slices.SortedFunc(slices.Values(members), Member.Compare) {
		for _, topic := range m.Topics {
			ids := byTopic[topic]
			named := len(ids) > 0 && ids[len(ids)-1] == m.ID
			if !named && partitionsByTopic[topic] > 0 {
				byTopic[topic] = append(ids, m.ID)
			}
		}
	}
	return byTopic
}

// ranges cuts the partitions 0 through n-1 into one range for each of m members,
// and gives those that are not empty.
func ranges(n, m int) [][]int32 {
	all := make([]int32, n)
	for p := range all {
		all[p] = int32(p)
	}
	share, extra := n/m, n%m
	cut := make([][]int32, min(n, m))
	for i := range cut {
		start := share*i + min(i, extra)
		end := share*(i+1) + min(i+1, extra)
		cut[i] = all[start:end:end]
	}
	return cut
}

// checkPartitions looks at the topics in order, so that of several faults it is
// always the same one that is told.
func checkPartitions(partitionsByTopic map[string]int) error {
	const argument = "partitions_by_topic"
	room := MaxPartitions
	for _, topic := range slices.Sorted(maps.Keys(partitionsByTopic)) {
		count := partitionsByTopic[topic]
		if !utf8.ValidString(topic) {
			return invalid(argument, "topic %+.64q is not valid UTF-8", topic)
		}
		if count < 0 {
			return invalid(argument, "count %d of topic %+.64q is negative", count, topic)
		}
		if count > room {
			return invalid(argument, "there are more than %d partitions in all", MaxPartitions)
		}
		room -= count
	}
	return nil
}
