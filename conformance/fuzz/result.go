package fuzz

import (
	"fmt"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/report"
	"github.com/eventbroker/eventbroker/conformance/runner"
)

// A Found is a failure, and the surfaces that came to the same smallest case
// with the same verdict.
type Found struct {
	Failure
	Surfaces []string
}

// Found are the failures, in the order of the surfaces.
func (r Result) Found() (all []Found) {
	index := map[string]int{}
	for _, s := range r.Surfaces {
		if s.Failure == nil {
			continue
		}
		key := string(s.Failure.Smallest.Verdict) + s.Failure.Smallest.Case.ID
		if i, known := index[key]; known {
			all[i].Surfaces = append(all[i].Surfaces, s.Report.Surface)
			continue
		}
		index[key] = len(all)
		all = append(all, Found{*s.Failure, []string{s.Report.Surface}})
	}
	return all
}

// reports are those of the surfaces, as of a run of cases.
func (r Result) reports() (reports []runner.Report) {
	for _, s := range r.Surfaces {
		reports = append(reports, s.Report)
	}
	return reports
}

// Exit is the exit code.
func (r Result) Exit() int { return runner.Exit(r.reports(), nil) }

// Text says what was reached and how fast, why what broke did, and the sum in
// one line.
func (r Result) Text(systems []string) string {
	var b strings.Builder
	b.WriteString(r.Reached.Text(systems))
	fmt.Fprintf(&b, "\n%-12s %10s %12s %10s\n", "surface", "traces", "steps", "steps/s")
	judged, failed := int64(0), 0
	for _, s := range r.Surfaces {
		fmt.Fprintf(&b, "%-12s %10d %12d %10d\n", s.Report.Surface, s.Traces, s.Steps, s.speed())
		judged += s.Steps
		if s.Failure != nil {
			failed++
		}
	}
	b.WriteByte('\n')
	for _, s := range r.Surfaces {
		if s.Report.Broken != nil {
			fmt.Fprintf(&b, "BROKEN adapter of %s: %v\n%s\n", s.Report.Surface, s.Report.Broken, report.Stderr(s.Report.Stderr))
		}
	}
	fmt.Fprintf(&b, "%s: %d traces with %d steps drawn, %d judged on %d of %d surfaces without a failure\n",
		verdicts[r.Exit()], r.Traces, r.Steps, judged, len(r.Surfaces)-failed, len(r.Surfaces))
	return b.String()
}

var verdicts = map[int]string{
	runner.ExitOK: "ok", runner.ExitFailed: "FAILED", runner.ExitBroken: "BROKEN", runner.ExitIncomplete: "INCOMPLETE",
}

// speed is steps a second, of the time that the adapter was waited for.
func (s Surface) speed() int64 {
	if s.Busy == 0 {
		return 0
	}
	return int64(float64(s.Steps) / s.Busy.Seconds())
}
