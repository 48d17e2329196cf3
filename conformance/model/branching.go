package model

import (
	"maps"
	"slices"
)

// A Branching system can be copied and compared, as a search through the orders
// of some calls has to.
type Branching interface {
	System
	Copy() Branching
	// Same says whether two copies of one system are in the same state.
	Same(Branching) bool
}

// Copy copies the state.
func (e *Event) Copy() Branching {
	to := *e
	to.Topics = make(map[string]*EventTopic, len(e.Topics))
	for name, topic := range e.Topics {
		to.Topics[name] = topic.copy()
	}
	return &to
}

func (t *EventTopic) copy() *EventTopic {
	to := &EventTopic{Partitions: make([]*EventPartition, len(t.Partitions)), Groups: make(map[string]*EventGroup, len(t.Groups))}
	for p, partition := range t.Partitions {
		to.Partitions[p] = &EventPartition{slices.Clone(partition.Retained), partition.Next}
	}
	for name, group := range t.Groups {
		to.Groups[name] = &EventGroup{slices.Clone(group.Members), slices.Clone(group.Cursors)}
	}
	return to
}

// Same compares the topics.
func (e *Event) Same(other Branching) bool {
	return maps.EqualFunc(e.Topics, other.(*Event).Topics, func(a, b *EventTopic) bool {
		return slices.EqualFunc(a.Partitions, b.Partitions, samePartition) && maps.EqualFunc(a.Groups, b.Groups, sameEventGroup)
	})
}

func samePartition(a, b *EventPartition) bool {
	return a.Next == b.Next && slices.Equal(a.Retained, b.Retained)
}

func sameEventGroup(a, b *EventGroup) bool {
	return slices.Equal(a.Members, b.Members) && slices.Equal(a.Cursors, b.Cursors)
}

// Copy copies the state.
func (m *Message) Copy() Branching {
	to := *m
	to.Topics = make(map[string]*MessageTopic, len(m.Topics))
	for name, topic := range m.Topics {
		groups := make(map[string]*MessageGroup, len(topic.Groups))
		for name, group := range topic.Groups {
			group := *group
			group.DeadLetters = slices.Clone(group.DeadLetters)
			groups[name] = &group
		}
		to.Topics[name] = &MessageTopic{slices.Clone(topic.Log), groups}
	}
	return &to
}

// Same compares the topics.
func (m *Message) Same(other Branching) bool {
	return maps.EqualFunc(m.Topics, other.(*Message).Topics, func(a, b *MessageTopic) bool {
		return slices.Equal(a.Log, b.Log) && maps.EqualFunc(a.Groups, b.Groups, sameMessageGroup)
	})
}

func sameMessageGroup(a, b *MessageGroup) bool {
	return a.Offset == b.Offset && a.Attempts == b.Attempts && a.InFlight == b.InFlight &&
		slices.Equal(a.DeadLetters, b.DeadLetters)
}
