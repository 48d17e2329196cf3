package runner

import (
	"time"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/corpus"
)

// A Verdict is what is known of one case on one surface.
type Verdict string

// Verdicts. The first four are judgements.
const (
	Pass          Verdict = "pass"
	Fail          Verdict = "fail"
	Crash         Verdict = "crash"
	Timeout       Verdict = "timeout"
	NotApplicable Verdict = "not applicable" // the surface cannot say what the case needs
	Incomplete    Verdict = "incomplete"     // it could not be judged
)

// Failed reports whether something is wrong with the surface.
func (v Verdict) Failed() bool { return v == Fail || v == Crash || v == Timeout }

// Judged reports whether anything was found out about the surface.
func (v Verdict) Judged() bool { return v == Pass || v.Failed() }

// An Outcome is what became of one case on one surface.
type Outcome struct {
	Case       *corpus.Case
	Verdict    Verdict
	Divergence *Divergence // of a fail
	Detail     string      // why, in words, for all but pass and fail
	Stderr     string      // the end of the adapter's standard error, where it failed
	Took       time.Duration
	Known      *Known // the entry of the known-failing list, right or not

	Histories *Tally   // of a concurrent case that was judged
	Illegal   *Illegal // the history over which it failed
}

// Red reports whether the outcome is a failure that nobody has listed.
func (o Outcome) Red() bool { return o.Verdict.Failed() && o.Known == nil }

// A Report is what became of all cases on one surface.
type Report struct {
	Surface  string
	Hello    adapter.Hello
	Outcomes []Outcome // in the order of the cases
	Broken   error     // why the adapter could not be started or spoken to
	Stderr   string    // the end of its standard error, where Broken
	GaveUp   bool      // after Patience time-outs in a row
}

// Count counts the outcomes that are so.
func (r Report) Count(so func(Outcome) bool) int {
	n := 0
	for _, o := range r.Outcomes {
		if so(o) {
			n++
		}
	}
	return n
}
