// Package runner has every case carried out on every surface and judges what
// came of it.
package runner

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

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
		wg.Go(func() {
			r := run{surface: s, report: &reports[i]}
			r.all(ctx, cases, order)
		})
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

// Patience is how many time-outs in a row end a surface's run: to wait for each
// of hundreds of cases would tell nothing new.
const Patience = 3

// A run is the state of one surface's run.
type run struct {
	surface  Surface
	report   *Report
	adapter  Adapter // nil when none is running
	timeouts int     // in a row
}

func (r *run) all(ctx context.Context, cases []corpus.Case, order []int) {
	r.report.Surface = r.surface.Name
	r.report.Outcomes = make([]Outcome, len(cases))
	for i := range cases {
		r.report.Outcomes[i] = Outcome{Case: &cases[i], Verdict: Incomplete, Detail: "not reached"}
	}
	r.start(ctx) // at once, so that an adapter that cannot be started is noticed whatever the cases
	for i, n := range order {
		if r.report.Broken != nil || r.report.GaveUp {
			break
		}
		r.judge(ctx, int64(i+1), &r.report.Outcomes[n])
	}
	r.close(ctx)
}

// start starts an adapter. What goes wrong then is the surface's fault and no
// case's.
func (r *run) start(ctx context.Context) {
	a, err := r.surface.Start(ctx)
	if err != nil {
		r.report.Broken = err
		if broke := (*adapter.Break)(nil); errors.As(err, &broke) {
			r.report.Stderr = broke.Stderr
		}
		return
	}
	r.adapter = a
	r.report.Hello = a.Hello()
	if err := r.surface.check(a.Hello()); err != nil {
		r.broke(err)
	}
}

func (r *run) close(ctx context.Context) {
	if r.adapter == nil {
		return
	}
	if err := r.adapter.Close(ctx); err != nil && r.report.Broken == nil {
		r.broke(err)
	}
}

// broke notes why nothing more can be judged on the surface.
func (r *run) broke(err error) {
	r.report.Broken = err
	r.report.Stderr = r.adapter.Stderr()
}

// judge judges one case, or leaves it incomplete.
func (r *run) judge(ctx context.Context, id int64, o *Outcome) {
	if missing := lacks(r.report.Hello, o.Case); missing != "" {
		o.Verdict, o.Detail = NotApplicable, "needs "+missing
		return
	}
	if len(o.Case.Threads) > 0 {
		o.Detail = "there is no checker of concurrent histories yet"
		return
	}
	if r.adapter == nil {
		r.start(ctx)
	}
	if r.report.Broken != nil {
		return
	}
	began := time.Now()
	response, err := r.adapter.Do(ctx, request(id, o.Case))
	o.Took = time.Since(began)
	if err != nil {
		r.lost(o, err)
		return
	}
	r.timeouts = 0
	o.Verdict, o.Detail = Pass, ""
	if o.Divergence = Judge(o.Case, response, r.surface.errors(r.report.Hello)); o.Divergence != nil {
		o.Verdict, o.Stderr = Fail, r.adapter.Stderr()
	}
}

// lost says what the loss of the adapter means. The next case gets a new one.
func (r *run) lost(o *Outcome, err error) {
	var crash *adapter.Crash
	var timeout *adapter.Timeout
	switch {
	case errors.As(err, &crash):
		o.Verdict, r.timeouts = Crash, 0
	case errors.As(err, &timeout):
		o.Verdict = Timeout
		r.timeouts++
		r.report.GaveUp = r.timeouts == Patience
	default:
		o.Detail = "the adapter broke the protocol"
		r.broke(err)
		return
	}
	o.Detail, o.Stderr = err.Error(), r.adapter.Stderr()
	r.adapter = nil
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
