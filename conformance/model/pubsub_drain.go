package model

// A PubSubOutcome is how the offer of a message ended.
type PubSubOutcome int

// The outcomes.
const (
	Confirmed PubSubOutcome = iota
	Failed                  // by the handler, or by the filter (PS-12)
	Filtered                // passed over by the filter, so that no handler was called
)

// A PubSubEnd is what came of the offer.
type PubSubEnd int

// The ends.
const (
	ByConfirming PubSubEnd = iota
	ByFiltering
	ByFailing          // one try more
	ByFailingAfterSeek // no try more (PS-09)
	ByParking          // the last try (PS-07)
)

// A PubSubDelivery is one message offered to one subscription.
type PubSubDelivery struct {
	Topic  *PubSubTopic
	Cursor *PubSubCursor
	To     *PubSubSubscription

	Letter  *PubSubLetter // nil where it comes from the log
	Offset  int64
	Payload string
	Attempt int64 // from 1
	Seeks   int   // of the cursor, when it began
}

// drain: topic by topic and subscription by subscription, on this thread. How
// many it saw confirmed is its own count: a drain inside a handler has another
// (PS-05). The other dispatchers do nothing here (PS-11).
func (p *PubSub) drain(pubsubCall) any {
	confirmed := int64(0)
	if p.Dispatcher != Synchronous {
		return confirmed
	}
	for topic := range p.Rules.Topics(p) {
		for cursor := range p.Rules.Cursors(topic) {
			confirmed += p.turn(topic, cursor)
		}
	}
	return confirmed
}

// turn offers what waits, until the cursor has caught up, fails or is cancelled.
// One that is being served already is passed over (PS-10).
func (p *PubSub) turn(t *PubSubTopic, c *PubSubCursor) int64 {
	confirmed := int64(0)
	if !p.Rules.MayServe(c) {
		return confirmed
	}
	c.Busy = true
	for d := p.next(t, c); d != nil; d = p.next(t, c) {
		end := p.settle(d, p.offer(d))
		if p.Rules.Counts(d, end) {
			confirmed++
		}
		if !p.Rules.GoesOn(d, end) {
			break
		}
	}
	c.Busy = false
	return confirmed
}

// next is what to offer now, nil for nothing: first the dead letters that are to
// be offered again (PS-17), then the log. Only what comes from the log may be no
// longer kept (PS-13).
func (p *PubSub) next(t *PubSubTopic, c *PubSubCursor) *PubSubDelivery {
	if len(c.Again) == 0 {
		p.fallBehind(t, c)
	}
	if !p.Rules.Waits(t, c) {
		return nil
	}
	d := &PubSubDelivery{Topic: t, Cursor: c, To: c.Members[c.Turn], Seeks: c.Seeks}
	if len(c.Again) > 0 {
		d.Letter = c.Again[0]
		d.Offset, d.Payload, d.Attempt = d.Letter.Offset, d.Letter.Payload, d.Letter.Attempts+1
		return d
	}
	d.Offset, d.Payload, d.Attempt = c.Next, t.Log[c.Next], c.Attempts+1
	return d
}

// fallBehind follows the policy where the next message is no longer kept
// (PS-13).
func (p *PubSub) fallBehind(t *PubSubTopic, c *PubSubCursor) {
	earliest := p.Rules.Earliest(t)
	switch {
	case c.Next >= earliest || len(c.Members) == 0:
	case c.Policy == Disconnect:
		p.Rules.Disconnect(t, c)
	default:
		p.Rules.Drop(c, earliest)
	}
}

// offer shows the message to the filter, where there is one, and then to the
// handler. Only the handler's calls are recorded (PS-12).
func (p *PubSub) offer(d *PubSubDelivery) PubSubOutcome {
	if d.To.Filter != nil {
		if outcome := p.Rules.Filter(d.To.Filter, d.Payload); outcome != Confirmed {
			return outcome
		}
	}
	d.Topic.Calls[d.To.Name] = append(d.Topic.Calls[d.To.Name], d.Payload)
	return p.Rules.Outcome(p.handle(d))
}

// settle does what the outcome does, a group's turn passing to another member
// first, and says how the call ended.
func (p *PubSub) settle(d *PubSubDelivery, outcome PubSubOutcome) PubSubEnd {
	p.Rules.Rotate(d.Cursor, d.To)
	switch {
	case outcome != Failed:
		p.Rules.Take(d)
		return endOf[outcome]
	case p.Rules.Overruled(d):
		return ByFailingAfterSeek
	case !p.Rules.GivesUp(d, p.MaxAttempts):
		p.Rules.Miss(d)
		return ByFailing
	}
	p.Rules.Take(d)
	p.Rules.Park(d)
	return ByParking
}

var endOf = map[PubSubOutcome]PubSubEnd{Confirmed: ByConfirming, Filtered: ByFiltering}
