// Package report shows what became of a run: to people as text, to tools as
// JUnit's XML and as JSON, always in the order of the surfaces and the cases.
package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/runner"
)

// A Run is what there is to report.
type Run struct {
	Reports []runner.Report
	Stale   []runner.Stale
	Exit    int
	Seed    *uint64 // of the shuffle; nil when the cases ran in their order

	// Next gives the commands that go on from a case that failed on a surface.
	Next func(surface string, c *corpus.Case) Next
}

// inFull is how many failures of a surface are shown with all their steps,
// unless all are asked for. The rest get a line each.
const inFull = 10

// Text writes the report for people: what went wrong, which concurrent case was
// run in vain, the matrix, and the sum in one line. When verbose, every case has a line and every failure its steps.
func Text(w io.Writer, run Run, verbose bool) error {
	var b strings.Builder
	for _, r := range run.Reports {
		writeReport(&b, run, r, verbose)
	}
	for _, s := range run.Stale {
		fmt.Fprintf(&b, "STALE  known-failing list, %s\n", s)
	}
	if said := b.String(); said != "" && !strings.HasSuffix(said, "\n\n") {
		b.WriteByte('\n')
	}
	writeMatrix(&b, run.Reports)
	fmt.Fprintf(&b, "\n%s\n", Sum(run))
	_, err := io.WriteString(w, b.String())
	return err
}

func writeReport(b *strings.Builder, run Run, r runner.Report, verbose bool) {
	full := 0
	for _, o := range r.Outcomes {
		switch {
		case o.Red() && (verbose || full < inFull):
			full++
			b.WriteString(Failure(r.Surface, o, run.Next(r.Surface, o.Case)))
		case o.Red():
			fmt.Fprintf(b, "%s\n", headline(r.Surface, o))
		case verbose, o.Verdict == runner.Incomplete && o.Histories != nil:
			fmt.Fprintf(b, "%s%s\n", headline(r.Surface, o), reason(o))
		}
	}
	if r.GaveUp {
		fmt.Fprintf(b, "GAVE UP on %s after %d time-outs in a row: %s\n",
			r.Surface, runner.Patience, plural(r.Count(incomplete), "case was", "cases were")+" not judged")
	}
	if r.Broken != nil {
		fmt.Fprintf(b, "BROKEN adapter of %s: %v\n%s", r.Surface, r.Broken, Stderr(r.Stderr))
	}
}

func headline(surface string, o runner.Outcome) string {
	return fmt.Sprintf("%s  %s/%s on %s", strings.ToUpper(string(o.Verdict)), o.Case.System, o.Case.ID, surface)
}

// reason is what there is to say, behind a headline, of a case that is not
// shown in full.
func reason(o runner.Outcome) string {
	switch {
	case o.Known != nil:
		return " (known: " + o.Known.Reason + ")"
	case o.Detail != "":
		return " (" + o.Detail + ")"
	}
	return ""
}

func incomplete(o runner.Outcome) bool    { return o.Verdict == runner.Incomplete }
func passed(o runner.Outcome) bool        { return o.Verdict == runner.Pass }
func judged(o runner.Outcome) bool        { return o.Verdict.Judged() }
func notApplicable(o runner.Outcome) bool { return o.Verdict == runner.NotApplicable }
func known(o runner.Outcome) bool         { return o.Known != nil && o.Known.Verdict == o.Verdict }

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
