package overlap_test

import (
	"runtime"
	"testing"

	"github.com/eventbroker/eventbroker/cabi/overlap"
	"github.com/stretchr/testify/assert"
)

func TestMeter(t *testing.T) {
	var m overlap.Meter
	m.Enter()
	m.Leave()
	m.Enter()
	assert.Zero(t, m.Met(), "one after the other")

	m.Enter() // while the last is inside
	m.Enter()
	assert.EqualValues(t, 2, m.Met())
	for range 3 {
		m.Leave()
	}
	m.Enter()
	assert.EqualValues(t, 2, m.Met(), "all are gone")
}

// What a lock that is let go between two halves of a call takes to be seen: see
// widen.
func TestMeter_LocksAreLetGoSlowly(t *testing.T) {
	var m overlap.Meter
	m.Enter()
	m.Leave()
	assert.Equal(t, 1, runtime.SetMutexProfileFraction(-1))
}
