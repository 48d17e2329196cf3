package wire_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/wire"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// bigger is an integer outside signed 64 bits.
func bigger(digits string) *big.Int {
	n, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		panic(digits)
	}
	return n
}

var compareBig = cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })

func TestDecode(t *testing.T) {
	for json, expected := range map[string]any{
		`null`:                  nil,
		` true `:                true, //nolint:gocritic // the blanks are what is tested
		`0`:                     int64(0),
		`-9223372036854775808`:  int64(-1 << 63),
		`9223372036854775807`:   int64(1<<63 - 1),
		`9223372036854775808`:   bigger("9223372036854775808"),
		`-18446744073709551617`: bigger("-18446744073709551617"),
		`"\u0000\ud83d\udd25é"`: "\x00🔥é",
		`"\\ud83d"`:             `\ud83d`,
		`[]`:                    []any{},
		`[1,[true]]`:            []any{int64(1), []any{true}},
		`{"a":{"b":null}}`:      map[string]any{"a": map[string]any{"b": nil}},
		`{"hex":"00FF"}`:        wire.Bytes("\x00\xff"),
		`{"hex":""}`:            wire.Bytes(""),
		`{"hex":1}`:             map[string]any{"hex": int64(1)},
		`{"hex":"00","a":1}`:    map[string]any{"hex": "00", "a": int64(1)},
	} {
		v, err := wire.Decode([]byte(json))
		require.NoError(t, err, json)
		assert.Empty(t, cmp.Diff(expected, v, compareBig), json)
	}
}

func TestDecode_Refused(t *testing.T) {
	for json, problem := range map[string]string{
		``:                           "unexpected end",
		`1 2`:                        "after top-level value",
		`[1,]`:                       "invalid character",
		`1.0`:                        "integer expected, not 1.0",
		`[1e3]`:                      "integer expected, not 1e3",
		`-0`:                         "integer expected, not -0",
		strings.Repeat("9", 101):     "integer expected, not 999",
		`NaN`:                        "invalid character",
		`{"a":1,"a":1}`:              `duplicate key "a"`,
		`{"a":1,"\u0061":1}`:         `duplicate key "a"`,
		"\"\xff\"":                   "not UTF-8",
		`"\ud83d"`:                   "byte 1: half of a surrogate pair",
		`"\udd25"`:                   "half of a surrogate pair",
		`"\ud83d\ud83d"`:             "half of a surrogate pair",
		`"\ud83d\ue000"`:             "half of a surrogate pair",
		`"\udd25\udd25"`:             "half of a surrogate pair",
		`"\ud83dx"`:                  "half of a surrogate pair",
		`"\ud83d\n12345"`:            "half of a surrogate pair",
		`{"\ud83d":1}`:               "half of a surrogate pair",
		`{"hex":"0"}`:                "hex: ",
		`{"hex":"xx"}`:               "hex: ",
		strings.Repeat("[", 1000000): "exceeded max depth",
		strings.Repeat("[", 65) + strings.Repeat("]", 65): "nested deeper than 64",
	} {
		v, err := wire.Decode([]byte(json))
		assert.ErrorContains(t, err, problem, "%.80s", json)
		assert.Nil(t, v)
	}
}

func TestEncode(t *testing.T) {
	for expected, v := range map[string]any{
		`"<a&b>\n\u0000é"`:                  "<a&b>\n\x00é",
		`[null,true,-1,{"hex":"ff00"}]`:     []any{nil, true, int64(-1), wire.Bytes("\xff\x00")},
		`{"a":18446744073709551616,"b":[]}`: map[string]any{"b": []any{}, "a": bigger("18446744073709551616")},
	} {
		data, err := wire.Encode(v)
		require.NoError(t, err)
		assert.Equal(t, expected, string(data))
	}
}

func TestEncode_Refused(t *testing.T) {
	for problem, v := range map[string]any{
		"int is no value of the wire":     []any{1},
		"float64 is no value of the wire": map[string]any{"a": 1.5},
		"is not UTF-8":                    map[string]any{"\xff": true},
		"would be read back as Bytes":     map[string]any{"hex": "00"},
	} {
		_, err := wire.Encode(v)
		assert.ErrorContains(t, err, problem)
	}
}

func TestEncode_DecodeGivesTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := values().Draw(t, "value")
		data, err := wire.Encode(v)
		require.NoError(t, err)
		back, err := wire.Decode(data)
		require.NoError(t, err)
		assert.Empty(t, cmp.Diff(v, back, compareBig))
		assert.True(t, wire.Equal(v, back))
	})
}

// values draws any value of the vocabulary.
func values() *rapid.Generator[any] {
	scalar := rapid.OneOf(
		rapid.Just(any(nil)),
		rapid.Bool().AsAny(),
		rapid.Int64().AsAny(),
		rapid.Just(any(bigger("-9223372036854775809"))),
		rapid.String().AsAny(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) any { return wire.Bytes(b) }),
	)
	return rapid.OneOf(
		scalar,
		rapid.Map(rapid.SliceOf(scalar), func(list []any) any { return list }),
		rapid.Map(rapid.MapOf(rapid.StringMatching(`[a-z ]*`), scalar), func(m map[string]any) any {
			delete(m, "hex")
			return m
		}),
	)
}
