package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/eventbroker/eventbroker/broker/assign"
)

// An assignment says who got what: member => topic => partitions.
type assignment = map[string]map[string][]int32

// inOrder gives the ids of the members in the order of RA-04.
func inOrder(members []assign.Member) []string {
	var ids []string
	for _, m := range slices.SortedFunc(slices.Values(members), assign.Member.Compare) {
		ids = append(ids, m.ID)
	}
	return ids
}

// text is a line a member: ID: a=0,1 b=2.
func text(ids []string, assigned assignment) []byte {
	var out []byte
	for _, id := range ids {
		out = append(out, id...)
		out = append(out, ':')
		if len(assigned[id]) == 0 {
			out = append(out, " -"...)
		}
		for _, topic := range slices.Sorted(maps.Keys(assigned[id])) {
			out = append(out, ' ')
			out = append(out, topic...)
			out = appendPartitions(out, assigned[id][topic])
		}
		out = append(out, '\n')
	}
	return out
}

func appendPartitions(out []byte, partitions []int32) []byte {
	separator := byte('=')
	for _, partition := range partitions {
		out = append(out, separator)
		out = strconv.AppendInt(out, int64(partition), 10)
		separator = ','
	}
	return out
}

// asJSON is one object, a line a member, with the members in order, for which
// encoding/json has no map.
func asJSON(ids []string, assigned assignment) []byte {
	if len(ids) == 0 {
		return []byte("{}\n")
	}
	var out []byte
	separator := "{\n  "
	for _, id := range ids {
		out = append(out, separator...)
		out = append(out, marshal(id)...)
		out = append(out, ": "...)
		out = append(out, marshal(assigned[id])...)
		separator = ",\n  "
	}
	return append(out, "\n}\n"...)
}

// marshal is for strings, maps and integers, which always have a JSON form.
func marshal(value any) []byte {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return data
}
