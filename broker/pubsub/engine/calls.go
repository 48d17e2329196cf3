package engine

import "sync"

// calls counts the handler calls under way, so that closing can wait for them.
type calls struct {
	mu      sync.Mutex
	running int
	closed  bool
	done    chan struct{} // closed once the engine is closed and no call runs
	atEnd   func()        // just before
}

func (c *calls) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running++
}

func (c *calls) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running--
	c.finish()
}

// close says that no call begins from now on. It is called once.
func (c *calls) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.finish()
}

func (c *calls) finish() {
	if c.closed && c.running == 0 {
		c.atEnd()
		close(c.done)
	}
}
