package event

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Two topics do not slow each other down only where no cache line has something
// of both that calls write to.
func TestStructuresAreWholeCacheLines(t *testing.T) {
	const line = lineWords * unsafe.Sizeof(uintptr(0))
	for name, size := range map[string]uintptr{
		"topic": unsafe.Sizeof(topic{}), "group": unsafe.Sizeof(group{}),
		"member": unsafe.Sizeof(member{}), "partition": unsafe.Sizeof(partition{}),
	} {
		assert.Zero(t, size%line, "a %s has %d bytes", name, size)
	}
}

// What groups and partitions point to is theirs alone as well.
func TestSlicesHaveRoomForWholeCacheLines(t *testing.T) {
	for _, partitions := range []int{1, 7, 8, 9, 63, 64} {
		b := newBroker(t, 1)
		_, err := b.Create("t", partitions)
		require.NoError(t, err)
		_, err = b.Join("t", "g", "m")
		require.NoError(t, err)
		topic, err := b.topics.find("t")
		require.NoError(t, err)
		assert.Zero(t, cap(topic.groups["g"].committed)%lineWords, "%d partitions", partitions)
		for i := range topic.partitions {
			assert.Zero(t, cap(topic.partitions[i].atEnd)%lineWords, "partition %d of %d", i, partitions)
		}
	}
}
