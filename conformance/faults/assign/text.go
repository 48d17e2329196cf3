package assign

import (
	"strings"
	"unicode/utf8"

	"github.com/eventbroker/eventbroker/conformance/model"
)

// Strings of what is decoded (RA-01, RA-02).
var decodedTexts = []fault{
	{
		Name:   "decoded-text-not-utf8-accepted",
		What:   "A topic may be any bytes.",
		Case:   "decode-character-across-two-topics",
		Around: onlyIn("decode_subscription", reading(func(string) bool { return true })),
	}, {
		Name: "decoded-text-not-utf8-mended",
		What: "Bytes of a topic that are no UTF-8 become replacement characters.",
		Case: "decode-character-across-two-topics",
		Around: func(a *model.Assign) perform {
			lenient := onlyIn("decode_subscription", reading(func(string) bool { return true }))(a)
			return func(c call) (any, error) {
				result, err := lenient(c)
				if s, ok := result.(fields); ok && c.Op == "decode_subscription" && err == nil {
					s["topics"] = eachText(mendedText)(s["topics"])
				}
				return result, err
			}
		},
	}, {
		Name:   "decoded-surrogates-accepted",
		What:   "Surrogates encoded in three bytes are taken for UTF-8, as Java once wrote them.",
		Case:   "field-topic-bytes-that-are-not-clean-utf-8-1",
		Around: onlyIn("decode_subscription", reading(withSurrogates)),
	}, {
		Name: "decoded-overlong-forms-accepted",
		What: "NUL in two bytes, as in modified UTF-8, is taken for UTF-8.",
		Case: "decode-topic-with-overlong",
		Around: onlyIn("decode_subscription", reading(func(s string) bool {
			return utf8.ValidString(strings.ReplaceAll(s, "\xc0\x80", "0"))
		})),
	}, {
		Name: "decoded-cut-characters-accepted",
		What: "A topic may end inside a character.",
		Case: "decode-topic-with-cut-character",
		Around: onlyIn("decode_subscription", reading(func(s string) bool {
			for cut := range min(4, len(s)) {
				if utf8.ValidString(s[:len(s)-cut]) && (cut == 0 || utf8.RuneStart(s[len(s)-cut])) {
					return true
				}
			}
			return s == ""
		})),
	}, {
		Name:   "assignment-text-not-utf8-accepted",
		What:   "A topic of an assignment may be any bytes.",
		Case:   "decode-assignment-topic-that-is-not-utf-8",
		Around: onlyIn("decode_assignment", reading(func(string) bool { return true })),
	}, {
		Name:   "decoded-topics-cut-at-nul",
		What:   "A topic ends at its first NUL.",
		Case:   "field-topic-bytes-that-are-not-clean-utf-8-2",
		Around: inField("decode_subscription", "topics", eachText(beforeNUL)),
	}, {
		Name: "decoded-topic-with-nul-refused",
		What: "A topic may have no NUL in it.",
		Case: "field-topic-bytes-that-are-not-clean-utf-8-2",
		Around: onlyIn("decode_subscription", reading(func(s string) bool {
			return utf8.ValidString(s) && !strings.Contains(s, "\x00")
		})),
	}, {
		Name:  "decoded-empty-topic-refused",
		What:  "A topic must not be empty.",
		Case:  "field-topic-bytes-that-are-not-clean-utf-8-3",
		Rules: func(r *model.AssignRules) { r.StringLength.Min = 1 },
	}, {
		Name:   "decoded-topic-limited-to-identifiers",
		What:   "A decoded topic is of A-Z a-z 0-9 _ - alone.",
		Case:   "field-decoder-rejects-or-misreads-versions-1-3-1",
		Around: onlyIn("decode_subscription", reading(model.IsIdentifier)),
	}, {
		Name:   "decoded-topics-lose-a-byte-order-mark",
		What:   "A byte order mark at the beginning of a topic is cut off.",
		Case:   "decode-topic-with-a-byte-order-mark",
		Around: inField("decode_subscription", "topics", eachText(inText(func(s string) string { return strings.TrimPrefix(s, "\ufeff") }))),
	},
}

func reading(isText func(string) bool) func(*model.AssignRules) {
	return func(r *model.AssignRules) { r.Text = isText }
}

// withSurrogates takes what stands in for a surrogate out.
func withSurrogates(s string) bool {
	for second := 0xa0; second <= 0xbf; second++ {
		for third := 0x80; third <= 0xbf; third++ {
			s = strings.ReplaceAll(s, string([]byte{0xed, byte(second), byte(third)}), "")
		}
	}
	return utf8.ValidString(s)
}
