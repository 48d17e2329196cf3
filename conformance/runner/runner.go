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
	"github.com/eventbroker/eventbroker/conformance/history"
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
	Shuffle      bool
	Seed         uint64
	FirstFailure bool // a surface's run ends with the first case that fails, crashes or times out

	// Script gives the script of a concurrent case, round by round; nil has the
	// case's own each time.
	Script func(c *corpus.Case, round int) history.Script
}

// Run judges all cases on all surfaces, which run beside each other. The
// reports stand in the order of the surfaces, and their outcomes in the order
// of the cases, whatever the order of the run.
func Run(ctx context.Context, surfaces []Surface, cases []corpus.Case, o Options) []Report {
	order := order(len(cases), o)
	reports := make([]Report, len(surfaces))
	var wg sync.WaitGroup
	for i, s := range surfaces {
		wg.Go(func() { reports[i] = judgeAll(ctx, s, cases, order, o) })
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

// judgeAll judges the concurrent cases after the others, with an adapter of their
// own: what is there for them alone must not be there for the others.
func judgeAll(ctx context.Context, s Surface, cases []corpus.Case, order []int, o Options) Report {
	outcomes := make([]Outcome, len(cases))
	for i := range cases {
		outcomes[i] = Outcome{Case: &cases[i], Verdict: Incomplete, Detail: notReached}
	}
	sequential, concurrent := split(cases, order)
	var session *Session
	more := true
	if len(sequential) > 0 || len(concurrent) == 0 {
		session = Open(ctx, s)
		more = session.all(ctx, outcomes, sequential, o.FirstFailure)
	}
	if len(concurrent) > 0 && more {
		session = Open(ctx, s.recorder())
		session.script = o.Script
		session.all(ctx, outcomes, concurrent, o.FirstFailure)
	}
	session.Report.Outcomes = outcomes
	return session.Report
}

func split(cases []corpus.Case, order []int) (sequential, concurrent []int) {
	for _, n := range order {
		if isConcurrent(&cases[n]) {
			concurrent = append(concurrent, n)
		} else {
			sequential = append(sequential, n)
		}
	}
	return sequential, concurrent
}

// all judges some of the cases and closes the session. It reports whether to go
// on with others.
func (s *Session) all(ctx context.Context, outcomes []Outcome, order []int, firstFailure bool) bool {
	failed := false
	for _, n := range order {
		if s.Over() || failed && firstFailure {
			break
		}
		outcomes[n] = s.Judge(ctx, outcomes[n].Case)
		failed = failed || outcomes[n].Verdict.Failed()
	}
	s.Close(ctx)
	return !s.Over() && (!failed || !firstFailure)
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
