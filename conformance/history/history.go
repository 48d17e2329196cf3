// Package history judges what threads did to a broker at once: whether some
// order of their calls, in which none comes before one that had returned when
// it began, is answered by the reference model in the same way (EB-15, MB-11).
//
// [Generate] makes scripts, [Script.Request] asks an adapter for one and
// [Script.History] reads what became of it, [Judge] judges, and [Encode] and
// [Decode] keep a history as JSON.
package history

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// Bounds of a history: a judge has to try the orders of its calls.
const (
	MaxThreads = 8
	MaxCalls   = 200 // of all threads
)

// Systems are those whose histories can be judged. A protocol keeps nothing from
// one call to the next, and what handlers do falls between the calls.
var Systems = []string{"event", "message"}

// A Script is what is done to one broker.
type Script struct {
	System  string
	New     []any
	Options map[string]any
	Before  []corpus.Call   // made in turn
	Threads [][]corpus.Call // then made at once
}

// A History is what became of a script. The calls of a thread stand in their
// order.
type History struct {
	System  string
	New     []any
	Options map[string]any
	Ops     []Op
}

// An Op is one call and what came of it.
type Op struct {
	Thread   int // from 1; 0 is what was done before the threads began
	Call     corpus.Call
	From, To int64  // when it was made and returned, in nanoseconds
	Value    any    // of package wire
	Error    string // the kind, or the native name of one that has none; "" where it returned
}

// ErrUntimed is that of a script that did not come to a history.
var ErrUntimed = errors.New("its adapter does not say when calls were made: it has to record them, or to declare that it is serial")

// Request asks for the script. A surface that makes calls one after the other
// is asked to do just that.
func (s Script) Request(id int64, serial bool) adapter.Request {
	arguments := slices.Clone(s.New)
	if s.Options != nil {
		arguments = append(arguments, s.Options)
	}
	r := adapter.Request{ID: id, System: s.System, New: arguments, Threads: s.Threads}
	if serial {
		r.Threads = s.lists()
	} else {
		r.Record, r.Before = true, s.Before
	}
	return r
}

// Single is the script for a surface without batches: in the place of each stands
// the call of its first element.
func (s Script) Single() Script {
	s.Threads = slices.Clone(s.Threads)
	for i, calls := range s.Threads {
		s.Threads[i] = slices.Clone(calls)
		for j, call := range calls {
			if single[call.Op] != "" {
				s.Threads[i][j] = singleCalls(call)[0]
			}
		}
	}
	return s
}

func (s Script) lists() [][]corpus.Call { return append([][]corpus.Call{s.Before}, s.Threads...) }

// History reads the answer to a Request, in which there are results. The map
// gives kind of error => the surface's native type. The error is [ErrUntimed].
func (s Script) History(r adapter.Response, serial bool, natives map[string]string) (History, error) {
	h := History{System: s.System, New: s.New, Options: s.Options}
	results := r.Results
	if !serial && len(s.Before) == 0 { // then the request has none either
		results = append([][]adapter.Result{nil}, results...)
	}
	for thread, calls := range s.lists() {
		for i, call := range calls {
			op := Op{Thread: thread, Call: call}
			op.take(results[thread][i], natives)
			if at := results[thread][i].At; at != nil {
				op.From, op.To = at.Call, at.Return
			} else if thread > 0 && !serial {
				return h, ErrUntimed
			}
			h.Ops = append(h.Ops, op)
		}
	}
	h.order(serial, len(s.Before))
	return h, nil
}

// take notes what came of a call.
func (o *Op) take(r adapter.Result, natives map[string]string) {
	o.Value = r.Value
	switch o.Error = r.Error; {
	case r.Error != "" && r.Error == natives[surface.InvalidArgument]:
		o.Error = surface.InvalidArgument
	case r.Error == "":
		if odd, ok := r.Value.(adapter.Unreadable); ok {
			o.Value, o.Error = nil, "a value that no call returns: "+string(odd)
		}
	}
}

// order gives times to the calls that were made in turn: those before the
// threads, or all of them.
func (h *History) order(serial bool, before int) {
	if serial {
		for i := range h.Ops {
			h.Ops[i].From, h.Ops[i].To = 2*int64(i), 2*int64(i)+1
		}
		return
	}
	first := int64(0)
	for i, op := range h.Ops[before:] {
		if i == 0 || op.From < first {
			first = op.From
		}
	}
	for i := range before {
		at := first - 2*int64(before-i)
		h.Ops[i].From, h.Ops[i].To = at, at+1
	}
}

// String is the call and what came of it on one line.
func (o Op) String() string {
	var b strings.Builder
	b.WriteString(o.Call.Op)
	for _, v := range o.Call.Args {
		b.WriteString(" " + wire.Format(v))
	}
	return b.String() + " → " + o.outcome()
}

func (o Op) outcome() string {
	if o.Error != "" {
		return o.Error
	}
	return wire.Format(o.Value)
}

// topic is what the call is about: no two topics have to do with each other.
func (o Op) topic() string {
	if len(o.Call.Args) == 0 {
		return ""
	}
	return wire.Format(o.Call.Args[0])
}

// begin makes the broker of the model.
func (h History) begin() (model.Branching, error) {
	m, err := model.New(h.System, h.New, h.Options)
	if err != nil {
		return nil, err
	}
	branching, ok := m.(model.Branching)
	if !ok {
		return nil, fmt.Errorf("there are no histories of the system %q", h.System)
	}
	return branching, nil
}
