// Package runner has every case carried out on every surface and judges what
// came of it.
package runner

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/corpus"
)

// An Adapter carries out cases on one implementation. The errors of its methods
// are those of package adapter: an [adapter.Crash] and an [adapter.Timeout] are
// the case's verdict and are followed by a start of another adapter; any other
// ends the surface.
type Adapter interface {
	Hello() adapter.Hello
	Do(context.Context, adapter.Request) (adapter.Response, error)
	Close(context.Context) error
	Stderr() string
}

// Options of a run. The zero value runs the cases in their order.
type Options struct {
	Shuffle bool
	Seed    uint64
}

// Run judges all cases on all surfaces, which run beside each other. The
// reports stand in the order of the surfaces, and their outcomes in the order
// of the cases, whatever the order of the run.
func Run(ctx context.Context, surfaces []Surface, cases []corpus.Case, o Options) []Report {
	order := order(len(cases), o)
	reports := make([]Report, len(surfaces))
	var wg sync.WaitGroup
	for i, s := range surfaces {
		wg.Go(func() { reports[i] = judgeAll(ctx, s, cases, order) })
	}
	wg.Wait()
	return reports
}

func order(n int, o Options) []int {
	if o.Shuffle {
		return rand.New(rand.NewPCG(o.Seed, 0)).Perm(n)
	}
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// notReached is what is known of a case before its turn.
const notReached = "not reached"

func judgeAll(ctx context.Context, s Surface, cases []corpus.Case, order []int) Report {
	session := Open(ctx, s)
	outcomes := make([]Outcome, len(cases))
	for i := range cases {
		outcomes[i] = Outcome{Case: &cases[i], Verdict: Incomplete, Detail: notReached}
	}
	for _, n := range order {
		if session.Over() {
			break
		}
		outcomes[n] = session.Judge(ctx, &cases[n])
	}
	session.Close(ctx)
	session.Report.Outcomes = outcomes
	return session.Report
}

func request(id int64, c *corpus.Case) adapter.Request {
	arguments := slices.Clone(c.New)
	if c.Options != nil {
		arguments = append(arguments, c.Options)
	}
	r := adapter.Request{ID: id, System: c.System, New: arguments}
	if c.NewRaises == "" {
		calls := make([]corpus.Call, len(c.Steps))
		for i, step := range c.Steps {
			calls[i] = step.Call
		}
		r.Threads = [][]corpus.Call{calls}
	}
	return r
}
