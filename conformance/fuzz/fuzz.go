package fuzz

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/runner"
)

// Options of a run. It is over when either bound is reached.
type Options struct {
	Seed    uint64
	Systems []string
	Steps   int64         // to be drawn, the last trace being a whole one
	For     time.Duration // 0 is no bound
	Shrink  time.Duration // how long each surface's first failure may be made smaller
	// Progress hears of all steps drawn so far, from one goroutine.
	Progress func(steps int64)
}

// A Result is what became of a run.
type Result struct {
	Surfaces      []Surface // in their order
	Traces, Steps int64     // drawn
	Reached       *Reached
}

// A Surface is what became of a run on one surface.
type Surface struct {
	Report        runner.Report // its outcomes are a trace that passed, where one did, and the one that did not
	Traces, Steps int64         // judged; the steps through those of the failing trace
	Busy          time.Duration // that its adapter was waited for
	Failure       *Failure      // nil for none
}

// A Failure is a trace that failed, made as small as it could be.
type Failure struct {
	Trace    Trace
	Number   uint64 // of the trace in its system
	Smallest runner.Outcome
	Again    bool // it failed again, alone and with an adapter of its own
}

// A numbered trace is on its way to the surfaces.
type numbered struct {
	Trace
	number uint64
	drawn  corpus.Case
}

// ahead is how many traces a fast surface may be before a slow one.
const ahead = 64

// Run draws traces and has them carried out on all surfaces, which run beside
// each other. Each stops at its first failure.
func Run(ctx context.Context, surfaces []runner.Surface, o Options) Result {
	r := Result{Surfaces: make([]Surface, len(surfaces)), Reached: NewReached()}
	workers := make([]*worker, len(surfaces))
	var wg sync.WaitGroup
	for i, s := range surfaces {
		w := &worker{surface: s, result: &r.Surfaces[i], traces: make(chan numbered, ahead), done: make(chan struct{})}
		workers[i] = w
		wg.Go(func() { w.work(ctx, o) })
	}
	r.draw(ctx, workers, o)
	wg.Wait()
	return r
}

// draw draws one trace of each system in turn, until a bound is reached or no
// surface takes another.
func (r *Result) draw(ctx context.Context, workers []*worker, o Options) {
	began := time.Now()
	for ctx.Err() == nil && r.Steps < o.Steps && (o.For == 0 || time.Since(began) < o.For) {
		number := uint64(r.Traces) / uint64(len(o.Systems))
		t := NewTrace(o.Seed, o.Systems[int(r.Traces)%len(o.Systems)], number)
		n := numbered{t, number, t.Case(r.Reached)}
		taken := false
		for _, w := range workers {
			taken = w.take(n) || taken
		}
		if !taken {
			break
		}
		r.Traces++
		r.Steps += int64(len(n.drawn.Steps))
		if o.Progress != nil {
			o.Progress(r.Steps)
		}
	}
	for _, w := range workers {
		close(w.traces)
	}
}

// A worker has the traces carried out on one surface.
type worker struct {
	surface runner.Surface
	result  *Surface
	traces  chan numbered
	done    chan struct{} // closed when no more are taken
}

func (w *worker) take(n numbered) bool {
	select {
	case <-w.done:
		return false
	case w.traces <- n:
		return true
	}
}

func (w *worker) work(ctx context.Context, o Options) {
	session := runner.Open(ctx, w.surface)
	failed, outcome := w.judgeAll(ctx, session)
	close(w.done)
	session.Close(ctx)
	outcomes := w.result.Report.Outcomes
	w.result.Report = session.Report
	w.result.Report.Outcomes = outcomes
	if failed != nil {
		w.fail(ctx, *failed, outcome, o)
	}
}

// judgeAll gives the trace that failed, nil for none.
func (w *worker) judgeAll(ctx context.Context, session *runner.Session) (*numbered, runner.Outcome) {
	if session.Over() {
		return nil, runner.Outcome{}
	}
	for n := range w.traces {
		o := w.judge(ctx, session, n)
		if o.Verdict.Failed() {
			return &n, o
		}
		if session.Over() || ctx.Err() != nil {
			break
		}
	}
	return nil, runner.Outcome{}
}

func (w *worker) judge(ctx context.Context, session *runner.Session, n numbered) runner.Outcome {
	c := n.drawn
	if features := session.Report.Hello.Features; !contain(features, c.Needs) {
		c, _ = Retell(c, features)
	}
	if !slices.Contains(session.Report.Hello.Systems, c.System) || !contain(session.Report.Hello.Features, c.Needs) {
		return runner.Outcome{Verdict: runner.NotApplicable}
	}
	o := session.Judge(ctx, &c)
	w.result.Busy += o.Took
	w.result.Traces++
	w.result.Steps += int64(len(c.Steps))
	if o.Verdict != runner.Pass || w.result.Traces == 1 {
		w.result.Report.Outcomes = append(w.result.Report.Outcomes, o)
	}
	return o
}

// fail shrinks the trace with an adapter that has seen nothing else.
func (w *worker) fail(ctx context.Context, n numbered, failed runner.Outcome, o Options) {
	session := runner.Open(ctx, w.surface)
	smallest, again := Shrink(ctx, session, n.Trace, failed, o.Shrink)
	session.Close(ctx)
	if !again {
		smallest = failed
	}
	cutBehind(&smallest)
	name(&smallest, o.Seed)
	w.result.Failure = &Failure{n.Trace, n.number, smallest, again}
}

// cutBehind takes off what comes after the step that diverged, unless no step is
// left then that returns, without which it would be no case.
func cutBehind(o *runner.Outcome) {
	d := o.Divergence
	if d == nil || d.Step == runner.Constructor {
		return
	}
	through := o.Case.Steps[:d.Step+1]
	if slices.ContainsFunc(through, func(s corpus.Step) bool { return s.Raises == "" }) {
		o.Case.Steps = through
		o.Case.Needs = needs(o.Case)
	}
}
