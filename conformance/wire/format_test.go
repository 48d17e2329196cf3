package wire_test

import (
	"strings"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"
)

func TestFormat(t *testing.T) {
	record := map[string]any{"payload": "a", "offset": int64(0), "partition": int64(1), "topic": "orders"}
	for expected, v := range map[string]any{
		`null`:                  nil,
		`true`:                  true,
		`-1`:                    int64(-1),
		`9223372036854775808`:   bigger("9223372036854775808"),
		`orders`:                "orders",
		`"no"`:                  "no",
		`"010"`:                 "010",
		`"5"`:                   "5",
		`""`:                    "",
		`" a"`:                  " a",
		`"a\n\u0000\"\\\u00a0"`: "a\n\x00\"\\\u00a0",
		`"\U000E0001"`:          "\U000E0001",
		`"e\u0301"`:             "e\u0301",
		`"päyload 🔥"`:           "päyload 🔥",
		`{hex: ff}`:             wire.Bytes("\xff"),
		`{hex: "00"}`:           wire.Bytes("\x00"),
		`[{topic: orders, partition: 1, offset: 0, payload: a}]`: []any{record},
		`{offset: 1, attempt: 2, zone: 3}`:                       map[string]any{"zone": int64(3), "attempt": int64(2), "offset": int64(1)},
		`{a: {"12": [0], "no": null}, m: {}}`:                    map[string]any{"m": map[string]any{}, "a": map[string]any{"no": nil, "12": []any{int64(0)}}},
		`{repeat: x, times: 1024}`:                               strings.Repeat("x", 1024),
		`{repeat: é, times: 512}`:                                strings.Repeat("é", 512),
		`{repeat: abc, times: 100}`:                              strings.Repeat("abc", 100),
		strings.Repeat("é", 32) + `… (67 bytes)`:                 strings.Repeat("é", 33) + "x",
		`{hex: ` + strings.Repeat("ff", 32) + `…} (33 bytes)`:    wire.Bytes(strings.Repeat("\xff", 33)),
	} {
		assert.Equal(t, expected, wire.Format(v))
	}
}

// A short string that is shown can be pasted into a case and into any YAML
// reader.
func TestFormat_IsYAML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringN(0, -1, 64).Draw(t, "string")
		var back []any
		require.NoError(t, yaml.Unmarshal([]byte(wire.Format([]any{s})), &back))
		assert.Equal(t, []any{s}, back)
	})
}

// What is too long to be shown is written whole all the same.
func TestLiteral_CutsNothing(t *testing.T) {
	irregular := strings.Repeat("é", 33) + "x"
	for expected, v := range map[string]any{
		`{repeat: é, times: 512}`: strings.Repeat("é", 512),
		irregular:                 irregular,
		`{` + irregular + `: [` + irregular + `]}`: map[string]any{irregular: []any{irregular}},
		`{hex: ` + strings.Repeat("ff", 100) + `}`: wire.Bytes(strings.Repeat("\xff", 100)),
		`{` + longKey + `: 1}`:                     map[string]any{longKey: int64(1)}, // no key can be spelled out
	} {
		assert.Equal(t, expected, wire.Literal(v))
	}
}

var longKey = strings.Repeat("x", 100)

// Any string is read back from a case as it was.
func TestLiteral_IsYAML(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringN(65, -1, 300).Draw(t, "string") + "."
		var back []any
		require.NoError(t, yaml.Unmarshal([]byte(wire.Literal([]any{s})), &back))
		assert.Equal(t, []any{s}, back)
	})
}
