package message

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// Names and payloads (the contract's "identifier", "payload" and "null").
var arguments = []fault{
	{
		Name:  "names-trimmed",
		What:  "Blanks around a name are cut off.",
		Case:  "message-identifier-trailing-blank",
		Hears: inNames(strings.TrimSpace),
	}, {
		Name:  "names-folded",
		What:  "Names that differ in case alone are the same.",
		Case:  "message-group-in-another-case-is-another-group",
		Hears: inNames(strings.ToLower),
	}, {
		Name:  "names-cut-at-nul",
		What:  "A name ends at its first NUL.",
		Case:  "message-identifier-trailing-nul",
		Hears: inNames(faults.BeforeNUL),
	}, {
		Name: "name-of-65-bytes-accepted",
		What: "A name may have 65 bytes.",
		Case: "message-identifier-65-bytes",
		Rules: naming(func(name string) bool {
			return correct.Identifier(name) || len(name) == 65 && correct.Identifier(name[1:])
		}),
	}, {
		Name:  "name-of-64-bytes-refused",
		What:  "A name may have 63 bytes.",
		Case:  "message-identifier-64-bytes-are-accepted",
		Rules: naming(func(name string) bool { return correct.Identifier(name) && len(name) < 64 }),
	}, {
		Name:  "name-with-dots-accepted",
		What:  "A name may have dots in it, as Kafka's topics may.",
		Case:  "message-identifier-dot",
		Rules: naming(func(name string) bool { return correct.Identifier(strings.ReplaceAll(name, ".", "x")) }),
	}, {
		Name: "name-outside-ascii-accepted",
		What: "Letters outside ASCII make a name.",
		Case: "message-identifier-accented-letter",
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
		Case:  "message-identifier-empty",
		Rules: naming(func(name string) bool { return name == "" || correct.Identifier(name) }),
	}, {
		Name: "payload-limited-in-characters",
		What: "The limit of payloads counts characters.",
		Case: "message-payload-limit-counts-bytes",
		Rules: carrying(func(payload string, limit int64) bool {
			return utf8.ValidString(payload) && int64(utf8.RuneCountInString(payload)) <= limit
		}),
	}, {
		Name: "payload-limited-in-utf16-units",
		What: "The limit of payloads counts as a language does whose strings are UTF-16.",
		Case: "message-payload-limit-counts-bytes",
		Rules: carrying(func(payload string, limit int64) bool {
			return utf8.ValidString(payload) && int64(len(utf16.Encode([]rune(payload)))) <= limit
		}),
	}, {
		Name:  "payload-of-one-byte-too-many-accepted",
		What:  "A payload may have one byte more than its limit.",
		Case:  "message-payload-of-1025-bytes-is-invalid",
		Rules: carrying(func(payload string, limit int64) bool { return correct.Payload(payload, limit+1) }),
	}, {
		Name:  "payload-of-its-limit-refused",
		What:  "A payload must stay below its limit.",
		Case:  "message-payload-of-1024-bytes-is-accepted",
		Rules: carrying(func(payload string, limit int64) bool { return correct.Payload(payload, limit-1) }),
	}, {
		Name:  "payload-empty-refused",
		What:  "A payload must have a byte.",
		Case:  "message-payload-empty-is-valid",
		Rules: carrying(func(payload string, limit int64) bool { return payload != "" && correct.Payload(payload, limit) }),
	}, {
		Name:  "payload-cut-at-nul",
		What:  "A payload ends at its first NUL.",
		Case:  "message-payload-keeps-nul",
		Hears: inPayload(faults.BeforeNUL),
	}, {
		Name:  "payload-trimmed",
		What:  "Blanks around a payload are cut off.",
		Case:  "message-payload-keeps-surrounding-blanks",
		Hears: inPayload(strings.TrimSpace),
	}, {
		Name:  "payload-composed",
		What:  "A letter and the accent that follows it become one character.",
		Case:  "message-payload-keeps-accents-as-written",
		Hears: inPayload(strings.NewReplacer("e\u0301", "é", "a\u0301", "á", "u\u0308", "ü", "o\u0308", "ö", "a\u0308", "ä").Replace),
	}, {
		Name:  "payload-not-utf8-accepted",
		What:  "A payload may be any bytes.",
		Case:  "message-payload-byte-ff-is-invalid",
		Rules: carrying(func(payload string, limit int64) bool { return int64(len(payload)) <= limit }),
	}, {
		Name: "payload-not-utf8-mended",
		What: "Bytes that are no UTF-8 become replacement characters.",
		Case: "message-payload-byte-ff-is-invalid",
		Hears: func(c *call) {
			if raw, ok := c.Args["payload"].(wire.Bytes); ok {
				c.Args["payload"] = strings.ToValidUTF8(string(raw), "\ufffd")
			}
		},
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
}

func naming(isIdentifier func(name string) bool) func(*model.MessageRules) {
	return func(r *model.MessageRules) { r.Identifier = isIdentifier }
}

func carrying(isPayload func(payload string, limit int64) bool) func(*model.MessageRules) {
	return func(r *model.MessageRules) { r.Payload = isPayload }
}

// inNames changes how names arrive.
func inNames(change func(string) string) func(*call) {
	return func(c *call) {
		faults.ChangeText(c, "topic", change)
		faults.ChangeText(c, "group", change)
	}
}

// inPayload changes how payloads arrive.
func inPayload(change func(string) string) func(*call) {
	return func(c *call) { faults.ChangeText(c, "payload", change) }
}
