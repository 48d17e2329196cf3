package pubsub

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// Names and payloads (the contract's "identifier", "payload" and "null").
var arguments = []fault{
	{
		Name:  "names-trimmed",
		What:  "Blanks around a name are cut off.",
		Case:  "pubsub-identifier-trailing-blank",
		Hears: inNames(strings.TrimSpace),
	}, {
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
		Name:  "names-cut-at-nul",
		What:  "A name ends at its first NUL.",
		Case:  "pubsub-identifier-trailing-nul",
		Hears: inNames(faults.BeforeNUL),
	}, {
		Name: "name-of-65-bytes-accepted",
		What: "A name may have 65 bytes.",
		Case: "pubsub-identifier-65-bytes",
		Rules: naming(func(name string) bool {
			return correct.Identifier(name) || len(name) == 65 && correct.Identifier(name[1:])
		}),
	}, {
		Name:  "name-of-64-bytes-refused",
		What:  "A name may have 63 bytes.",
		Case:  "pubsub-identifier-64-bytes-are-accepted",
		Rules: naming(func(name string) bool { return correct.Identifier(name) && len(name) < 64 }),
	}, {
		Name:  "name-with-dots-accepted",
		What:  "A name may have dots in it, as Kafka's topics may.",
		Case:  "pubsub-identifier-dot",
		Rules: naming(func(name string) bool { return correct.Identifier(strings.ReplaceAll(name, ".", "x")) }),
	}, {
		Name: "name-outside-ascii-accepted",
		What: "Letters outside ASCII make a name.",
		Case: "pubsub-identifier-accented-letter",
		Rules: naming(func(name string) bool {
			return correct.Identifier(strings.Map(func(r rune) rune {
				if r >= utf8.RuneSelf && r != utf8.RuneError {
					return 'x'
				}
				return r
			}, name))
		}),
	}, {
		Name:  "name-empty-accepted",
		What:  "A name may be empty.",
		Case:  "pubsub-identifier-empty",
		Rules: naming(func(name string) bool { return name == "" || correct.Identifier(name) }),
	}, {
		Name: "name-with-wildcards-accepted",
		What: "A name may have the stars of a pattern in it.",
		Case: "pubsub-identifier-of-a-pattern",
		Rules: naming(func(name string) bool {
			return correct.Identifier(strings.NewReplacer("*", "x", "#", "x", ">", "x").Replace(name))
		}),
	}, {
		Name: "payload-limited-in-characters",
		What: "The limit of payloads counts characters.",
		Case: "pubsub-payload-limit-counts-bytes",
		Rules: carrying(func(payload string, limit int64) bool {
			return utf8.ValidString(payload) && int64(utf8.RuneCountInString(payload)) <= limit
		}),
	}, {
		Name: "payload-limited-in-utf16-units",
		What: "The limit of payloads counts as a language does whose strings are UTF-16.",
		Case: "pubsub-payload-limit-counts-bytes",
		Rules: carrying(func(payload string, limit int64) bool {
			return utf8.ValidString(payload) && int64(len(utf16.Encode([]rune(payload)))) <= limit
		}),
	}, {
		Name:  "payload-of-one-byte-too-many-accepted",
		What:  "A payload may have one byte more than its limit.",
		Case:  "pubsub-payload-of-1025-bytes-is-invalid",
		Rules: carrying(func(payload string, limit int64) bool { return correct.Payload(payload, limit+1) }),
	}, {
		Name:  "payload-of-its-limit-refused",
		What:  "A payload must stay below its limit.",
		Case:  "pubsub-payload-of-1024-bytes-is-accepted",
		Rules: carrying(func(payload string, limit int64) bool { return correct.Payload(payload, limit-1) }),
	}, {
		Name:  "payload-empty-refused",
		What:  "A payload must have a byte.",
		Case:  "pubsub-payload-empty-is-valid",
		Rules: carrying(func(payload string, limit int64) bool { return payload != "" && correct.Payload(payload, limit) }),
	}, {
		Name:  "payload-cut-at-nul",
		What:  "A payload ends at its first NUL.",
		Case:  "pubsub-payload-keeps-nul",
		Hears: inPayload(faults.BeforeNUL),
	}, {
		Name:  "payload-trimmed",
		What:  "Blanks around a payload are cut off.",
		Case:  "pubsub-payload-keeps-surrounding-blanks",
		Hears: inPayload(strings.TrimSpace),
	}, {
		Name:  "payload-composed",
		What:  "A letter and the accent that follows it become one character.",
		Case:  "pubsub-payload-keeps-accents-as-written",
		Hears: inPayload(strings.NewReplacer("e\u0301", "é", "a\u0301", "á", "u\u0308", "ü", "o\u0308", "ö", "a\u0308", "ä").Replace),
	}, {
		Name:  "payload-not-utf8-accepted",
		What:  "A payload may be any bytes.",
		Case:  "pubsub-payload-byte-ff-is-invalid",
		Rules: carrying(func(payload string, limit int64) bool { return int64(len(payload)) <= limit }),
	}, {
		Name: "payload-not-utf8-mended",
		What: "Bytes that are no UTF-8 become replacement characters.",
		Case: "pubsub-payload-byte-ff-is-invalid",
		Hears: func(c *call) {
			if raw, ok := c.Args["payload"].(wire.Bytes); ok {
				c.Args["payload"] = strings.ToValidUTF8(string(raw), "\ufffd")
			}
		},
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
}

func naming(isIdentifier func(name string) bool) func(*rules) {
	return func(r *rules) { r.Identifier = isIdentifier }
}

func carrying(isPayload func(payload string, limit int64) bool) func(*rules) {
	return func(r *rules) { r.Payload = isPayload }
}

// inNames changes how names arrive.
func inNames(change func(string) string) func(*call) {
	return func(c *call) {
		for _, param := range []string{"topic", "name", "group"} {
			faults.ChangeText(c, param, change)
		}
	}
}

// inPayload changes how payloads arrive.
func inPayload(change func(string) string) func(*call) {
	return func(c *call) { faults.ChangeText(c, "payload", change) }
}
