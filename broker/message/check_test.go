package message

import "fmt"

// check walks the whole broker and returns the first invariant of package
// broker's documentation that does not hold.
func (b *Broker) check() error {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for name, t := range b.topics {
		for group, c := range t.groups {
			if err := c.check(b.maxAttempts, t.log.Next()); err != nil {
				return fmt.Errorf("topic %s, group %s: %w", name, group, err)
			}
		}
	}
	return nil
}

func (c *cursor) check(maxAttempts int, next int64) error {
	switch {
	case c.position < 0 || c.position > next:
		return fmt.Errorf("position %d is outside a log that ends at %d", c.position, next)
	case c.inFlight && (c.position == next || c.attempt < 1 || c.attempt > maxAttempts):
		return fmt.Errorf("in flight: offset %d of %d, attempt %d of %d", c.position, next, c.attempt, maxAttempts)
	case !c.inFlight && (c.attempt < 0 || c.attempt >= maxAttempts):
		return fmt.Errorf("nothing in flight after attempt %d of %d", c.attempt, maxAttempts)
	}
	last := int64(-1)
	for _, p := range c.parked {
		if p.offset <= last || p.offset >= c.position || p.attempts != maxAttempts {
			return fmt.Errorf("dead letter %+v after offset %d, before position %d", p, last, c.position)
		}
		last = p.offset
	}
	return nil
}
