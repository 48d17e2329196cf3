package model

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// rangeAssign goes topic by topic, over that topic's subscribers only (RA-04).
// Every member is in the result, with only the topics it got (RA-05).
func (a *Assign) rangeAssign(values map[string]any) (any, error) {
	counts, err := a.counts(values["partitions_by_topic"])
	if err != nil {
		return nil, err
	}
	members, err := a.members(values["members"])
	if err != nil {
		return nil, err
	}
	result := map[string]any{}
	for _, member := range members {
		result[member.ID] = map[string]any{}
	}
	for topic, n := range counts {
		for id, partitions := range a.assignTopic(topic, n, members) {
			result[id].(map[string]any)[topic] = partitions
		}
	}
	return result, nil
}

// assignTopic gives member => partitions, without those who get none.
func (a *Assign) assignTopic(topic string, n int64, members []AssignMember) map[string][]any {
	subscribers := a.Rules.Subscribers(topic, members)
	slices.SortStableFunc(subscribers, a.Rules.Order)
	assigned := map[string][]any{}
	for i, member := range subscribers {
		for _, p := range a.Rules.Share(n, int64(len(subscribers)), int64(i)) {
			assigned[member.ID] = append(assigned[member.ID], p)
		}
	}
	return assigned
}

// counts gives topic => how many partitions. What has none at all is no error,
// in contrast to too many in all (RA-05, RA-06).
func (a *Assign) counts(value any) (map[string]int64, error) {
	const argument = "partitions_by_topic"
	topics, err := mapOf(argument, value)
	if err != nil {
		return nil, err
	}
	counts, all := map[string]int64{}, int64(0)
	for _, topic := range slices.Sorted(maps.Keys(topics)) {
		n, err := integer(strconv.Quote(topic), topics[topic], a.Rules.Partitions)
		if err != nil {
			return nil, within(argument, err)
		}
		counts[topic] = n
		all += n
	}
	_, err = integer("in all", all, a.Rules.PartitionsInAll)
	return counts, within(argument, err)
}

// members reads them in the order of arrival (RA-06).
func (a *Assign) members(value any) ([]AssignMember, error) {
	const argument = "members"
	list, err := listOf(argument, value)
	if err != nil {
		return nil, err
	}
	var members []AssignMember
	ids, instances := map[string]bool{}, map[string]bool{}
	for i, value := range list {
		member, err := a.member(value)
		if err == nil {
			err = once(ids, "id", member.ID)
		}
		if err == nil && member.Instance != nil {
			err = once(instances, "instance_id", *member.Instance)
		}
		if err != nil {
			return nil, within(argument, within(fmt.Sprintf("[%d]", i), err))
		}
		members = append(members, member)
	}
	return members, nil
}

func (a *Assign) member(value any) (AssignMember, error) {
	var m AssignMember
	fields, err := mapOf("member", value)
	if err != nil {
		return m, err
	}
	if m.ID, err = a.id("id", fields["id"]); err != nil {
		return m, err
	}
	if fields["instance_id"] != nil {
		instance, err := a.id("instance_id", fields["instance_id"])
		if err != nil {
			return m, err
		}
		m.Instance = &instance
	}
	topics, err := listOf("topics", fields["topics"])
	for i := 0; i < len(topics) && err == nil; i++ {
		var topic string
		topic, err = a.text(fmt.Sprintf("topics[%d]", i), topics[i])
		m.Topics = append(m.Topics, topic)
	}
	return m, err
}

// id: not empty (RA-06).
func (a *Assign) id(field string, value any) (string, error) {
	id, err := a.text(field, value)
	if err == nil && !a.Rules.ID(field, id) {
		err = &InvalidArgument{field, "is empty"}
	}
	return id, err
}

// text: any UTF-8 string (the contract's "identifier").
func (a *Assign) text(field string, value any) (string, error) {
	s, err := text(field, value)
	if err == nil && !a.Rules.Text(s) {
		err = &InvalidArgument{field, strconv.Quote(s) + " is not UTF-8"}
	}
	return s, err
}

// once: no id is used twice (RA-06).
func once(seen map[string]bool, field, id string) error {
	if seen[id] {
		return &InvalidArgument{field, strconv.Quote(id) + " is used twice"}
	}
	seen[id] = true
	return nil
}
