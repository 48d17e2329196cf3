package history

import (
	"slices"

	"github.com/eventbroker/eventbroker/conformance/surface"
)

// scan looks over the calls on one topic for what can be seen without a search
// for their order. What it names is certain, but it does not see everything.
func (h History) scan() Anomaly {
	for _, op := range h.Ops {
		if op.Error != "" && op.Error != surface.InvalidArgument {
			return anomaly(UnexpectedError, "%s", op)
		}
	}
	f := gather(h)
	for _, look := range looks[h.System] {
		if a := look(f); a.Name != "" {
			return a
		}
	}
	return Anomaly{}
}

var looks = map[string][]func(facts) Anomaly{
	"event": {
		facts.offsets, facts.payloads, facts.batches, facts.settled, facts.owners, facts.repeats, facts.skipped,
		facts.freedLate, facts.exceeded,
	},
	"message": {facts.offsets, facts.payloads, facts.settledOnce, facts.afterwards, facts.attempts, facts.parked},
}

// offsets: distinct, consecutive from 0, and in the order of the calls where
// those have one (EB-05, MB-03).
func (f facts) offsets() Anomaly {
	for p, list := range f.published {
		seen := map[int64]fact{}
		for _, one := range list {
			if other, twice := seen[one.offset]; twice {
				return anomaly(OffsetReused, "offset %d of partition %d for %q and for %q", one.offset, p, other.payload, one.payload)
			}
			seen[one.offset] = one
		}
		for _, early := range list {
			for _, late := range list {
				if early.To < late.From && early.offset > late.offset {
					return anomaly(OffsetOutOfOrder, "%q had offset %d of partition %d before %q, published later, got %d",
						early.payload, early.offset, p, late.payload, late.offset)
				}
			}
		}
		for offset := range int64(len(list)) {
			if _, there := seen[offset]; !there {
				return anomaly(OffsetSkipped, "%d records in partition %d, and none has offset %d", len(list), p, offset)
			}
		}
	}
	return Anomaly{}
}

// payloads: what is delivered was published there, and not later (EB-12, MB-04).
func (f facts) payloads() Anomaly {
	for d, list := range f.polled {
		i := slices.IndexFunc(f.published[d.partition], func(p fact) bool { return p.offset == d.offset })
		for _, got := range list {
			switch {
			case i < 0 || got.To < f.published[d.partition][i].From:
				return anomaly(NeverPublished, "%s delivers %s, which was not published by then", got.Op, d)
			case got.payload != f.published[d.partition][i].payload:
				return anomaly(NeverPublished, "%s delivers %s with the payload %q, and it was published with %q",
					got.Op, d, got.payload, f.published[d.partition][i].payload)
			}
		}
	}
	return Anomaly{}
}

// settled: each ack or retry that is true ends a delivery of its own, and was
// made by the member that had it; an ack is the last (EB-13).
func (f facts) settled() Anomaly {
	for d := range f.settles() {
		polls, ends := f.polled[d], slices.Concat(f.acked[d], f.again[d])
		if len(f.acked[d]) > 1 {
			return anomaly(SettledTwice, "%s, by %s and by %s", d, f.acked[d][0].Op, f.acked[d][1].Op)
		}
		for _, end := range ends {
			before := count(polls, func(p fact) bool { return p.From <= end.To })
			mine := count(polls, func(p fact) bool { return p.From <= end.To && p.member == end.member })
			due := count(ends, func(e fact) bool { return e.To <= end.To })
			switch {
			case before == 0:
				return anomaly(NotInFlight, "%s, and nobody was given it by then", end.Op)
			case mine == 0:
				return anomaly(TwoOwners, "%s, which was given to %s", end.Op, polls[0].member)
			case due > before && len(f.acked[d]) > 0:
				return anomaly(BothTrue, "%s was delivered %d times by then, and ended %d times: %s, %s",
					d, before, due, f.acked[d][0].Op, f.again[d][0].Op)
			case due > before:
				return anomaly(NotInFlight, "%s was delivered %d times by then, and retried %d times", d, before, due)
			}
		}
	}
	return Anomaly{}
}

// settles are the deliveries that were ended.
func (f facts) settles() map[delivery]bool {
	all := map[delivery]bool{}
	for d := range f.acked {
		all[d] = true
	}
	for d := range f.again {
		all[d] = true
	}
	return all
}

// owners: what only the owner of a partition can do is done by one member until
// the membership changes (EB-08, EB-10).
func (f facts) owners() Anomaly {
	type share struct {
		group     string
		partition int64
	}
	claims := map[share][]fact{}
	for _, by := range []map[delivery][]fact{f.polled, f.acked, f.again} {
		for d, list := range by {
			s := share{d.group, d.partition}
			claims[s] = append(claims[s], list...)
		}
	}
	for s, list := range claims {
		for i, a := range list {
			for _, b := range list[:i] {
				if a.member != b.member && !f.changed(a, b) {
					return anomaly(TwoOwners, "partition %d of group %s: %s, and %s, with no change of members between them",
						s.partition, s.group, b.Op, a.Op)
				}
			}
		}
	}
	return Anomaly{}
}

// changed reports whether the members may have changed between two calls.
func (f facts) changed(a, b fact) bool {
	return slices.ContainsFunc(f.changes[a.group], func(c fact) bool {
		return c.within(min(a.From, b.From), max(a.To, b.To))
	})
}

// repeats: a record is delivered again only after a retry or after its partition
// changed hands, and never after an ack (EB-12, EB-13).
func (f facts) repeats() Anomaly {
	for d, list := range f.polled {
		for _, ack := range f.acked[d] {
			for _, poll := range list {
				if ack.To < poll.From {
					return anomaly(DeliveredTwice, "%s delivers %s after %s", poll.Op, d, ack.Op)
				}
			}
		}
		for i, a := range list {
			for _, b := range list[:i] {
				retried := slices.ContainsFunc(f.again[d], func(r fact) bool {
					return r.within(min(a.From, b.From), max(a.To, b.To))
				})
				if !retried && !f.changed(a, b) {
					return anomaly(DeliveredTwice, "%s, to %s and to %s, with no retry and no change of members between them",
						d, b.member, a.member)
				}
			}
		}
	}
	return Anomaly{}
}

// skipped: a group that was there when a record was published does not come past
// it without an ack (EB-10, EB-11, EB-13).
func (f facts) skipped() Anomaly {
	for d, list := range f.polled {
		for _, missed := range f.published[d.partition] {
			joined := slices.ContainsFunc(f.changes[d.group], func(c fact) bool { return c.Call.Op == "join" && c.To < missed.From })
			if missed.offset >= d.offset || !joined {
				continue
			}
			by := d
			by.offset = missed.offset
			if !began(f.acked[by], list[0]) {
				return anomaly(Lost, "%s delivers offset %d of partition %d, and group %s has not acknowledged %d, %q",
					list[0].Op, d.offset, d.partition, d.group, missed.offset, missed.payload)
			}
		}
	}
	return Anomaly{}
}

// freedLate: a partition is full only if so many records are there that were not
// acknowledged by all groups (EB-05, EB-14).
func (f facts) freedLate() Anomaly {
	for p, list := range f.full {
		for _, full := range list {
			there := count(f.published[p], func(r fact) bool { return r.From <= full.To })
			removed := count(f.published[p], func(r fact) bool { return f.removed(r, full) })
			if int64(there-removed) < f.limit() {
				return anomaly(CapacityFreedLate, "%s, and of at most %d records %d were acknowledged by all groups before it",
					full.Op, there, removed)
			}
		}
	}
	return Anomaly{}
}

// removed reports whether a record was certainly gone when a call began.
func (f facts) removed(record, by fact) bool {
	some := false
	for group, changes := range f.changes {
		if !began(changes, by) {
			continue
		}
		d := delivery{group: group, partition: record.partition, offset: record.offset}
		if !slices.ContainsFunc(f.acked[d], func(a fact) bool { return a.To < by.From }) {
			return false
		}
		some = true
	}
	return some
}

// exceeded: no more is taken than there is room for (EB-05). So many records as
// its offset says were there before a record, and what nobody had acknowledged
// still was.
func (f facts) exceeded() Anomaly {
	for p, list := range f.published {
		for _, record := range list {
			there := count(list, func(r fact) bool {
				return r.offset < record.offset && !f.acknowledged(r, record)
			})
			if int64(there) >= f.limit() {
				return anomaly(CapacityExceeded, "%s, with %d records before it in partition %d that nobody had acknowledged",
					record.Op, there, p)
			}
		}
	}
	return Anomaly{}
}

// acknowledged reports whether any group may have acknowledged a record by the
// end of a call.
func (f facts) acknowledged(record, by fact) bool {
	for group := range f.changes {
		d := delivery{group: group, partition: record.partition, offset: record.offset}
		if began(f.acked[d], by) {
			return true
		}
	}
	return false
}

// limit is the constructor's argument: the capacity, or how many attempts there are.
func (f facts) limit() int64 {
	limit, _ := f.history.New[0].(int64)
	return limit
}

func count(list []fact, so func(fact) bool) int {
	n := 0
	for _, one := range list {
		if so(one) {
			n++
		}
	}
	return n
}
