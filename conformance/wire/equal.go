package wire

import (
	"maps"
	"math/big"
	"slices"
)

// Equal reports whether two values are the same. Values of different kinds
// never are, 1 and true least of all, with one exception: [Bytes] equal the
// string of the same bytes, because a language whose strings are bytes may say
// any string as {"hex": …}.
func Equal(a, b any) bool {
	switch a := a.(type) {
	case *big.Int:
		b, ok := b.(*big.Int)
		return ok && a.Cmp(b) == 0
	case Bytes:
		b, ok := content(b)
		return ok && string(a) == b
	case string:
		b, ok := content(b)
		return ok && a == b
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, Equal)
	case map[string]any:
		b, ok := b.(map[string]any)
		return ok && maps.EqualFunc(a, b, Equal)
	}
	switch b.(type) {
	case nil, bool, int64:
		return a == b
	}
	return false
}

// content gives the bytes of a string, however it is said.
func content(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case Bytes:
		return string(v), true
	}
	return "", false
}
