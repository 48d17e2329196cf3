package assign

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/eventbroker/eventbroker/broker"
)

func TestDecodeAssignment(t *testing.T) {
	tests := []struct {
		why, hex string
		want     Assignment
	}{
		{"two partitions", "000000000001000161000000020000000000000001ffffffff",
			Assignment{0, owned("a", 0, 1), nil}},
		{"nothing assigned", "00000000000000000000",
			Assignment{0, nil, []byte{}}},
		{"a topic without partitions is kept", "00030000000100016100000000000000011f",
			Assignment{3, owned("a"), []byte{0x1f}}},
		{"an unknown version is alike", "7fff00000000ffffffff",
			Assignment{32767, nil, nil}},
		{"bytes left over", "000100000000ffffffffdead",
			Assignment{1, nil, nil}},
	}
	for _, test := range tests {
		got, err := DecodeAssignment(unhex(test.hex))
		assert.NoError(t, err, test.why)
		assert.Empty(t, cmp.Diff(test.want, got), test.why)
	}
}

func TestDecodeAssignmentRefuses(t *testing.T) {
	tests := []struct{ why, hex, reason string }{
		{"nothing", "", "version at byte 0 has 0 of its 2 bytes"},
		{"negative version", "ffff00000000ffffffff", "version -1 at byte 0 is negative"},
		{"no partitions", "0000", "partitions at byte 2 has 0 of its 4 bytes"},
		{"negative count", "0000ffffffff", "partitions count -1 at byte 2 is negative"},
		{"greatest count", "00007fffffff", "partitions count 2147483647 at byte 2 needs 12884901882 bytes or more but has 0"},
		{"negative length", "000000000001ffff00000000", "partitions[0].topic length -1 at byte 6 is negative"},
		{"not UTF-8", "0000000000010001ff00000000", "partitions[0].topic at byte 8 is not valid UTF-8"},
		{"partitions of a later topic", "000000000002000161000000000001628000000000000000", "partitions[1].partitions count -2147483648 at byte 16 is negative"},
		{"no user data, also in a version to come", "7fff00000000", "user_data at byte 6 has 0 of its 4 bytes"},
		{"user data below null", "000000000000fffffffe", "user_data length -2 at byte 6 is below -1"},
		{"greatest user data", "0000000000007fffffff", "user_data at byte 10 has 0 of its 2147483647 bytes"},
	}
	for _, test := range tests {
		got, err := DecodeAssignment(unhex(test.hex))
		assertInvalid(t, err, "bytes", test.reason, test.why)
		assert.Zero(t, got, test.why)
	}
}

func TestDecodeAssignmentCutAnywhere(t *testing.T) {
	whole, err := EncodeAssignment(Assignment{1, append(owned("a", 0, 2), owned("b", 1)...), []byte{9}})
	require.NoError(t, err)
	for size := range len(whole) {
		_, err := DecodeAssignment(whole[:size])
		assert.ErrorIs(t, err, broker.ErrInvalidArgument, size)
	}
}

func TestAssignmentsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := Assignment{
			Version:    rapid.Int16Range(0, MaxVersion).Draw(t, "version"),
			Partitions: drawTopicPartitions(t),
			UserData:   drawUserData(t),
		}
		data, err := EncodeAssignment(a)
		require.NoError(t, err)
		got, err := DecodeAssignment(append(data, rapid.SliceOf(rapid.Byte()).Draw(t, "left over")...))
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(a, got))
	})
}
