package wire

import (
	"errors"
	"math/big"
	"regexp"
	"slices"
	"strings"
)

// Errors of [ParsePlain].
var (
	ErrBlank   = errors.New(`a blank is not a value: write null or ""`)
	ErrNumeral = errors.New("integer expected in plain digits")
	ErrWord    = errors.New("some YAML readers take it for something other than a string")
)

// maxDigits bounds an integer as it is written. The longest one that a case
// has a use for is just outside 64 bits.
const maxDigits = 100

var (
	integer = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

	// numeral is whatever some YAML reader takes for a number or a date: 010,
	// 0x10, 1_000, +8, 1:30, 1e3, 1.0, .5, .inf, 2001-01-01.
	numeral = regexp.MustCompile(`^[-+]?(\.?[0-9][0-9a-fA-FxXoO_.,:+-]*|\.(?i:inf|nan))$`)
)

// words are strings that one YAML reader or another takes for a boolean, for
// null or for a directive, in any mixture of case.
var words = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null", "~", "=", "<<"}

// ParsePlain gives the value of an unquoted scalar as the cases are written:
// null, true, false, an integer or a string, each in one spelling only.
func ParsePlain(s string) (any, error) {
	switch {
	case s == "":
		return nil, ErrBlank
	case s == "null":
		return nil, nil
	case s == "true" || s == "false":
		return s == "true", nil
	case slices.Contains(words, strings.ToLower(s)):
		return nil, ErrWord
	case numeral.MatchString(s):
		return parseInteger(s)
	}
	return s, nil
}

// parseInteger gives an int64, or a *big.Int outside its range.
func parseInteger(s string) (any, error) {
	if !integer.MatchString(s) || s == "-0" || len(s) > maxDigits {
		return nil, ErrNumeral
	}
	n, _ := new(big.Int).SetString(s, 10)
	if n.IsInt64() {
		return n.Int64(), nil
	}
	return n, nil
}
