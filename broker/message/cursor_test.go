package message

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestCursorCountsOnlyDeliveriesThatBegin(t *testing.T) {
	var c cursor
	assert.False(t, c.holds(0, 0), "nothing is in flight before the first delivery")
	c.deliver()
	c.deliver()
	assert.True(t, c.holds(0, 1), "delivering again what is in flight is no attempt")
	c.nack(3)
	assert.False(t, c.holds(0, 1), "between a nack and the next delivery nothing is in flight")
	c.deliver()
	assert.True(t, c.holds(0, 2))
}

func TestCursorStartsAnewAfterAnAck(t *testing.T) {
	c := cursor{position: 4, attempt: 2, inFlight: true}
	c.ack()
	assert.Equal(t, cursor{position: 5}, c)
}

func TestCursorParksAtTheLimitOnce(t *testing.T) {
	var c cursor
	for range 2 {
		c.deliver()
		c.nack(2)
	}
	assert.Equal(t, cursor{position: 1, parked: []parked{{0, 2}}}, c)
}
