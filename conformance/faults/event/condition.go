package event

import (
	"slices"

	"github.com/eventbroker/eventbroker/conformance/model"
)

func absentTopic(e *model.Event, c Call) bool {
	return correct.Identifier(c.Text("topic")) && placeOf(e, c).topic == nil
}

func absentGroup(e *model.Event, c Call) bool {
	at := placeOf(e, c)
	return at.topic != nil && at.group == nil
}

func isMember(e *model.Event, c Call) bool {
	at := placeOf(e, c)
	return at.group != nil && slices.Contains(at.group.Members, c.Text("member"))
}

func absentMember(e *model.Event, c Call) bool {
	return placeOf(e, c).group != nil && !isMember(e, c)
}
