package event

import "github.com/eventbroker/eventbroker/conformance/model"

// A search is one poll of a group by a member.
type search struct {
	topic  *model.EventTopic
	group  *model.EventGroup
	member string
	limit  int64
}

func reserving(reserve func(search) []int) func(*model.EventRules) {
	return func(r *model.EventRules) {
		r.Reserve = func(topic *model.EventTopic, group *model.EventGroup, member string, limit int64) []int {
			return reserve(search{topic, group, member, limit})
		}
	}
}

func (s search) correct() []int { return correct.Reserve(s.topic, s.group, s.member, s.limit) }

// waiting: there is a record where the group stands.
func (s search) waiting(p int) bool {
	_, waiting := s.topic.Partitions[p].At(s.group.Cursors[p].Committed)
	return waiting
}

// ready is what the contract asks of a partition that a poll takes from.
func (s search) ready(p int) bool {
	cursor := s.group.Cursors[p]
	return cursor.Owner == s.member && cursor.InFlight == model.NoDelivery && s.waiting(p)
}

// among takes as the contract says, but only from those of the member's
// partitions, looked at in ascending order, that the condition lets through.
func (s search) among(through func(p int) bool) []int {
	limit, found := s.limit, []int(nil)
	for p, cursor := range s.group.Cursors {
		if cursor.Owner == s.member && int64(len(found)) < limit && through(p) && s.ready(p) {
			found = append(found, p)
		}
	}
	return found
}
