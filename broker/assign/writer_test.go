package assign

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestEncodeRefuses(t *testing.T) {
	long := strings.Repeat("x", 32768)
	bytesOf2GiB := make([]byte, math.MaxInt32+1) // never touched, so never real
	tests := []struct {
		argument, reason string
		encode           func() ([]byte, error)
	}{
		{"subscription", "version -1 is outside 0 through 3", encodeSubscription(Subscription{Version: -1})},
		{"subscription", "version 4 is outside 0 through 3", encodeSubscription(Subscription{Version: 4})},
		{"subscription", "topics[1] is 32768 bytes long; at most 32767 are allowed", encodeSubscription(Subscription{Topics: topics("a", long)})},
		{"subscription", "topics[0] is not valid UTF-8", encodeSubscription(Subscription{Topics: topics("\xff")})},
		{"subscription", "user_data is 2147483648 bytes long; at most 2147483647 are allowed", encodeSubscription(Subscription{UserData: bytesOf2GiB})},
		{"subscription", "owned_partitions[0].topic is not valid UTF-8", encodeSubscription(Subscription{Version: 1, OwnedPartitions: owned("\xed\xa0\x80")})},
		{"subscription", "rack_id is 32768 bytes long; at most 32767 are allowed", encodeSubscription(Subscription{Version: 3, RackID: &long})},
		{"assignment", "version 4 is outside 0 through 3", encodeAssignment(Assignment{Version: 4})},
		{"assignment", "version -32768 is outside 0 through 3", encodeAssignment(Assignment{Version: math.MinInt16})},
		{"assignment", "partitions[0].topic is 32768 bytes long; at most 32767 are allowed", encodeAssignment(Assignment{Partitions: owned(long)})},
	}
	for _, test := range tests {
		got, err := test.encode()
		assertInvalid(t, err, test.argument, test.reason)
		assert.Nil(t, got)
	}
}

func encodeSubscription(s Subscription) func() ([]byte, error) {
	return func() ([]byte, error) { return EncodeSubscription(s) }
}

func encodeAssignment(a Assignment) func() ([]byte, error) {
	return func() ([]byte, error) { return EncodeAssignment(a) }
}
