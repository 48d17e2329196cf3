package adapter

import (
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// A Request asks for one case: a broker of its own, and the calls on it, a list
// a thread.
type Request struct {
	ID      int64
	System  string
	New     []any // arguments of the constructor, values of package wire
	Threads [][]corpus.Call

	// Record has the threads run at once, each call with its times, after the
	// calls of Before, whose results come in front of the threads'.
	Record bool
	Before []corpus.Call
}

func (r Request) encode() ([]byte, error) {
	threads := make([]any, len(r.Threads))
	for i, calls := range r.Threads {
		threads[i] = callsValue(calls)
	}
	arguments := r.New
	if arguments == nil {
		arguments = []any{} // a nil slice is a list too, but null is not
	}
	request := map[string]any{"id": r.ID, "system": r.System, "new": arguments, "threads": threads}
	if r.Record {
		request["record"] = true
	}
	if r.prepares() {
		request["before"] = callsValue(r.Before)
	}
	return wire.Encode(request)
}

func callsValue(calls []corpus.Call) []any {
	list := make([]any, len(calls))
	for i, c := range calls {
		list[i] = append([]any{c.Op}, c.Args...)
	}
	return list
}

// lists are the lists of calls in the order of their results.
func (r Request) lists() [][]corpus.Call {
	if r.prepares() {
		return append([][]corpus.Call{r.Before}, r.Threads...)
	}
	return r.Threads
}

// prepares reports whether there are calls before the threads: an adapter that
// knows nothing of such calls can then be judged by the others.
func (r Request) prepares() bool { return r.Record && len(r.Before) > 0 }
