package engine

import "time"

// A patience is how long a call waits. Its timer is made when it has to, which it
// seldom has under load.
type patience struct {
	limit time.Duration
	timer *time.Timer
}

func (p *patience) over() <-chan time.Time {
	if p.timer == nil {
		p.timer = time.NewTimer(p.limit)
	}
	return p.timer.C
}

func (p *patience) end() {
	if p.timer != nil {
		p.timer.Stop()
	}
}
