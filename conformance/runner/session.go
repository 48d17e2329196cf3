package runner

import (
	"context"
	"errors"
	"time"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/history"
)

// Patience is how many time-outs in a row end a surface's run: to wait for each
// of hundreds of cases would tell nothing new.
const Patience = 3

// A Session judges one case after the other on one surface. It belongs to one
// goroutine; Close it.
type Session struct {
	Report Report // what is known of the surface; the outcomes are for the caller to keep

	surface  Surface
	adapter  Adapter // nil when none is running
	asked    int64   // requests so far, of which the last has this id
	timeouts int     // in a row

	script func(*corpus.Case, int) history.Script // as in Options
}

// Open starts the adapter at once, so that one that cannot be started is noticed
// whatever the cases.
func Open(ctx context.Context, s Surface) *Session {
	session := &Session{surface: s, Report: Report{Surface: s.Name}}
	session.start(ctx)
	return session
}

// Over reports whether nothing more can be judged.
func (s *Session) Over() bool { return s.Report.Broken != nil || s.Report.GaveUp }

// start starts an adapter. What goes wrong then is the surface's fault and no
// case's.
func (s *Session) start(ctx context.Context) {
	a, err := s.surface.Start(ctx)
	if err != nil {
		s.Report.Broken = err
		if broke := (*adapter.Break)(nil); errors.As(err, &broke) {
			s.Report.Stderr = broke.Stderr
		}
		return
	}
	s.adapter = a
	s.Report.Hello = a.Hello()
	if err := s.surface.check(a.Hello()); err != nil {
		s.broke(err)
	}
}

// Close ends the adapter, unless it is gone.
func (s *Session) Close(ctx context.Context) {
	if s.adapter == nil {
		return
	}
	if err := s.adapter.Close(ctx); err != nil && s.Report.Broken == nil {
		s.broke(err)
	}
}

// broke notes why nothing more can be judged on the surface.
func (s *Session) broke(err error) {
	s.Report.Broken = err
	s.Report.Stderr = s.adapter.Stderr()
}

// Judge has a case carried out, or leaves it incomplete.
func (s *Session) Judge(ctx context.Context, c *corpus.Case) Outcome {
	o := Outcome{Case: c, Verdict: Incomplete, Detail: notReached}
	if missing := lacks(s.Report.Hello, c); missing != "" {
		o.Verdict, o.Detail = NotApplicable, "needs "+missing
		return o
	}
	if s.adapter == nil {
		s.start(ctx)
	}
	if s.Report.Broken == nil {
		began := time.Now()
		s.carryOut(ctx, &o)
		o.Took = time.Since(began)
	}
	return o
}

func (s *Session) carryOut(ctx context.Context, o *Outcome) {
	if isConcurrent(o.Case) {
		s.judgeHistories(ctx, o)
	} else {
		s.judgeSteps(ctx, o)
	}
}

// isConcurrent also holds of a case whose threads come from [Options].
func isConcurrent(c *corpus.Case) bool { return len(c.Threads)+len(c.Check) > 0 }

// judgeSteps judges a sequential case.
func (s *Session) judgeSteps(ctx context.Context, o *Outcome) {
	s.asked++
	response, err := s.adapter.Do(ctx, request(s.asked, o.Case))
	if err != nil {
		s.lost(o, err)
		return
	}
	s.timeouts = 0
	o.Verdict, o.Detail = Pass, ""
	if o.Divergence = Judge(o.Case, response, s.surface.errors(s.Report.Hello)); o.Divergence != nil {
		o.Verdict, o.Stderr = Fail, s.adapter.Stderr()
	}
}

// lost says what the loss of the adapter means. The next case gets a new one.
func (s *Session) lost(o *Outcome, err error) {
	var crash *adapter.Crash
	var timeout *adapter.Timeout
	switch {
	case errors.As(err, &crash):
		o.Verdict, s.timeouts = Crash, 0
	case errors.As(err, &timeout):
		o.Verdict = Timeout
		s.timeouts++
		s.Report.GaveUp = s.timeouts == Patience
	default:
		o.Detail = "the adapter broke the protocol"
		s.broke(err)
		return
	}
	o.Detail, o.Stderr = err.Error(), s.adapter.Stderr()
	s.adapter = nil
}
