package broker

import (
	"strconv"
	"unicode/utf8"
)

// Limits of identifiers and payloads.
const (
	MaxIdentifier     = 64      // bytes of an identifier
	DefaultMaxPayload = 1 << 10 // bytes of a payload where no option says otherwise
	MaxMaxPayload     = 1 << 20 // the most that the option may say
)

// CheckIdentifier returns an [*ArgumentError] unless value is an identifier:
// 1 to 64 bytes out of A-Z a-z 0-9 _ and -.
func CheckIdentifier(argument, value string) error {
	if value == "" {
		return &ArgumentError{argument, "is empty; an identifier has 1 to 64 bytes"}
	}
	if len(value) > MaxIdentifier {
		return &ArgumentError{argument, "is " + strconv.Itoa(len(value)) + " bytes long; an identifier has 1 to 64 bytes"}
	}
	for i := range len(value) {
		if !identifierByte(value[i]) {
			return &ArgumentError{argument, strconv.QuoteToASCII(value) + " has a wrong character at byte " +
				strconv.Itoa(i) + "; an identifier is made of A-Z a-z 0-9 _ -"}
		}
	}
	return nil
}

func identifierByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-'
}

// CheckPayload returns an [*ArgumentError] unless value is valid UTF-8 of at
// most limit bytes, so that every language can read what any can publish.
func CheckPayload(value string, limit int) error {
	if len(value) <= limit && (isASCII(value) || utf8.ValidString(value)) {
		return nil
	}
	return wrongPayload(value, limit)
}

func wrongPayload(value string, limit int) error {
	if len(value) > limit {
		return &ArgumentError{"payload", "is " + strconv.Itoa(len(value)) + " bytes long; at most " +
			strconv.Itoa(limit) + " are allowed"}
	}
	return &ArgumentError{"payload", "is not valid UTF-8 at byte " + strconv.Itoa(validPrefix(value))}
}

// PayloadLimit is the limit that an option of 0 or more bytes stands for, or an
// [*ArgumentError].
func PayloadLimit(maxPayload int) (int, error) {
	if maxPayload == 0 {
		return DefaultMaxPayload, nil
	}
	return maxPayload, CheckRange("max_payload", maxPayload, 1, MaxMaxPayload)
}

// validPrefix is the length of the longest prefix that is valid UTF-8.
func validPrefix(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
	return len(s)
}

// CheckRange returns an [*ArgumentError] unless value is from low through high.
func CheckRange(argument string, value, low, high int) error {
	if low <= value && value <= high {
		return nil
	}
	return outside(argument, value, low, high) // apart, so that the check itself is inlined
}

func outside(argument string, value, low, high int) error {
	return &ArgumentError{argument, strconv.Itoa(value) + " is outside " + strconv.Itoa(low) + " through " + strconv.Itoa(high)}
}

// CheckCount returns an [*ArgumentError] for a list of more than most elements.
func CheckCount(argument string, elements, most int) error {
	if elements <= most {
		return nil
	}
	return &ArgumentError{argument, "has " + strconv.Itoa(elements) + " elements; at most " + strconv.Itoa(most) + " are allowed"}
}

// CheckOffset returns an [*ArgumentError] for a negative offset.
func CheckOffset(value int64) error {
	if value >= 0 {
		return nil
	}
	return NegativeOffset(value)
}

// NegativeOffset is the [*ArgumentError] for an offset below 0.
func NegativeOffset(value int64) error {
	return &ArgumentError{"offset", strconv.FormatInt(value, 10) + " is negative"}
}

// UnknownTopic is the error for a topic that does not exist: that its name is
// malformed, where it is, or that it is unknown. Only well-formed names are
// ever stored, so a look-up that hits needs no other check.
func UnknownTopic(topic string) error {
	if err := CheckIdentifier("topic", topic); err != nil {
		return err
	}
	return &ArgumentError{"topic", strconv.Quote(topic) + " does not exist"}
}
