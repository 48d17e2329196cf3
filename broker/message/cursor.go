package message

// A cursor is one group's place in the log: which message is next, how often it
// was delivered, and whether it is at the moment. It is a plain value without a
// lock.
//
// A delivery in flight and a message nacked but not yet delivered again are
// different states at the same position: only the first can be acked or nacked.
type cursor struct {
	position int64 // offset of the message to deliver
	attempt  int   // its deliveries so far
	inFlight bool  // whether the last of them still runs
	parked   []parked
}

// parked is a dead letter without its payload, which is in the log.
type parked struct {
	offset   int64
	attempts int
}

// deliver makes the message at the position the delivery in flight. Only a
// delivery that begins counts as an attempt (MB-05, MB-07).
func (c *cursor) deliver() {
	if !c.inFlight {
		c.inFlight = true
		c.attempt++
	}
}

// holds reports whether exactly this delivery is in flight (MB-06).
func (c *cursor) holds(offset int64, attempt int) bool {
	return c.inFlight && c.position == offset && c.attempt == attempt
}

// ack moves on to the next message.
func (c *cursor) ack() {
	c.position++
	c.attempt = 0
	c.inFlight = false
}

// nack ends the delivery; the last one that the limit allows parks the message,
// once, and moves on (MB-08).
func (c *cursor) nack(maxAttempts int) {
	if c.attempt < maxAttempts {
		c.inFlight = false
		return
	}
	c.parked = append(c.parked, parked{c.position, c.attempt})
	c.ack()
}
