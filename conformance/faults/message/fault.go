// Package message has the faults of the message broker.
package message

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

var broken = faults.Model[model.MessageRules, *model.Message]{
	System: "message", Correct: model.CorrectMessageRules, New: model.NewMessageWith,
}

// correct are the rules that faults bend.
var correct = model.CorrectMessageRules()

type (
	fault   = faults.Fault[model.MessageRules, *model.Message]
	call    = faults.Call
	perform = faults.Perform
	group   = model.MessageGroup
)

var (
	doneAllTheSame = faults.DoneAllTheSame[*model.Message]
	unchecked      = faults.Unchecked[model.MessageRules, *model.Message]
	nullAccepted   = faults.NullAccepted[model.MessageRules, *model.Message]
)

// groupOf is the group that a call is about, nil where there is none.
func groupOf(m *model.Message, c call) *group {
	topic := m.Topics[c.Text("topic")]
	if topic == nil {
		return nil
	}
	return topic.Groups[c.Text("group")]
}

// after changes what comes of these operations, where they are about a group
// that exists.
func after(change func(m *model.Message, g *group, c call, result any) any, ops ...string) func(*model.Message) perform {
	return faults.After(func(m *model.Message, c call, result any) any {
		if g := groupOf(m, c); g != nil {
			return change(m, g, c, result)
		}
		return result
	}, ops...)
}

// before spoils the group before these operations, where it exists.
func before(spoil func(m *model.Message, g *group, c call), ops ...string) func(*model.Message) perform {
	return faults.Before(func(m *model.Message, c call) {
		if g := groupOf(m, c); g != nil {
			spoil(m, g, c)
		}
	}, ops...)
}

func absentTopic(m *model.Message, c call) bool {
	return correct.Identifier(c.Text("topic")) && m.Topics[c.Text("topic")] == nil
}

func absentGroup(m *model.Message, c call) bool {
	return m.Topics[c.Text("topic")] != nil && groupOf(m, c) == nil
}
