package wire_test

import (
	"testing"

	"github.com/eventbroker/eventbroker/conformance/wire"
	"github.com/stretchr/testify/assert"
)

func TestEqual(t *testing.T) {
	equal := [][2]any{
		{nil, nil},
		{true, true},
		{int64(1), int64(1)},
		{bigger("9223372036854775808"), bigger("9223372036854775808")},
		{"a", "a"},
		{"a", wire.Bytes("a")}, // a language whose strings are bytes
		{"", wire.Bytes{}},
		{wire.Bytes("\xff"), wire.Bytes("\xff")},
		{[]any{int64(1), "a"}, []any{int64(1), wire.Bytes("a")}},
		{[]any{}, []any{}},
		{map[string]any{"a": nil}, map[string]any{"a": nil}},
	}
	for _, pair := range equal {
		assert.True(t, wire.Equal(pair[0], pair[1]), pair)
		assert.True(t, wire.Equal(pair[1], pair[0]), pair)
	}
}

func TestEqual_Different(t *testing.T) {
	different := [][2]any{
		{nil, false},
		{nil, int64(0)},
		{nil, ""},
		{nil, []any{}},
		{true, int64(1)}, // Python's True == 1
		{false, int64(0)},
		{int64(1), "1"},
		{int64(1), int64(2)},
		{int64(1), bigger("18446744073709551617")}, // alike in 32 and 64 bits
		{bigger("9223372036854775808"), bigger("9223372036854775809")},
		{"a", "a "},
		{"é", "e\u0301"},
		{"a", wire.Bytes("b")},
		{"\ufffd", wire.Bytes("\xff")},
		{[]any{int64(1)}, []any{int64(1), int64(2)}},
		{[]any{int64(0)}, []any{false}},
		{[]any{}, map[string]any{}},
		{map[string]any{"a": nil}, map[string]any{}},
		{map[string]any{"a": nil}, map[string]any{"b": nil}},
		{map[string]any{"hex": "61"}, wire.Bytes("a")},
		{1, 1}, // an int is no value
	}
	for _, pair := range different {
		assert.False(t, wire.Equal(pair[0], pair[1]), pair)
		assert.False(t, wire.Equal(pair[1], pair[0]), pair)
	}
}
