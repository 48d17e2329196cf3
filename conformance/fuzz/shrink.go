package fuzz

import (
	"context"
	"slices"
	"time"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/runner"
)

// A shrinker makes a failing case smaller. Each smaller one is told again by the
// model and carried out again; it counts when it fails with the same verdict.
type shrinker struct {
	judge    func(corpus.Case) runner.Outcome
	features []string // of the surface
	verdict  runner.Verdict
	over     func() bool // no time is left
	best     runner.Outcome
}

// Shrink gives the smallest case that it finds in that time, and false where not
// even the whole trace fails once more.
func Shrink(ctx context.Context, session *runner.Session, t Trace, failed runner.Outcome, within time.Duration) (runner.Outcome, bool) {
	until := time.Now().Add(within)
	s := &shrinker{
		judge:    func(c corpus.Case) runner.Outcome { return session.Judge(ctx, &c) },
		features: session.Report.Hello.Features,
		verdict:  failed.Verdict,
		over: func() bool {
			return ctx.Err() != nil || session.Report.Broken != nil || time.Now().After(until)
		},
	}
	return s.shrink(t)
}

func (s *shrinker) shrink(t Trace) (runner.Outcome, bool) {
	if !s.try(t.Case(nil)) {
		return s.best, false
	}
	s.redraw(t)
	for {
		before := s.size()
		s.cutSteps()
		s.leap()
		s.simplify()
		for s.cutPair() {
			s.cutSteps()
		}
		if s.size() == before || s.over() {
			return s.best, true
		}
	}
}

// size falls with every simplification that counts.
func (s *shrinker) size() int { return sizeOf(s.best.Case) }

// try has a case carried out, unless time is up, and keeps it where it fails.
func (s *shrinker) try(c corpus.Case) bool {
	c, is := Retell(c, s.features)
	if !is || s.over() {
		return false
	}
	o := s.judge(c)
	if o.Verdict != s.verdict {
		return false
	}
	s.best = o
	return true
}

// redraw takes steps out of the trace, so that those behind them are drawn anew
// from the state that they meet then: an acknowledgement finds the delivery that
// has another offset now.
func (s *shrinker) redraw(t Trace) {
	t.Steps = t.Steps[:s.needed(len(t.Steps))]
	t.Steps = cutList(t.Steps, func(steps []uint64) bool {
		return s.try(Trace{t.System, t.New, steps}.Case(nil))
	})
}

// needed is how many of n steps there must be: those through the first that
// diverged, where one did.
func (s *shrinker) needed(n int) int {
	if d := s.best.Divergence; d != nil && len(s.best.Case.Steps) == n {
		return d.Step + 1
	}
	return n
}

// leap tries other constructors, which are no simpler by themselves: where a
// single try is the limit, fewer steps may do.
func (s *shrinker) leap() {
	for _, c := range otherConstructors(*s.best.Case) {
		before := s.best
		if s.try(c) {
			s.cutSteps()
		}
		if s.size() >= sizeOf(before.Case) {
			s.best = before
		}
	}
}

// cutSteps takes steps out as they are.
func (s *shrinker) cutSteps() {
	c := *s.best.Case
	c.Steps = c.Steps[:s.needed(len(c.Steps))]
	s.try(c)
	cutList(s.best.Case.Steps, func(steps []corpus.Step) bool {
		c := *s.best.Case
		c.Steps = steps
		return s.try(c)
	})
}

// fewSteps are so few that every two of them may be tried.
const fewSteps = 24

// cutPair takes out two steps that need each other and nobody else needs: a
// message published and the one taken before it.
func (s *shrinker) cutPair() bool {
	steps := s.best.Case.Steps
	if len(steps) > fewSteps {
		return false
	}
	for j := range steps {
		for i := range j {
			c := *s.best.Case
			c.Steps = slices.Concat(steps[:i], steps[i+1:j], steps[j+1:])
			if s.try(c) {
				return true
			}
		}
	}
	return false
}

// cutList is delta debugging: it takes out runs of elements, half of them first
// and single ones last, the later before the earlier, for as long as what is
// left still fails.
func cutList[E any](list []E, fails func([]E) bool) []E {
	for run := (len(list) + 1) / 2; run > 0; {
		cut := false
		for end := len(list); end > 0; end -= run {
			start := max(0, end-run)
			shorter := slices.Concat(list[:start], list[end:])
			if fails(shorter) {
				list, cut = shorter, true
			}
		}
		if run == 1 && cut {
			continue
		}
		run /= 2
	}
	return list
}
