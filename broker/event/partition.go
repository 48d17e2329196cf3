package event

import "github.com/eventbroker/eventbroker/broker/internal/offsetlog"

// A partition is a bounded log that knows where each group stands: a group
// stands at its committed offset. The counts make retention cheap: an ack frees
// at most the earliest record, which it finds without looking at other groups
// (EB-14).
type partition struct {
	log   offsetlog.Log[entry]
	atEnd []*group // groups that have acknowledged everything, in no order
}

type entry struct {
	payload  string
	standing int32 // groups whose committed offset this is
}

// append adds a record, unless the partition retains as many as it may, and makes
// the partition ready for the groups that waited for it. Each of them
// acknowledged the record before, so that the time this takes is paid by their
// acks.
func (p *partition) append(payload string, self uint64, capacity int) int64 {
	if p.log.Len() == capacity {
		return Full
	}
	for _, g := range p.atEnd {
		g.ready |= self
	}
	offset := p.log.Append(entry{payload: payload, standing: int32(len(p.atEnd))})
	p.atEnd = p.atEnd[:0] // groups live as long as the topic: what lies beyond keeps nothing alive
	return offset
}

// place lets the group stand at the offset, which is retained or the end.
func (p *partition) place(g *group, offset int64, self uint64) {
	if offset == p.log.Next() {
		g.ready &^= self
		p.atEnd = append(p.atEnd, g)
		return
	}
	g.ready |= self
	p.log.At(offset).standing++
}

// advance moves the group from the offset to the next one, and removes the
// record it left if it is the earliest and no group stands there any more: then
// every group has acknowledged it. The next record cannot go with it, since
// this group stands there now.
func (p *partition) advance(g *group, from int64, self uint64) {
	left := p.log.At(from)
	left.standing--
	free := left.standing == 0 && from == p.log.Base()
	p.place(g, from+1, self)
	if free {
		p.log.TrimFront()
	}
}
