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
}

func (r Request) encode() ([]byte, error) {
	threads := make([]any, len(r.Threads))
	for i, calls := range r.Threads {
		list := make([]any, len(calls))
		for j, c := range calls {
			list[j] = append([]any{c.Op}, c.Args...)
		}
		threads[i] = list
	}
	arguments := r.New
	if arguments == nil {
		arguments = []any{} // a nil slice is a list too, but null is not
	}
	return wire.Encode(map[string]any{"id": r.ID, "system": r.System, "new": arguments, "threads": threads})
}
