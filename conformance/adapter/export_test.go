package adapter

import "time"

// SetTimeout shortens the timeout once the hello is there, which on a busy
// machine may need the long one.
func (a *Adapter) SetTimeout(d time.Duration) { a.timeout = d }
