package pubsub

import (
	"slices"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

var words = faults.Words[rules]{
	Cases:   "pubsub-",
	Names:   []string{"topic", "name", "group"},
	Name:    func(r *rules) *func(string) bool { return &r.Identifier },
	Payload: func(r *rules) *func(string, int64) bool { return &r.Payload },
}

// Names and payloads (the contract's "identifier", "payload" and "null").
var arguments = slices.Concat(faults.WrongWords[rules, *model.PubSub](words), []fault{
	{
		Name:  "topics-folded",
		What:  "Topics that differ in case alone are the same.",
		Case:  "pubsub-topic-is-found-by-its-exact-name",
		Hears: func(c *call) { faults.ChangeText(c, "topic", strings.ToLower) },
	}, {
		Name:  "names-of-subscriptions-folded",
		What:  "Names of subscriptions that differ in case alone are the same.",
		Case:  "pubsub-subscribe-names-are-exact",
		Hears: func(c *call) { faults.ChangeText(c, "name", strings.ToLower) },
	}, {
		Name:  "groups-folded",
		What:  "Groups that differ in case alone are the same.",
		Case:  "pubsub-group-names-are-exact",
		Hears: func(c *call) { faults.ChangeText(c, "group", strings.ToLower) },
	}, {
		Name: "name-with-wildcards-accepted",
		What: "A name may have the stars of a pattern in it.",
		Case: "pubsub-identifier-of-a-pattern",
		Rules: naming(func(name string) bool {
			return correct.Identifier(strings.NewReplacer("*", "x", "#", "x", ">", "x").Replace(name))
		}),
	},
	unchecked("create_topic", "topic", "pubsub-identifier-dot"),
	unchecked("publish", "topic", "pubsub-identifier-dot"),
	unchecked("subscribe", "name", "pubsub-identifier-dot"),
	unchecked("subscribe", "group", "pubsub-identifier-dot"),
	unchecked("unsubscribe", "name", "pubsub-identifier-dot"),
	unchecked("seek", "name", "pubsub-identifier-dot"),
	unchecked("offset", "name", "pubsub-identifier-dot"),
	unchecked("dead_letters", "name", "pubsub-identifier-dot"),
	unchecked("redeliver", "name", "redeliver-with-bad-names-is-invalid"),
	unchecked("status", "name", "status-with-bad-names-is-invalid"),

	nullAccepted("create_topic", "topic", "pubsub-null-topic-in-create-topic"),
	nullAccepted("publish", "topic", "pubsub-null-topic-in-publish"),
	nullAccepted("publish", "payload", "pubsub-null-payload-in-publish"),
	nullAccepted("subscribe", "name", "pubsub-null-names-in-subscribe"),
	nullAccepted("unsubscribe", "name", "pubsub-null-names-in-unsubscribe"),
	nullAccepted("seek", "name", "pubsub-null-names-in-seek"),
	nullAccepted("offset", "name", "pubsub-null-names-in-offset"),
	nullAccepted("dead_letters", "name", "pubsub-null-names-in-dead-letters"),
	nullAccepted("redeliver", "name", "redeliver-with-null-names-is-invalid"),
	nullAccepted("status", "name", "status-with-null-names-is-invalid"),
})

func naming(isIdentifier func(name string) bool) func(*rules) {
	return func(r *rules) { r.Identifier = isIdentifier }
}

func carrying(isPayload func(payload string, limit int64) bool) func(*rules) {
	return func(r *rules) { r.Payload = isPayload }
}
