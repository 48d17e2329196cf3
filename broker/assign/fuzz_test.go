package assign

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker"
)

var seeds = []string{
	"",
	"000000000001000161ffffffff",
	"00000000000200066f72646572730005706179c3a900000000",
	"0001000000010001610000000000000001000161000000020000000000000002",
	"000200000001000161ffffffff00000001000161000000010000000100000007",
	"000300000001000161ffffffff0000000100016100000001000000010000000700067261636b2d31",
	"000300000001000161ffffffff00000000ffffffffffff",
	"00010000000100066f726465727300000000",
	"00070000000100066f7264657273ffffffffdeadbeef",
	"000001000000010061ffffffff",
	"00007fffffff",
	"000100000000ffffffff00000001000161fffffffb",
	"0000000000010002c328ffffffff",
	"000000000001000161000000020000000000000001ffffffff",
	"0003000000020001610000000000016200000001000000030000000100",
}

// What was decoded can be encoded, in its version or the newest that is written,
// and comes back the same.
func FuzzDecodeSubscription(f *testing.F) {
	for _, seed := range seeds {
		f.Add(unhex(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := DecodeSubscription(data)
		if err != nil {
			requireBytesBlamed(t, err)
			return
		}
		first.Version = min(first.Version, MaxVersion)
		encoded, err := EncodeSubscription(first)
		require.NoError(t, err)
		second, err := DecodeSubscription(encoded)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(first, second))
	})
}

func FuzzDecodeAssignment(f *testing.F) {
	for _, seed := range seeds {
		f.Add(unhex(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := DecodeAssignment(data)
		if err != nil {
			requireBytesBlamed(t, err)
			return
		}
		// Nothing may be missing, so what is written is what was read.
		first.Version = min(first.Version, MaxVersion)
		encoded, err := EncodeAssignment(first)
		require.NoError(t, err)
		require.Equal(t, data[2:len(encoded)], encoded[2:])
	})
}

func requireBytesBlamed(t *testing.T, err error) {
	var invalid *broker.ArgumentError
	require.ErrorAs(t, err, &invalid)
	require.Equal(t, "bytes", invalid.Argument)
	require.Contains(t, invalid.Reason, " at byte ")
}
