package event

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Names of topics, groups and members (the contract's "identifier").
var identifiers = []Fault{
	{
		Name:  "identifiers-trimmed",
		What:  "Blanks around a name are cut off.",
		Case:  "identifier-trailing-blank",
		Hears: inIdentifiers(strings.TrimSpace),
	}, {
		Name:  "identifiers-folded",
		What:  "Names that differ in case alone are the same.",
		Case:  "create-names-differ-by-case",
		Hears: inIdentifiers(strings.ToLower),
	}, {
		Name:  "identifiers-cut-at-nul",
		What:  "A name ends at its first NUL.",
		Case:  "identifier-nul",
		Hears: inIdentifiers(faults.BeforeNUL),
	}, {
		Name: "identifiers-made-ascii",
		What: "Full-width letters become their ASCII ones, as under NFKC.",
		Case: "identifier-full-width-letter",
		Hears: inIdentifiers(func(name string) string {
			return strings.Map(func(r rune) rune {
				if '！' <= r && r <= '～' {
					return r - '！' + '!'
				}
				return r
			}, name)
		}),
	}, {
		Name:  "identifiers-cut-at-64-bytes",
		What:  "A name that is too long loses its end.",
		Case:  "identifier-1000-bytes",
		Hears: inIdentifiers(func(name string) string { return name[:min(64, len(name))] }),
	}, {
		Name: "identifiers-told-apart-by-63-bytes",
		What: "Names that differ in their sixty-fourth byte alone are the same.",
		Case: "identifier-63-and-64-bytes-are-two-names",
		Hears: inIdentifiers(func(name string) string {
			if len(name) == 64 {
				return name[:63]
			}
			return name
		}),
	}, {
		Name:  "identifier-with-a-trailing-newline-accepted",
		What:  "A newline may follow a name, as a pattern that ends in $ allows.",
		Case:  "identifier-trailing-newline",
		Rules: naming(func(name string) bool { return correct.Identifier(strings.TrimSuffix(name, "\n")) }),
	}, {
		Name: "identifier-with-several-lines-accepted",
		What: "One good line makes a name, as a pattern in multi-line mode allows.",
		Case: "identifier-inner-newline",
		Rules: naming(func(name string) bool {
			for line := range strings.SplitSeq(name, "\n") {
				if correct.Identifier(line) {
					return true
				}
			}
			return false
		}),
	}, {
		Name:  "identifier-of-unicode-letters-accepted",
		What:  "Letters of any script make a name.",
		Case:  "identifier-greek-letter",
		Rules: naming(madeOf(unicode.IsLetter)),
	}, {
		Name:  "identifier-of-unicode-digits-accepted",
		What:  "Digits of any script make a name.",
		Case:  "identifier-arabic-digit",
		Rules: naming(madeOf(unicode.IsDigit)),
	}, {
		Name:  "identifier-of-latin-1-letters-accepted",
		What:  "Letters such as é make a name.",
		Case:  "identifier-letter-in-latin-1",
		Rules: naming(madeOf(func(r rune) bool { return r <= unicode.MaxLatin1 && unicode.IsLetter(r) })),
	}, {
		Name:  "identifier-not-utf8-accepted",
		What:  "Bytes above ASCII that are no UTF-8 make a name.",
		Case:  "identifier-byte-ff",
		Rules: naming(func(name string) bool { return correct.Identifier(name) || !utf8.ValidString(name) && len(name) <= 64 }),
	}, {
		Name: "identifier-of-65-bytes-accepted",
		What: "A name may have 65 bytes.",
		Case: "identifier-65-bytes",
		Rules: naming(func(name string) bool {
			return correct.Identifier(name) || len(name) == 65 && correct.Identifier(name[1:])
		}),
	}, {
		Name: "identifier-of-any-length-accepted",
		What: "A name may have any length from 66 bytes on.",
		Case: "identifier-1000-bytes",
		Rules: naming(func(name string) bool {
			return correct.Identifier(name) || len(name) > 65 && !strings.ContainsFunc(name, isNoCharacter)
		}),
	}, {
		Name:  "identifier-of-64-bytes-refused",
		What:  "A name may have 63 bytes.",
		Case:  "identifier-63-and-64-bytes-are-two-names",
		Rules: naming(func(name string) bool { return correct.Identifier(name) && len(name) < 64 }),
	}, {
		Name:  "identifier-of-1-byte-refused",
		What:  "A name must have two bytes.",
		Case:  "identifier-case-tells-groups-apart",
		Rules: naming(func(name string) bool { return correct.Identifier(name) && len(name) > 1 }),
	}, {
		Name:  "empty-identifier-accepted",
		What:  "A name may be empty.",
		Case:  "identifier-empty",
		Rules: naming(func(name string) bool { return name == "" || correct.Identifier(name) }),
	},
	accepted("dot", ".", "identifier-dot"),
	accepted("slash", "/", "identifier-slash"),
	accepted("blank", " ", "identifier-inner-blank"),
	accepted("colon", ":", "identifier-colon"),
	accepted("nul", "\x00", "identifier-nul"),
	accepted("tab", "\t", "identifier-tab"),
	accepted("carriage-return", "\r", "identifier-carriage-return"),
	accepted("delete", "\x7f", "identifier-del"),
	accepted("plus", "+", "identifier-plus"),
	accepted("comma", ",", "identifier-comma"),
	accepted("at", "@", "identifier-at-sign"),
	accepted("bracket", "[", "identifier-opening-bracket"),
	accepted("caret", "^", "identifier-caret"),
	accepted("backtick", "`", "identifier-backtick"),
	accepted("brace", "{", "identifier-opening-brace"),
	{
		Name:  "identifier-range-a-to-z-in-one",
		What:  "What stands between Z and a in ASCII makes a name, as the pattern [A-z] allows.",
		Case:  "identifier-backslash",
		Rules: naming(madeOf(func(r rune) bool { return 'A' <= r && r <= 'z' })),
	},
	refused("hyphen", func(name string) bool { return strings.Contains(name, "-") }, "join-sorts-hyphen-first"),
	refused("underscore", func(name string) bool { return strings.Contains(name, "_") }, "join-sorts-underscore-between-the-cases"),
	refused("digit-first", func(name string) bool { return name != "" && '0' <= name[0] && name[0] <= '9' }, "join-sorts-hyphen-first"),
	refused("hyphen-first", func(name string) bool { return strings.HasPrefix(name, "-") }, "join-sorts-hyphen-first"),
	refused("upper-case", func(name string) bool { return strings.ToLower(name) != name }, "join-sorts-upper-case-before-lower-case"),

	unchecked("create", "topic", "identifier-of-blanks-alone"),
	unchecked("join", "group", "no-effect-of-a-join-with-a-bad-group"),
	unchecked("join", "member", "no-effect-of-a-join-with-a-bad-member"),
	unchecked("leave", "group", "no-effect-of-an-invalid-leave"),
	unchecked("leave", "member", "no-effect-of-an-invalid-leave"),
	unchecked("poll", "group", "no-effect-of-a-poll-with-a-bad-name"),
	unchecked("poll", "member", "no-effect-of-a-poll-with-a-bad-name"),
	unchecked("ack", "group", "no-effect-of-an-ack-with-a-bad-argument"),
	unchecked("ack", "member", "no-effect-of-an-ack-with-a-bad-argument"),
	unchecked("retry", "group", "no-effect-of-a-retry-with-a-bad-argument"),
	unchecked("retry", "member", "no-effect-of-a-retry-with-a-bad-argument"),

	nullAccepted("create", "topic", "null-topic-in-create"),
	nullAccepted("join", "group", "null-names-in-join"),
	nullAccepted("join", "member", "null-names-in-join"),
	nullAccepted("leave", "group", "null-names-in-leave"),
	nullAccepted("leave", "member", "null-names-in-leave"),
	nullAccepted("poll", "group", "null-names-in-poll"),
	nullAccepted("poll", "member", "null-names-in-poll"),
	nullAccepted("ack", "group", "null-names-in-ack"),
	nullAccepted("ack", "member", "null-names-in-ack"),
	nullAccepted("retry", "group", "null-names-in-retry"),
	nullAccepted("retry", "member", "null-names-in-retry"),
	nullAccepted("publish", "payload", "null-payload-in-publish"),
}

func naming(isIdentifier func(name string) bool) func(*model.EventRules) {
	return func(r *model.EventRules) { r.Identifier = isIdentifier }
}

// inIdentifiers changes how names arrive.
func inIdentifiers(change func(string) string) func(*Call) {
	return func(c *Call) {
		for _, name := range []string{"topic", "group", "member"} {
			faults.ChangeText(c, name, change)
		}
	}
}

// madeOf accepts more characters than the contract.
func madeOf(more func(rune) bool) func(name string) bool {
	return func(name string) bool {
		plain := strings.Map(func(r rune) rune {
			if r != utf8.RuneError && more(r) {
				return 'x'
			}
			return r
		}, name)
		return correct.Identifier(plain) && len(name) <= 64
	}
}

func isNoCharacter(r rune) bool { return !correct.Identifier(string(r)) }

func accepted(what, character, caughtBy string) Fault {
	return Fault{
		Name:  "identifier-with-" + what + "-accepted",
		What:  "A name may have the character " + what + " in it.",
		Case:  caughtBy,
		Rules: naming(madeOf(func(r rune) bool { return string(r) == character })),
	}
}

func refused(what string, has func(name string) bool, caughtBy string) Fault {
	return Fault{
		Name:  "identifier-with-" + what + "-refused",
		What:  "A name is refused for its " + what + ".",
		Case:  caughtBy,
		Rules: naming(func(name string) bool { return correct.Identifier(name) && !has(name) }),
	}
}
