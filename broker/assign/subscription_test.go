package assign

import (
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/eventbroker/eventbroker/broker"
)

func TestDecodeSubscription(t *testing.T) {
	tests := []struct {
		why, hex string
		want     Subscription
	}{
		{"version 0", "000000000001000161ffffffff",
			Subscription{0, topics("a"), nil, nil, -1, nil}},
		{"empty user data is not null; characters of two bytes", "00000000000200066f72646572730005706179c3a900000000",
			Subscription{0, topics("orders", "payé"), []byte{}, nil, -1, nil}},
		{"user data is any bytes", "0000000000010001610000000200ff",
			Subscription{0, topics("a"), []byte{0, 0xff}, nil, -1, nil}},
		{"no topics", "000000000000ffffffff",
			Subscription{0, nil, nil, nil, -1, nil}},
		{"order and doubled topics are kept", "00000000000300016200016100016200000000",
			Subscription{0, topics("b", "a", "b"), []byte{}, nil, -1, nil}},
		{"version 1 with no owned partitions", "000100000002000161000162ffffffff00000000",
			Subscription{1, topics("a", "b"), nil, nil, -1, nil}},
		{"version 1 with owned partitions", "0001000000010001610000000000000001000161000000020000000000000002",
			Subscription{1, topics("a"), []byte{}, owned("a", 0, 2), -1, nil}},
		{"version 2 adds the generation", "000200000001000161ffffffff00000001000161000000010000000100000007",
			Subscription{2, topics("a"), nil, owned("a", 1), 7, nil}},
		{"version 3 adds the rack", "000300000001000161ffffffff0000000100016100000001000000010000000700067261636b2d31",
			Subscription{3, topics("a"), nil, owned("a", 1), 7, text("rack-1")}},
		{"version 3 with everything empty", "000300000001000161ffffffff00000000ffffffffffff",
			Subscription{3, topics("a"), nil, nil, -1, nil}},
		{"an empty rack is not null", "000300000000ffffffff00000000ffffffff0000",
			Subscription{3, nil, nil, nil, -1, text("")}},
		{"partition and generation values are not restricted", "000200000000ffffffff00000001000000000002800000007fffffff80000000",
			Subscription{2, nil, nil, owned("", math.MinInt32, math.MaxInt32), math.MinInt32, nil}},
		{"version 1 whose writer stopped before owned partitions", "00010000000100066f726465727300000000",
			Subscription{1, topics("orders"), []byte{}, nil, -1, nil}},
		{"version 3 whose writer stopped before owned partitions", "00030000000100066f7264657273ffffffff",
			Subscription{3, topics("orders"), nil, nil, -1, nil}},
		{"version 2 whose writer stopped before the generation", "000200000000ffffffff00000000",
			Subscription{2, nil, nil, nil, -1, nil}},
		{"version 3 whose writer stopped before the rack", "000300000000ffffffff0000000000000005",
			Subscription{3, nil, nil, nil, 5, nil}},
		{"an unknown version is read as 3", "000400000001000161ffffffff0000000100016100000001000000010000000700017299",
			Subscription{4, topics("a"), nil, owned("a", 1), 7, text("r")}},
		{"an unknown version that stops early is read as far as it goes", "000400000000ffffffff00000001000161000000010000000100000007",
			Subscription{4, nil, nil, owned("a", 1), 7, nil}},
		{"an unknown version with another tail has none", "00070000000100066f7264657273ffffffffdeadbeef",
			Subscription{7, topics("orders"), nil, nil, -1, nil}},
		{"... nor any of it when only the rack fails", "000400000000ffffffff0000000100016100000001000000010000000700ff",
			Subscription{4, nil, nil, nil, -1, nil}},
		{"the greatest version", "7fff00000001000161ffffffff",
			Subscription{32767, topics("a"), nil, nil, -1, nil}},
		{"a byte left over after version 1", "000100000001000161ffffffff0000000000",
			Subscription{1, topics("a"), nil, nil, -1, nil}},
		{"a byte left over after version 0", "000000000001000161ffffffff01",
			Subscription{0, topics("a"), nil, nil, -1, nil}},
		{"bytes left over after version 3", "000300000000ffffffff00000000ffffffffffffdead",
			Subscription{3, nil, nil, nil, -1, nil}},
		{"a NUL in a topic", "0000000000010003610062ffffffff",
			Subscription{0, topics("a\x00b"), nil, nil, -1, nil}},
		{"an empty topic", "0000000000010000ffffffff",
			Subscription{0, topics(""), nil, nil, -1, nil}},
		{"an assignment of two partitions happens to be readable", "000000000001000161000000020000000000000001ffffffff",
			Subscription{0, topics("a"), []byte{0, 0}, nil, -1, nil}},
	}
	for _, test := range tests {
		got, err := DecodeSubscription(unhex(test.hex))
		assert.NoError(t, err, test.why)
		assert.Empty(t, cmp.Diff(test.want, got), test.why)
	}
}

func TestDecodeSubscriptionRefuses(t *testing.T) {
	tests := []struct{ why, hex, reason string }{
		{"nothing", "", "version at byte 0 has 0 of its 2 bytes"},
		{"half a version", "00", "version at byte 0 has 1 of its 2 bytes"},
		{"negative version", "ffff00000000ffffffff", "version -1 at byte 0 is negative"},
		{"least version", "800000000000ffffffff", "version -32768 at byte 0 is negative"},
		{"part of a count", "0000000000", "topics at byte 2 has 3 of its 4 bytes"},
		{"negative count", "0000ffffffffffffffff", "topics count -1 at byte 2 is negative"},
		{"greatest count", "00007fffffffffffffff", "topics count 2147483647 at byte 2 needs 4294967294 bytes or more but has 4"},
		{"a topic too few", "000000000002000161", "topics count 2 at byte 2 needs 4 bytes or more but has 3"},
		{"negative length", "000000000001ffffffffffff", "topics[0] length -1 at byte 6 is negative"},
		{"greatest length", "0000000000017fff61ffffffff", "topics[0] at byte 8 has 5 of its 32767 bytes"},
		{"the second of two", "00000000000200016100056162", "topics[1] at byte 11 has 2 of its 5 bytes"},
		{"not UTF-8", "0000000000010002c328ffffffff", "topics[0] at byte 8 is not valid UTF-8"},
		{"a surrogate", "0000000000010003eda080ffffffff", "topics[0] at byte 8 is not valid UTF-8"},
		{"an overlong NUL, as Java's modified UTF-8 has it", "0000000000010002c080ffffffff", "topics[0] at byte 8 is not valid UTF-8"},
		{"no user data", "000000000001000161", "user_data at byte 9 has 0 of its 4 bytes"},
		{"user data below null", "000000000000fffffffe", "user_data length -2 at byte 6 is below -1"},
		{"greatest user data", "0000000000007fffffff00", "user_data at byte 10 has 1 of its 2147483647 bytes"},
		{"part of the owned count", "000100000000ffffffff0000", "owned_partitions at byte 10 has 2 of its 4 bytes"},
		{"negative owned count", "000100000000ffffffffffffffff", "owned_partitions count -1 at byte 10 is negative"},
		{"greatest owned count", "000100000000ffffffff7fffffff000161", "owned_partitions count 2147483647 at byte 10 needs 12884901882 bytes or more but has 3"},
		{"owned topic", "000100000000ffffffff00000001000900000000", "owned_partitions[0].topic at byte 16 has 4 of its 9 bytes"},
		{"owned topic not UTF-8", "000100000000ffffffff000000010001ff00000000", "owned_partitions[0].topic at byte 16 is not valid UTF-8"},
		{"negative partitions", "000100000000ffffffff00000001000161fffffffb", "owned_partitions[0].partitions count -5 at byte 17 is negative"},
		{"greatest partitions", "000100000000ffffffff000000010001617fffffff", "owned_partitions[0].partitions count 2147483647 at byte 17 needs 8589934588 bytes or more but has 0"},
		{"a count whose product leaves 32 bits", "000100000000ffffffff0000000100016140000001deadbeef", "owned_partitions[0].partitions count 1073741825 at byte 17 needs 4294967300 bytes or more but has 4"},
		{"part of the generation", "000200000000ffffffff00000000000000", "generation_id at byte 14 has 3 of its 4 bytes"},
		{"part of the rack's length", "000300000000ffffffff000000000000000000", "rack_id at byte 18 has 1 of its 2 bytes"},
		{"rack below null", "000300000000ffffffff0000000000000000fffe", "rack_id length -2 at byte 18 is below -1"},
		{"part of the rack", "000300000000ffffffff0000000000000000000261", "rack_id at byte 20 has 1 of its 2 bytes"},
		{"rack not UTF-8", "000300000000ffffffff00000000000000000001ff", "rack_id at byte 20 is not valid UTF-8"},
		{"an unknown version does not excuse the topics", "7fffffffffff", "topics count -1 at byte 2 is negative"},
		{"little-endian integers", "000001000000010061ffffffff", "topics count 16777216 at byte 2 needs 33554432 bytes or more but has 7"},
		{"little-endian integers, version too", "030001000000010061ffffffff", "topics count 16777216 at byte 2 needs 33554432 bytes or more but has 7"},
		{"an assignment of nine partitions to one topic", "0000000000010001610000000900000000", "user_data at byte 13 has 4 of its 9 bytes"},
		{"text", "7b22746f70696373223a5b2261225d7d", "topics count 1953460329 at byte 2 needs 3906920658 bytes or more but has 10"},
	}
	for _, test := range tests {
		got, err := DecodeSubscription(unhex(test.hex))
		assertInvalid(t, err, "bytes", test.reason, test.why)
		assert.Zero(t, got, test.why)
	}
}

// RA-01, RA-02: cut anywhere, a subscription is refused, but for the three
// places where a writer may stop.
func TestDecodeSubscriptionCutAnywhere(t *testing.T) {
	s := Subscription{3, topics("a", "payé"), []byte{1, 2, 3}, owned("a", 0, 2, 5), 7, text("rack-1")}
	whole, err := EncodeSubscription(s)
	require.NoError(t, err)
	beforeOwned := len(whole) - (2 + 6) - 4 - (4 + 2 + 1 + 4 + 3*4)
	beforeGeneration, beforeRack := len(whole)-(2+6)-4, len(whole)-(2+6)
	for size := range len(whole) {
		got, err := DecodeSubscription(whole[:size])
		want := s
		switch size {
		case beforeOwned:
			want.OwnedPartitions, want.GenerationID, want.RackID = nil, NoGeneration, nil
		case beforeGeneration:
			want.GenerationID, want.RackID = NoGeneration, nil
		case beforeRack:
			want.RackID = nil
		default:
			assert.ErrorIs(t, err, broker.ErrInvalidArgument, size)
			continue
		}
		assert.NoError(t, err, size)
		assert.Empty(t, cmp.Diff(want, got), size)
	}
}

func TestDecodedValuesAreTheCallersOwn(t *testing.T) {
	data := unhex("0000000000010001610000000200ff")
	s, err := DecodeSubscription(data)
	require.NoError(t, err)
	clear(data)
	assert.Equal(t, topics("a"), s.Topics)
	assert.Equal(t, []byte{0, 0xff}, s.UserData)
}

// RA-03: a version has what it has.
func TestEncodeSubscription(t *testing.T) {
	s := Subscription{0, topics("b", "a"), []byte{0xff}, owned("a", 1), 7, text("r")}
	want := []string{
		"0000" + "00000002" + "000162" + "000161" + "00000001ff",
		"0001" + "00000002" + "000162" + "000161" + "00000001ff" + "00000001" + "000161" + "0000000100000001",
		"0002" + "00000002" + "000162" + "000161" + "00000001ff" + "00000001" + "000161" + "0000000100000001" + "00000007",
		"0003" + "00000002" + "000162" + "000161" + "00000001ff" + "00000001" + "000161" + "0000000100000001" + "00000007" + "000172",
	}
	for version, want := range want {
		s.Version = int16(version)
		got, err := EncodeSubscription(s)
		assert.NoError(t, err)
		assert.Equal(t, want, hex.EncodeToString(got), "version %d", version)
	}
}

// RA-03: what a version cannot say is not judged either.
func TestEncodeLeavesOutWhatTheVersionLacks(t *testing.T) {
	s := Subscription{0, nil, nil, owned("\xff"), 7, text("\xff")}
	data, err := EncodeSubscription(s)
	require.NoError(t, err)
	assert.Equal(t, "000000000000ffffffff", hex.EncodeToString(data))
}

func TestEncodeTakesTheLongestStrings(t *testing.T) {
	long := strings.Repeat("é", 16383) + "x"
	s := Subscription{3, topics(long), nil, owned(long, 1), 0, &long}
	data, err := EncodeSubscription(s)
	require.NoError(t, err)
	got, err := DecodeSubscription(data)
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(s, got))
}

func TestSubscriptionsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSubscription(t)
		data, err := EncodeSubscription(s)
		require.NoError(t, err)
		got, err := DecodeSubscription(append(data, rapid.SliceOf(rapid.Byte()).Draw(t, "left over")...))
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(s, got))
	})
}
