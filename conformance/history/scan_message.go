package history

import (
	"slices"
)

// settledOnce: each delivery is ended once, after it was made (MB-06, MB-07).
func (f facts) settledOnce() Anomaly {
	for d := range f.settles() {
		ends := slices.Concat(f.acked[d], f.again[d])
		switch {
		case len(f.acked[d]) > 0 && len(f.again[d]) > 0:
			return anomaly(BothTrue, "%s: %s, and %s", d, ends[0].Op, ends[len(ends)-1].Op)
		case len(ends) > 1:
			return anomaly(SettledTwice, "%s, by %s and by %s", d, ends[0].Op, ends[1].Op)
		case !slices.ContainsFunc(f.polled[d], func(p fact) bool { return p.From <= ends[0].To }):
			return anomaly(NotInFlight, "%s, and nobody was given it by then", ends[0].Op)
		}
	}
	return Anomaly{}
}

// afterwards: what was ended is not delivered again with the same attempt.
func (f facts) afterwards() Anomaly {
	for d, list := range f.polled {
		for _, end := range slices.Concat(f.acked[d], f.again[d]) {
			for _, poll := range list {
				if end.To < poll.From {
					return anomaly(DeliveredTwice, "%s delivers %s after %s", poll.Op, d, end.Op)
				}
			}
		}
	}
	return Anomaly{}
}

// attempts: each but the first comes after a nack of the one before it, and each
// message after the end of the one before it (MB-06, MB-07, MB-08).
func (f facts) attempts() Anomaly {
	for d, list := range f.polled {
		first := list[0]
		before := delivery{group: d.group, offset: d.offset, attempt: d.attempt - 1}
		if d.attempt > 1 && !began(f.again[before], first) {
			return anomaly(AttemptSkipped, "%s, and attempt %d was not rejected", first.Op, before.attempt)
		}
		if d.offset > 0 && !f.passed(d.group, d.offset-1, first) {
			return anomaly(Lost, "%s, and group %s is not done with offset %d", first.Op, d.group, d.offset-1)
		}
	}
	return Anomaly{}
}

// passed reports whether a group may have moved past an offset by the end of a
// call. The attempts are those that there were: the limit may be two billion.
func (f facts) passed(group string, offset int64, by fact) bool {
	of := func(d delivery) bool { return d.group == group && d.offset == offset }
	for d, list := range f.acked {
		if of(d) && began(list, by) {
			return true
		}
	}
	last := delivery{group: group, offset: offset, attempt: f.limit()}
	return began(f.again[last], by)
}

// began reports whether one of the calls was made before another returned.
func began(list []fact, by fact) bool {
	return slices.ContainsFunc(list, func(one fact) bool { return one.From <= by.To })
}

// parked: a message is among the dead letters once, after its last attempt was
// rejected and from then on (MB-08, MB-10).
func (f facts) parked() Anomaly {
	for group, lists := range f.letters {
		for _, asked := range lists {
			seen := map[int64]bool{}
			for _, letter := range results(asked.Value) {
				d := delivery{group: group, offset: deliveryOf(letter).offset, attempt: f.limit()}
				switch {
				case seen[d.offset]:
					return anomaly(DeadLetterTwice, "%s", asked.Op)
				case !began(f.again[d], asked):
					return anomaly(DeadLetterEarly, "%s, and the last attempt at offset %d was not rejected", asked.Op, d.offset)
				}
				seen[d.offset] = true
			}
			for d := range f.again {
				rejected := slices.ContainsFunc(f.again[d], func(n fact) bool { return n.To < asked.From })
				if d.group == group && d.attempt == f.limit() && rejected && !seen[d.offset] {
					return anomaly(DeadLetterLost, "%s, and the last attempt at offset %d was rejected before", asked.Op, d.offset)
				}
			}
		}
	}
	return Anomaly{}
}
