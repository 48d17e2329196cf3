package assign

import (
	"encoding/binary"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

// RA-02: whatever a message claims, decoding it takes memory in proportion to
// what it has.
func TestDecodersTakeNoMoreThanTheInputJustifies(t *testing.T) {
	const megabyte = 1 << 20
	tests := map[string][]byte{
		"topics without end":            message("0000", 0x7fffffff, 8),
		"a topic too long":              message("0000000000017fff", 0x61616161, 8),
		"user data without end":         message("000000000000", 0x7fffffff, 8),
		"owned partitions without end":  message("000100000000ffffffff", 0x7fffffff, 8),
		"partitions without end":        message("000100000000ffffffff00000001000161", 0x7fffffff, 8),
		"all that fits, empty topics":   message("0000", megabyte/2, megabyte),
		"all that fits, empty owned":    message("000100000000ffffffff", megabyte/6, megabyte),
		"all that fits, partitions":     message("000100000000ffffffff00000001000161", megabyte/4, megabyte),
		"all that fits, wrong at once":  append(message("0000", megabyte/2, 0), fill(0xff, megabyte)...),
		"all that fits, a version anew": append(message("000400000000ffffffff", megabyte/6, 0), fill(0xff, megabyte)...),
	}
	for name, data := range tests {
		budget := 10*uint64(len(data)) + 4096
		assert.Less(t, allocated(func() { _, _ = DecodeSubscription(data) }), budget, name)
		assert.Less(t, allocated(func() { _, _ = DecodeAssignment(data) }), budget, name)
	}
}

// message is a beginning, a count and as many zero bytes.
func message(beginning string, count uint32, size int) []byte {
	data := binary.BigEndian.AppendUint32(unhex(beginning), count)
	return append(data, fill(0, size)...)
}

func fill(value byte, size int) []byte {
	data := make([]byte, size)
	for i := range data {
		data[i] = value
	}
	return data
}

// allocated is how many bytes a call takes, those freed at once included: the
// least of a few calls, since the test's surroundings allocate too.
func allocated(call func()) uint64 {
	least := uint64(math.MaxUint64)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		call()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

func TestDecodingAllocatesOnlyTheResult(t *testing.T) {
	data := unhex("0003000000010006746f7069637300000001ff00000001000274740000000200000000000000010000000700027272")
	// The topics, one topic, the user data, the owned partitions, their topic,
	// their partitions, the rack and where it is kept.
	assert.LessOrEqual(t, testing.AllocsPerRun(100, func() { _, _ = DecodeSubscription(data) }), 8.0)
}
