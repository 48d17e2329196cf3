package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

// writeMatrix writes a row a surface and a column a system, passed / judged.
func writeMatrix(b *strings.Builder, reports []runner.Report) {
	systems := systemsOf(reports)
	rows := []string{"surface\t" + strings.Join(systems, "\t")}
	for _, r := range reports {
		row := r.Surface
		for _, system := range systems {
			row += "\t" + cell(r, system)
		}
		rows = append(rows, row)
	}
	t := tabwriter.NewWriter(b, 0, 0, 3, ' ', 0)
	_, _ = io.WriteString(t, strings.Join(rows, "\n")+"\n") // a Builder does not fail
	_ = t.Flush()
}

// systemsOf gives the systems that have cases.
func systemsOf(reports []runner.Report) []string {
	var systems []string
	for _, s := range surface.Systems {
		has := func(o runner.Outcome) bool { return o.Case.System == s.Name }
		if slices.ContainsFunc(reports, func(r runner.Report) bool { return r.Count(has) > 0 }) {
			systems = append(systems, s.Name)
		}
	}
	return systems
}

// cell is 410/412, with what was not judged behind it.
func cell(r runner.Report, system string) string {
	count := func(so func(runner.Outcome) bool) int {
		return r.Count(func(o runner.Outcome) bool { return o.Case.System == system && so(o) })
	}
	text := fmt.Sprintf("%d/%d", count(passed), count(judged))
	if n := count(notApplicable); n > 0 {
		text += fmt.Sprintf(", %d n/a", n)
	}
	if n := count(incomplete); n > 0 {
		text += fmt.Sprintf(", %d not judged", n)
	}
	return text
}

// Sum is the run in one line.
func Sum(run Run) string {
	total := func(so func(runner.Outcome) bool) (n int) {
		for _, r := range run.Reports {
			n += r.Count(so)
		}
		return n
	}
	parts := []string{fmt.Sprintf("%d of %d judged cases passed on %s",
		total(passed), total(judged), plural(len(run.Reports), "surface", "surfaces"))}
	for _, r := range run.Reports {
		if r.Broken == nil && r.Count(judged) == 0 {
			parts = append(parts, "nothing judged on "+r.Surface)
		}
	}
	for _, p := range []struct {
		n    int
		what string
	}{
		{total(of(runner.Fail)), "failed"},
		{total(of(runner.Crash)), "crashed"},
		{total(of(runner.Timeout)), "timed out"},
		{total(known), "of these known"},
		{total(notApplicable), "not applicable"},
		{total(incomplete), "not judged"},
		{len(run.Stale), "stale in the known-failing list"},
	} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return fmt.Sprintf("%s: %s", outcome(run.Exit), strings.Join(parts, ", "))
}

func of(v runner.Verdict) func(runner.Outcome) bool {
	return func(o runner.Outcome) bool { return o.Verdict == v }
}

// outcome is an exit code in words.
func outcome(exit int) string {
	switch exit {
	case runner.ExitOK:
		return "ok"
	case runner.ExitFailed:
		return "FAILED"
	case runner.ExitIncomplete:
		return "INCOMPLETE"
	case runner.ExitStale:
		return "STALE"
	}
	return "BROKEN"
}
