package history

import (
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// explain says of an illegal part, in which the scan saw nothing, what its last
// call should have come to.
func (h History) explain(prefix, pending []Op, limit time.Duration) Anomaly {
	if words := h.torn(prefix, pending, limit); words.Name != "" {
		return words
	}
	last := prefix[len(prefix)-1]
	m, want, err := h.due(prefix, pending, limit)
	if m == nil {
		return anomaly(NoOrder, "that all calls would come to what they did, up to %s", last)
	}
	due := Op{Value: want}
	if err != nil {
		due.Error = kind(err)
	}
	a := anomaly(nameOf(last, due), "%s, where in an order that explains the calls before it %s was due", last, due.outcome())
	a.State = m.String()
	return a
}

// due gives what the last call should have come to, and the state before it, in
// one of the orders that explain the others; no state where none was found.
func (h History) due(prefix, pending []Op, limit time.Duration) (state model.Branching, value any, err error) {
	n := len(prefix) - 1
	list := operations(prefix[:n], append([]Op{prefix[n]}, pending...))
	result, info := porcupine.CheckOperationsVerbose(h.porcupine(answers), list, limit)
	if result != porcupine.Ok {
		return nil, nil, nil
	}
	m, _ := h.begin()
	for _, o := range info.PartialLinearizationsOperations()[0][0] {
		before := m.Copy()
		op := o.Input.(input).op
		value, err = m.Call(op.Call.Op, op.Call.Args)
		if op.same(prefix[n]) {
			return before, value, err
		}
	}
	return nil, nil, nil
}

// same reports whether two are the same call: a thread makes one at a time.
func (o Op) same(other Op) bool {
	return o.Thread == other.Thread && o.From == other.From && o.To == other.To
}

// nameOf names the anomaly of a call that came to another thing than was due.
func nameOf(got, due Op) string {
	if got.Error != "" || due.Error != "" {
		return NoOrder
	}
	switch got.Call.Op {
	case "publish_many", "ack_many":
		return nameOfBatch(got, due)
	case "publish":
		return nameOfPublish(got.Value, due.Value)
	case "poll":
		return nameOfPoll(got.Value, due.Value)
	case "join":
		return nameOfJoin(got.Value, due.Value)
	case "ack", "retry", "nack":
		if got.Value == true {
			return NotInFlight
		}
		return Lost
	}
	return NoOrder
}

// nameOfBatch is the name of the first element that came to something else.
func nameOfBatch(got, due Op) string {
	due.Call = got.Call
	wanted := due.singles()
	for i, one := range got.singles() {
		if i < len(wanted) && one.Value != wanted[i].Value {
			return nameOf(one, wanted[i])
		}
	}
	return NoOrder
}

func nameOfPublish(got, due any) string {
	g, ok := got.(int64)
	d, too := due.(int64)
	switch {
	case !ok || !too:
		return NoOrder
	case g == model.Full:
		return CapacityFreedLate
	case d == model.Full:
		return CapacityExceeded
	case g < d:
		return OffsetReused
	}
	return OffsetSkipped
}

// nameOfPoll: a record that nobody was due is with two; one that is missing is
// with nobody.
func nameOfPoll(got, due any) string {
	if len(beyond(got, due)) > 0 {
		return DeliveredTwice
	}
	if len(beyond(due, got)) > 0 {
		return Lost
	}
	return NoOrder
}

func nameOfJoin(got, due any) string {
	g, _ := got.([]any)
	d, _ := due.([]any)
	switch {
	case len(without(g, d)) > 0:
		return TwoOwners
	case len(without(d, g)) > 0:
		return NoOwner
	}
	return NoOrder
}

// beyond gives the records that are in the one result and not in the other.
func beyond(a, b any) []any { return without(list(a), list(b)) }

func list(v any) []any {
	var all []any
	for _, fields := range results(v) {
		all = append(all, fields)
	}
	return all
}

func without(a, b []any) []any {
	return slices.DeleteFunc(slices.Clone(a), func(v any) bool {
		return slices.ContainsFunc(b, func(other any) bool { return wire.Equal(v, other) })
	})
}
