package wire_test

import (
	"testing"

	"github.com/eventbroker/eventbroker/conformance/wire"
	"github.com/stretchr/testify/assert"
)

func TestParsePlain(t *testing.T) {
	for s, expected := range map[string]any{
		"null": nil, "true": true, "false": false,
		"0": int64(0), "-1": int64(-1), "64": int64(64),
		"9223372036854775808": bigger("9223372036854775808"),
		"orders":              "orders", "m10": "m10", "-x": "-x", "nope": "nope", "64 members": "64 members",
		"..": "..", "-": "-", "1st": "1st",
	} {
		v, err := wire.ParsePlain(s)
		assert.NoError(t, err, s)
		assert.Equal(t, expected, v, s)
	}
}

func TestParsePlain_Refused(t *testing.T) {
	for expected, list := range map[error][]string{
		wire.ErrBlank: {""},
		wire.ErrWord:  {"no", "On", "y", "N", "YES", "off", "True", "FALSE", "Null", "~", "=", "<<"},
		wire.ErrNumeral: {"010", "00", "0x1F", "0o10", "0b1", "1_0", "1:30", "+8", "-0", "1e3", "1.0", "1.", ".5",
			"-.5", "1E+3", ".inf", "-.INF", ".nan", "2001-01-01", "9b"},
	} {
		for _, s := range list {
			_, err := wire.ParsePlain(s)
			assert.ErrorIs(t, err, expected, s)
		}
	}
}
