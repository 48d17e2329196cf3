package adapter

import "time"

// SetTimeout shortens the timeout once the hello is there, which on a busy
// machine may need the long one.
func (a *Adapter) SetTimeout(d time.Duration) { a.timeout = d }

// LimitGrace has a process that closed its output be waited for that long.
func LimitGrace(limit time.Duration) (restore func()) {
	before := grace
	grace = limit
	return func() { grace = before }
}
