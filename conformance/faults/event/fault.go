// Package event has the faults of the EventBroker.
package event

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

var broken = faults.Model[model.EventRules, *model.Event]{
	System: "event", Correct: model.CorrectEventRules, New: model.NewEventWith,
}

// correct are the rules that faults bend.
var correct = model.CorrectEventRules()

type (
	// A Fault is one of the EventBroker.
	Fault = faults.Fault[model.EventRules, *model.Event]
	// A Call is an operation with its arguments by name.
	Call = faults.Call
	// Perform carries out calls on one broker.
	Perform = faults.Perform
	// An around goes around the calls of one broker.
	around = func(*model.Event) Perform
)

var (
	doneAllTheSame = faults.DoneAllTheSame[*model.Event]
	unchecked      = faults.Unchecked[model.EventRules, *model.Event]
	nullAccepted   = faults.NullAccepted[model.EventRules, *model.Event]
)

// A place is what a call is about, as far as it exists.
type place struct {
	topic     *model.EventTopic
	partition *model.EventPartition
	group     *model.EventGroup
	cursor    *model.EventCursor
}

func placeOf(e *model.Event, c Call) place {
	var at place
	if at.topic = e.Topics[c.Text("topic")]; at.topic == nil {
		return at
	}
	at.group = at.topic.Groups[c.Text("group")]
	p := c.Number("partition")
	if p < 0 || p >= int64(len(at.topic.Partitions)) {
		return at
	}
	at.partition = at.topic.Partitions[p]
	if at.group != nil {
		at.cursor = &at.group.Cursors[p]
	}
	return at
}
