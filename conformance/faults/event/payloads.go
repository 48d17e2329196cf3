package event

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// What may be published and how it comes back (the contract's "payload").
var payloads = []Fault{
	{
		Name: "payload-limited-in-characters",
		What: "The limit of payloads counts characters.",
		Case: "payload-limit-counts-bytes-of-three-byte-characters",
		Rules: carrying(func(payload string, limit int64) bool {
			return utf8.ValidString(payload) && int64(utf8.RuneCountInString(payload)) <= limit
		}),
	}, {
		Name: "payload-limited-in-utf16-units",
		What: "The limit of payloads counts as a language does whose strings are UTF-16.",
		Case: "payload-limit-counts-bytes-of-four-byte-characters",
		Rules: carrying(func(payload string, limit int64) bool {
			return utf8.ValidString(payload) && int64(len(utf16.Encode([]rune(payload)))) <= limit
		}),
	}, {
		Name:  "payload-of-one-byte-too-many-accepted",
		What:  "A payload may have one byte more than its limit.",
		Case:  "payload-of-1025-bytes-is-invalid",
		Rules: carrying(func(payload string, limit int64) bool { return correct.Payload(payload, limit+1) }),
	}, {
		Name:  "payload-of-its-limit-refused",
		What:  "A payload must stay below its limit.",
		Case:  "payload-of-1024-bytes-is-accepted",
		Rules: carrying(func(payload string, limit int64) bool { return correct.Payload(payload, limit-1) }),
	}, {
		Name: "payload-without-a-limit",
		What: "A payload may have any length from 4,096 bytes on.",
		Case: "payload-far-too-long-is-invalid",
		Rules: carrying(func(payload string, limit int64) bool {
			return correct.Payload(payload, limit) || len(payload) >= 4096 && utf8.ValidString(payload)
		}),
	}, {
		Name:  "payload-cut-at-its-limit",
		What:  "A payload loses what follows its first 1,024 bytes.",
		Case:  "payload-of-1025-bytes-is-invalid",
		Hears: inPayload(func(payload string) string { return payload[:min(1024, len(payload))] }),
	}, {
		Name:  "empty-payload-refused",
		What:  "A payload must have a byte.",
		Case:  "payload-empty-is-valid",
		Rules: carrying(func(payload string, limit int64) bool { return payload != "" && correct.Payload(payload, limit) }),
	}, {
		Name:  "payload-cut-at-nul",
		What:  "A payload ends at its first NUL.",
		Case:  "payload-keeps-nul",
		Hears: inPayload(faults.BeforeNUL),
	}, {
		Name: "payload-with-nul-refused",
		What: "A payload may have no NUL in it.",
		Case: "payload-keeps-nul",
		Rules: carrying(func(payload string, limit int64) bool {
			return !strings.Contains(payload, "\x00") && correct.Payload(payload, limit)
		}),
	}, {
		Name:  "payload-trimmed",
		What:  "Blanks around a payload are cut off.",
		Case:  "payload-keeps-surrounding-blanks",
		Hears: inPayload(strings.TrimSpace),
	}, {
		Name:  "payload-loses-a-trailing-newline",
		What:  "A newline at the end of a payload is cut off.",
		Case:  "payload-keeps-line-ends",
		Hears: inPayload(func(payload string) string { return strings.TrimSuffix(payload, "\n") }),
	}, {
		Name:  "payload-line-ends-made-alike",
		What:  "A carriage return and newline become a newline.",
		Case:  "payload-keeps-line-ends",
		Hears: inPayload(func(payload string) string { return strings.ReplaceAll(payload, "\r\n", "\n") }),
	}, {
		Name: "payload-composed",
		What: "A letter and the accent that follows it become one character, as under NFC.",
		Case: "payload-keeps-accents-as-written",
		Hears: inPayload(strings.NewReplacer(
			"a\u0301", "á", "e\u0301", "é", "i\u0301", "í", "o\u0301", "ó", "u\u0301", "ú",
			"a\u0308", "ä", "o\u0308", "ö", "u\u0308", "ü", "n\u0303", "ñ", "c\u0327", "ç", "A\u030a", "Å",
		).Replace),
	}, {
		Name:  "payload-decomposed",
		What:  "A letter with an accent becomes two characters, as under NFD.",
		Case:  "payload-keeps-accents-as-written",
		Hears: inPayload(strings.NewReplacer("é", "e\u0301", "ä", "a\u0308", "ö", "o\u0308", "ü", "u\u0308").Replace),
	}, {
		Name: "payload-loses-combining-marks",
		What: "Accents that are characters of their own are dropped.",
		Case: "payload-keeps-accents-as-written",
		Hears: inPayload(func(payload string) string {
			return strings.Map(func(r rune) rune {
				if unicode.Is(unicode.Mn, r) {
					return -1
				}
				return r
			}, payload)
		}),
	}, {
		Name:  "payload-loses-a-byte-order-mark",
		What:  "A byte order mark at the beginning of a payload is cut off.",
		Case:  "payload-keeps-a-byte-order-mark",
		Hears: inPayload(func(payload string) string { return strings.TrimPrefix(payload, "\ufeff") }),
	}, {
		Name: "payload-outside-the-basic-plane-refused",
		What: "A character of four bytes is refused, as by a database of three.",
		Case: "payload-keeps-the-last-code-point",
		Rules: carrying(func(payload string, limit int64) bool {
			return correct.Payload(payload, limit) && !strings.ContainsFunc(payload, func(r rune) bool { return r > 0xFFFF })
		}),
	}, {
		Name: "payload-outside-ascii-replaced",
		What: "Characters outside ASCII become question marks.",
		Case: "payload-keeps-accents-as-written",
		Hears: inPayload(func(payload string) string {
			return strings.Map(func(r rune) rune {
				if r > unicode.MaxASCII && r != utf8.RuneError {
					return '?'
				}
				return r
			}, payload)
		}),
	}, {
		Name:  "payload-lowered",
		What:  "Payloads are folded to lower case.",
		Case:  "payload-keeps-case-and-direction",
		Hears: inPayload(strings.ToLower),
	}, {
		Name:  "payload-not-utf8-accepted",
		What:  "A payload may be any bytes.",
		Case:  "payload-byte-ff-is-invalid",
		Rules: carrying(func(payload string, limit int64) bool { return int64(len(payload)) <= limit }),
	}, {
		Name: "payload-of-a-surrogate-accepted",
		What: "A surrogate that is encoded in three bytes is taken for UTF-8.",
		Case: "payload-surrogate-is-invalid",
		Rules: carrying(func(payload string, limit int64) bool {
			return correct.Payload(payload, limit) || isSurrogate(payload)
		}),
	}, {
		Name: "payload-of-an-overlong-form-accepted",
		What: "NUL in two bytes, as in modified UTF-8, is taken for UTF-8.",
		Case: "payload-overlong-form-is-invalid",
		Rules: carrying(func(payload string, limit int64) bool {
			return correct.Payload(strings.ReplaceAll(payload, "\xc0\x80", "00"), limit)
		}),
	}, {
		Name: "payload-cut-inside-a-character-accepted",
		What: "A payload that ends inside a character is taken for UTF-8.",
		Case: "payload-truncated-character-is-invalid",
		Rules: carrying(func(payload string, limit int64) bool {
			whole := strings.TrimRightFunc(payload, func(r rune) bool { return r == utf8.RuneError })
			return correct.Payload(payload, limit) || payload != whole && correct.Payload(whole, limit) && utf8.RuneStart(payload[len(whole)])
		}),
	}, {
		Name: "payload-not-utf8-mended",
		What: "Bytes that are no UTF-8 become replacement characters.",
		Case: "payload-byte-ff-is-invalid",
		Hears: func(c *Call) {
			if raw, ok := c.Args["payload"].(wire.Bytes); ok {
				c.Args["payload"] = strings.ToValidUTF8(string(raw), "\ufffd")
			}
		},
	}, {
		Name: "payloads-alike-appended-once",
		What: "A payload that is retained already is not appended again.",
		Case: "publish-the-same-payload-twice-is-two-records",
		Around: func(e *model.Event) Perform {
			return func(c Call) (any, error) {
				if log := placeOf(e, c).partition; c.Op == "publish" && log != nil {
					for _, record := range log.Retained {
						if record.Payload == c.Text("payload") {
							return record.Offset, nil
						}
					}
				}
				return faults.PerformOn(e)(c)
			}
		},
	},
}

func carrying(isPayload func(payload string, limit int64) bool) func(*model.EventRules) {
	return func(r *model.EventRules) { r.Payload = isPayload }
}

// inPayload changes how payloads arrive.
func inPayload(change func(string) string) func(*Call) {
	return func(c *Call) { faults.ChangeText(c, "payload", change) }
}

// isSurrogate: U+D800 to U+DFFF as UTF-8 would encode it, and nothing else.
func isSurrogate(s string) bool {
	return len(s) == 3 && s[0] == 0xed && 0xa0 <= s[1] && s[1] <= 0xbf && 0x80 <= s[2] && s[2] <= 0xbf
}
