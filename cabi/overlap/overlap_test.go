package overlap_test

import (
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
