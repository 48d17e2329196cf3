package main

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHandlesAreNeverSmallNumbersNorNegative(t *testing.T) {
	table := newHandleTable()
	for range 100 {
		h := table.add("x")
		assert.Greater(t, h, uint64(1<<32))
		assert.Positive(t, int64(h))
		require.NotNil(t, table.get(h))
	}
	for _, h := range []uint64{0, 1, 2, 1 << 32, 1 << 40, 1<<32 | 101, 1<<64 - 1} {
		assert.Nil(t, table.get(h), "%#x", h)
	}
	assert.Equal(t, 100, table.open())
}

func TestAHandleIsStaleOnceItsSlotIsUsedAgain(t *testing.T) {
	table := newHandleTable()
	first := table.add("first")
	require.Equal(t, "first", table.remove(first).value)
	assert.Nil(t, table.remove(first), "a second close finds nothing")
	second := table.add("second")
	assert.Equal(t, uint32(first), uint32(second), "the slot is used again")
	assert.Nil(t, table.get(first))
	assert.Nil(t, table.remove(first), "a stale handle closes nobody else's broker")
	assert.Equal(t, "second", table.get(second).value)
}

func TestAWornOutSlotIsNotUsedAgain(t *testing.T) {
	table := newHandleTable()
	h := table.add("x")
	table.generations[uint32(h)-1] = lastGeneration
	table.remove(h)
	assert.NotEqual(t, uint32(h), uint32(table.add("y")))
}

func TestHandlesFromManyThreads(t *testing.T) {
	table := newHandleTable()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 1000 {
				h := table.add(i)
				assert.Equal(t, i, table.get(h).value)
				assert.Equal(t, i, table.remove(h).value)
				assert.Nil(t, table.get(h))
			}
		})
	}
	wg.Wait()
	assert.Zero(t, table.open())
}
