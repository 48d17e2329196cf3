package runner

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/history"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// searchLimit is ample, also where a tenth of a processor is left: a search takes
// about ten milliseconds.
var searchLimit = time.Minute // a test takes less

// A Tally is what the histories of a concurrent case came to together.
type Tally struct {
	Histories int
	Calls     int // of the threads
	Overlap   int // those that began while another was under way
	Serial    bool

	unknown   int
	uncounted bool // the adapter does not say how many calls overlapped
}

// Share is the part of the calls that overlapped, in percent.
func (t Tally) Share() float64 { return 100 * float64(t.Overlap) / float64(max(1, t.Calls)) }

// An Illegal is a history that no order of its calls explains.
type Illegal struct {
	Round     int // from 0
	History   history.History
	Judgement history.Judgement
}

// ScriptOf is a concurrent case as a script.
func ScriptOf(c *corpus.Case) history.Script {
	s := history.Script{System: c.System, New: c.New, Options: c.Options, Threads: c.Threads}
	for _, step := range c.Before {
		s.Before = append(s.Before, step.Call)
	}
	return s
}

// judgeHistories has the threads of a case run as often as it says, each time
// with a new broker, and stops at the first history that is wrong, or after
// [Patience] that took too long to judge: to wait for a thousand would take hours.
// Where the threads hardly met, which is the machine's doing as well, it goes on
// until as many calls did as are asked for, or until [Persistence] is at its end.
func (s *Session) judgeHistories(ctx context.Context, o *Outcome) {
	o.Histories = &Tally{Serial: s.Report.Hello.Serial}
	if !slices.Contains(history.Systems, o.Case.System) {
		o.Detail = "histories of " + o.Case.System + " are not judged"
		return
	}
	for round := 0; round < o.Case.Rounds || round < Persistence*o.Case.Rounds && o.Histories.apart(o.Case.Rounds); round++ {
		if !s.judgeRound(ctx, o, round) {
			return
		}
		if o.Histories.unknown == Patience {
			break
		}
	}
	o.Verdict, o.Detail = o.Histories.verdict(o.Case.Rounds)
}

// judgeRound has one history made and judged, and reports whether to go on.
func (s *Session) judgeRound(ctx context.Context, o *Outcome, round int) bool {
	script := ScriptOf(o.Case)
	if s.script != nil {
		script = s.script(o.Case, round)
	}
	if !slices.Contains(s.Report.Hello.Features, surface.Batch) {
		script = script.Single()
	}
	s.asked++
	response, err := s.adapter.Do(ctx, script.Request(s.asked, o.Histories.Serial))
	if err != nil {
		s.lost(o, err)
		o.Detail += fmt.Sprintf(", in history %d", round+1)
		return false
	}
	s.timeouts = 0
	if response.New != nil {
		o.Verdict, o.Detail = Fail, fmt.Sprintf("the constructor failed with %s: %s", response.New.Error, response.New.Message)
		return false
	}
	h, err := script.History(response, o.Histories.Serial, s.surface.errors(s.Report.Hello))
	if err != nil {
		o.Detail = err.Error()
		return false
	}
	s.judgeHistory(o, round, h, response.Overlap)
	return o.Verdict != Fail
}

// judgeHistory judges one and counts it.
func (s *Session) judgeHistory(o *Outcome, round int, h history.History, overlap *int64) {
	if o.Detail = preparation(o.Case, h); o.Detail != "" {
		o.Verdict, o.Stderr = Fail, s.adapter.Stderr()
		return
	}
	judgement, err := history.Judge(h, searchLimit)
	if err != nil {
		o.Verdict, o.Detail = Fail, "a constructor that the reference model refuses: "+err.Error()
		return
	}
	o.Histories.add(h, judgement, overlap)
	if judgement.Verdict == history.Illegal {
		o.Verdict, o.Stderr = Fail, s.adapter.Stderr()
		o.Detail = fmt.Sprintf("%s: %s, in history %d", judgement.Anomaly.Name, judgement.Anomaly.Words, round+1)
		o.Illegal = &Illegal{round, h, judgement}
	}
}

// preparation compares what was done before the threads with what the case
// says, and gives the difference.
func preparation(c *corpus.Case, h history.History) string {
	for i, step := range c.Before {
		if op := h.Ops[i]; op.Error != step.Raises || op.Error == "" && !wire.Equal(step.Returns, op.Value) {
			return fmt.Sprintf("before the threads, step %d: %s, where %s is due", i+1, op, expected(step))
		}
	}
	return ""
}

func expected(s corpus.Step) string {
	if s.Raises != "" {
		return s.Raises
	}
	return wire.Format(s.Returns)
}

func (t *Tally) add(h history.History, j history.Judgement, overlap *int64) {
	calls := 0
	for _, op := range h.Ops {
		if op.Thread > 0 {
			calls++
		}
	}
	t.Histories++
	t.Calls += calls
	if j.Verdict == history.Unknown {
		t.unknown++
	}
	if overlap == nil {
		t.uncounted = true
		return
	}
	t.Overlap += int(min(*overlap, int64(calls))) // a call of an adapter may be several of its library's
}

// LeastOverlap is the part of the calls that a case makes in its rounds, in
// percent, below which there was too little at once to find anything out.
const LeastOverlap = 1.0

// Persistence is how many times its rounds a case is given to come to that.
const Persistence = 10

// apart reports whether too few calls overlapped, of those in that many rounds.
// Only a surface that can have some is asked.
func (t Tally) apart(rounds int) bool {
	due := LeastOverlap / 100 * float64(t.Calls) * float64(rounds) / float64(max(1, t.Histories))
	return !t.Serial && !t.uncounted && float64(t.Overlap) < due
}

// verdict is that on histories none of which was wrong.
func (t Tally) verdict(rounds int) (Verdict, string) {
	switch {
	case t.unknown > 0:
		return Incomplete, fmt.Sprintf("%d of %d histories took longer than %v to judge", t.unknown, t.Histories, searchLimit)
	case t.Serial:
		return Pass, ""
	case t.uncounted:
		return Incomplete, "the adapter does not count the calls that overlap"
	case t.apart(rounds):
		return Incomplete, fmt.Sprintf("only %d of %d calls overlapped, less than %g %% of those in %d histories",
			t.Overlap, t.Calls, LeastOverlap, rounds)
	}
	return Pass, ""
}
