package faults

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// Words are how the rules of a broker judge names and payloads, and which of its
// arguments are names.
type Words[Rules any] struct {
	Cases   string // what the ids of its cases begin with
	Names   []string
	Name    func(*Rules) *func(name string) bool
	Payload func(*Rules) *func(payload string, limit int64) bool
}

// WrongWords are faults of names and payloads (the contract's "identifier" and
// "payload") that a broker may have whatever it does with them.
func WrongWords[Rules any, Broker model.System](w Words[Rules]) []Fault[Rules, Broker] {
	var all []Fault[Rules, Broker]
	for _, f := range wrongWords {
		made := Fault[Rules, Broker]{Name: f.name, What: f.what, Case: w.Cases + f.caughtBy, Hears: w.hears(f)}
		switch {
		case f.takesName != nil:
			made.Rules = func(r *Rules) { *w.Name(r) = f.takesName }
		case f.takesPayload != nil:
			made.Rules = func(r *Rules) { *w.Payload(r) = f.takesPayload(*w.Payload(r)) }
		}
		all = append(all, made)
	}
	return all
}

func (w Words[Rules]) hears(f wrongWord) func(*Call) {
	switch {
	case f.changesNames != nil:
		return InTexts(f.changesNames, w.Names...)
	case f.changesPayload != nil:
		return InTexts(f.changesPayload, "payload")
	}
	return f.hears
}

// A wrongWord sets one of its functions.
type wrongWord struct {
	name, what, caughtBy string

	takesName      func(name string) bool
	takesPayload   func(right func(string, int64) bool) func(payload string, limit int64) bool
	changesNames   func(string) string
	changesPayload func(string) string
	hears          func(*Call)
}

var wrongWords = []wrongWord{
	{
		name:         "names-trimmed",
		what:         "Blanks around a name are cut off.",
		caughtBy:     "identifier-trailing-blank",
		changesNames: strings.TrimSpace,
	}, {
		name:         "names-cut-at-nul",
		what:         "A name ends at its first NUL.",
		caughtBy:     "identifier-trailing-nul",
		changesNames: BeforeNUL,
	}, {
		name:     "name-of-65-bytes-accepted",
		what:     "A name may have 65 bytes.",
		caughtBy: "identifier-65-bytes",
		takesName: func(name string) bool {
			return model.IsIdentifier(name) || len(name) == 65 && model.IsIdentifier(name[1:])
		},
	}, {
		name:      "name-of-64-bytes-refused",
		what:      "A name may have 63 bytes.",
		caughtBy:  "identifier-64-bytes-are-accepted",
		takesName: func(name string) bool { return model.IsIdentifier(name) && len(name) < 64 },
	}, {
		name:      "name-with-dots-accepted",
		what:      "A name may have dots in it, as Kafka's topics may.",
		caughtBy:  "identifier-dot",
		takesName: func(name string) bool { return model.IsIdentifier(strings.ReplaceAll(name, ".", "x")) },
	}, {
		name:     "name-outside-ascii-accepted",
		what:     "Letters outside ASCII make a name.",
		caughtBy: "identifier-accented-letter",
		takesName: func(name string) bool {
			return model.IsIdentifier(strings.Map(func(r rune) rune {
				if r >= utf8.RuneSelf && r != utf8.RuneError {
					return 'x'
				}
				return r
			}, name))
		},
	}, {
		name:      "name-empty-accepted",
		what:      "A name may be empty.",
		caughtBy:  "identifier-empty",
		takesName: func(name string) bool { return name == "" || model.IsIdentifier(name) },
	}, {
		name:         "payload-limited-in-characters",
		what:         "The limit of payloads counts characters.",
		caughtBy:     "payload-limit-counts-bytes",
		takesPayload: within(utf8.ValidString, utf8.RuneCountInString),
	}, {
		name:         "payload-limited-in-utf16-units",
		what:         "The limit of payloads counts as a language does whose strings are UTF-16.",
		caughtBy:     "payload-limit-counts-bytes",
		takesPayload: within(utf8.ValidString, func(payload string) int { return len(utf16.Encode([]rune(payload))) }),
	}, {
		name:         "payload-of-one-byte-too-many-accepted",
		what:         "A payload may have one byte more than its limit.",
		caughtBy:     "payload-of-1025-bytes-is-invalid",
		takesPayload: limitedTo(+1),
	}, {
		name:         "payload-of-its-limit-refused",
		what:         "A payload must stay below its limit.",
		caughtBy:     "payload-of-1024-bytes-is-accepted",
		takesPayload: limitedTo(-1),
	}, {
		name:     "payload-empty-refused",
		what:     "A payload must have a byte.",
		caughtBy: "payload-empty-is-valid",
		takesPayload: func(right func(string, int64) bool) func(string, int64) bool {
			return func(payload string, limit int64) bool { return payload != "" && right(payload, limit) }
		},
	}, {
		name:           "payload-cut-at-nul",
		what:           "A payload ends at its first NUL.",
		caughtBy:       "payload-keeps-nul",
		changesPayload: BeforeNUL,
	}, {
		name:           "payload-trimmed",
		what:           "Blanks around a payload are cut off.",
		caughtBy:       "payload-keeps-surrounding-blanks",
		changesPayload: strings.TrimSpace,
	}, {
		name:           "payload-composed",
		what:           "A letter and the accent that follows it become one character.",
		caughtBy:       "payload-keeps-accents-as-written",
		changesPayload: strings.NewReplacer("e\u0301", "é", "a\u0301", "á", "u\u0308", "ü", "o\u0308", "ö", "a\u0308", "ä").Replace,
	}, {
		name:         "payload-not-utf8-accepted",
		what:         "A payload may be any bytes.",
		caughtBy:     "payload-byte-ff-is-invalid",
		takesPayload: within(func(string) bool { return true }, func(payload string) int { return len(payload) }),
	}, {
		name:     "payload-not-utf8-mended",
		what:     "Bytes that are no UTF-8 become replacement characters.",
		caughtBy: "payload-byte-ff-is-invalid",
		hears: func(c *Call) {
			if raw, ok := c.Args["payload"].(wire.Bytes); ok {
				c.Args["payload"] = strings.ToValidUTF8(string(raw), "\ufffd")
			}
		},
	},
}

// within judges payloads by another measure, whatever is right.
func within(valid func(string) bool, size func(string) int) func(func(string, int64) bool) func(string, int64) bool {
	return func(func(string, int64) bool) func(string, int64) bool {
		return func(payload string, limit int64) bool { return valid(payload) && int64(size(payload)) <= limit }
	}
}

// limitedTo is the right judgement with a limit of so many bytes more.
func limitedTo(more int64) func(func(string, int64) bool) func(string, int64) bool {
	return func(right func(string, int64) bool) func(string, int64) bool {
		return func(payload string, limit int64) bool { return right(payload, limit+more) }
	}
}
