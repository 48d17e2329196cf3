package history

import (
	"slices"

	"github.com/eventbroker/eventbroker/conformance/corpus"
)

// single is the operation that a batch is many of.
var single = map[string]string{"publish_many": "publish", "ack_many": "ack"}

func (o Op) isBatch() bool { return single[o.Call.Op] != "" }

// singles are the calls that the call stands for, all at the time of it: one for
// each element of a batch, which returned so many answers.
func (o Op) singles() []Op {
	if !o.isBatch() {
		return []Op{o}
	}
	answers, _ := o.Value.([]any)
	var all []Op
	for i, call := range singleCalls(o.Call) {
		if i < len(answers) {
			one := o
			one.Call, one.Value = call, answers[i]
			all = append(all, one)
		}
	}
	return all
}

func singleCalls(batch corpus.Call) []corpus.Call {
	last := len(batch.Args) - 1
	elements, _ := batch.Args[last].([]any)
	calls := make([]corpus.Call, len(elements))
	for i, element := range elements {
		fields, _ := element.([]any)
		calls[i] = corpus.Call{Op: single[batch.Op], Args: slices.Concat(batch.Args[:last], fields)}
	}
	return calls
}

// batches: nothing comes between the elements of a batch. Its records in one
// partition have offsets in a row, none after a full partition, and it commits
// one record of a partition, since nobody polled meanwhile (EB-17).
func (f facts) batches() Anomaly {
	for _, op := range f.history.Ops {
		if !op.isBatch() || op.Error != "" {
			continue
		}
		last := map[int64]Op{} // by partition
		for _, one := range op.singles() {
			p := deliveryOf(named(f.history.System, one)).partition
			if before, there := last[p]; there && !follows(before, one) {
				return anomaly(HalfDone, "%s: in partition %d something came between %s and %s", op, p, before, one)
			}
			if one.Value != false {
				last[p] = one
			}
		}
	}
	return f.betweenBatches()
}

// follows reports whether an element can come right after one in the same
// partition.
func follows(before, one Op) bool {
	earlier, published := before.Value.(int64)
	later, _ := one.Value.(int64)
	switch {
	case !published:
		return one.Value == false
	case earlier < 0:
		return later < 0
	}
	return later < 0 || later == earlier+1
}

// betweenBatches: who has seen one record of a batch is not followed by a publish
// that gets an offset before another one of it (EB-17).
func (f facts) betweenBatches() Anomaly {
	for _, op := range f.history.Ops {
		if op.Call.Op != "publish_many" || op.Error != "" {
			continue
		}
		after, before := f.around(op)
		for _, a := range after {
			for _, b := range before {
				if a.To < b.From {
					return anomaly(HalfDone, "%s: it was done when %s had returned, and not yet when %s began", op, a.Op, b.Op)
				}
			}
		}
	}
	return Anomaly{}
}

// around are the facts that come after a batch of messages, and those that come
// before it, in any of its partitions.
func (f facts) around(op Op) (after, before []fact) {
	for _, one := range op.singles() {
		p := deliveryOf(named(f.history.System, one)).partition
		offset, _ := one.Value.(int64)
		if offset < 0 {
			continue
		}
		for _, other := range f.published[p] {
			switch {
			case other.same(op):
			case other.offset > offset:
				after = append(after, other)
			case other.offset < offset:
				before = append(before, other)
			}
		}
		for d, polls := range f.polled {
			if d.partition == p && d.offset >= offset {
				after = append(after, polls...)
			}
		}
	}
	return after, before
}
