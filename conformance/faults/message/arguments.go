package message

import (
	"slices"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

var words = faults.Words[model.MessageRules]{
	Cases:   "message-",
	Names:   []string{"topic", "group"},
	Name:    func(r *model.MessageRules) *func(string) bool { return &r.Identifier },
	Payload: func(r *model.MessageRules) *func(string, int64) bool { return &r.Payload },
}

// Names and payloads (the contract's "identifier", "payload" and "null").
var arguments = slices.Concat(faults.WrongWords[model.MessageRules, *model.Message](words), []fault{
	{
		Name:  "names-folded",
		What:  "Names that differ in case alone are the same.",
		Case:  "message-group-in-another-case-is-another-group",
		Hears: faults.InTexts(strings.ToLower, words.Names...),
	},
	unchecked("create_topic", "topic", "message-no-effect-of-an-invalid-create-topic"),
	unchecked("poll", "group", "message-no-effect-of-an-invalid-poll"),
	unchecked("ack", "group", "message-no-effect-of-an-invalid-ack"),
	unchecked("nack", "group", "message-no-effect-of-an-invalid-nack"),
	unchecked("dead_letters", "group", "message-identifier-dot"),

	nullAccepted("create_topic", "topic", "message-null-topic-in-create-topic"),
	nullAccepted("publish", "payload", "message-null-payload-in-publish"),
	nullAccepted("poll", "group", "message-null-names-in-poll"),
	nullAccepted("ack", "group", "message-null-names-in-ack"),
	nullAccepted("nack", "group", "message-null-names-in-nack"),
	nullAccepted("dead_letters", "group", "message-null-names-in-dead-letters"),
})
