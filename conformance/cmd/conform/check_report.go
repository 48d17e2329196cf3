package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/eventbroker/eventbroker/conformance/history"
	"github.com/eventbroker/eventbroker/conformance/report"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/spf13/cobra"
)

// judging is ample: a search takes some milliseconds.
const judging = time.Minute

// report gives what there is to say, and saves what failed.
func (f *checkFlags) report(reports []runner.Report) (string, error) {
	var b strings.Builder
	var errs []error
	for _, r := range reports {
		for _, o := range r.Outcomes {
			if o.Verdict != runner.Pass && r.Broken == nil {
				errs = append(errs, f.writeOutcome(&b, r, o))
			}
		}
		if r.Broken != nil {
			fmt.Fprintf(&b, "BROKEN adapter of %s: %v\n%s\n", r.Surface, r.Broken, report.Stderr(r.Stderr))
		}
	}
	writeTallies(&b, reports)
	return b.String(), errors.Join(errs...)
}

// failures are all that is certain in the reports of a run that was interrupted.
func failures(reports []runner.Report) (failed []runner.Report) {
	for _, r := range reports {
		passed := func(o runner.Outcome) bool { return !o.Verdict.Failed() }
		r.Broken, r.Outcomes = nil, slices.DeleteFunc(r.Outcomes, passed)
		failed = append(failed, r)
	}
	return failed
}

func (f *checkFlags) writeOutcome(b *strings.Builder, r runner.Report, o runner.Outcome) error {
	fmt.Fprintf(b, "%s  %s/%s on %s: %s\n%s", strings.ToUpper(string(o.Verdict)), o.Case.System, o.Case.ID, r.Surface,
		o.Detail, report.Stderr(o.Stderr))
	var err error
	if o.Illegal != nil {
		b.WriteString(o.Illegal.Judgement.Text())
		var files []string
		files, err = f.keep(fmt.Sprintf("%s-%s-%s", o.Case.System, o.Case.ID, r.Surface), *o.Illegal)
		if err == nil {
			fmt.Fprintf(b, "  kept in: %s\n", strings.Join(files, ", "))
		}
	}
	if o.Verdict != runner.NotApplicable {
		fmt.Fprintf(b, "  again: %s %s\n\n", quote(os.Args[0]), f.command(r.Surface, o))
	}
	return err
}

// keep saves a history and its picture.
func (f *checkFlags) keep(name string, i runner.Illegal) ([]string, error) {
	if err := os.MkdirAll(f.save, 0o755); err != nil {
		return nil, err
	}
	data, err := history.Encode(i.History)
	if err != nil {
		return nil, err
	}
	name = filepath.Join(f.save, name)
	if err := os.WriteFile(name+".json", data, 0o644); err != nil {
		return nil, err
	}
	picture, err := os.Create(name + ".html")
	if err != nil {
		return nil, err
	}
	err = i.Judgement.Picture(picture, i.History, judging)
	return []string{name + ".json", name + ".html"}, errors.Join(err, picture.Close())
}

// writeTallies writes a line a surface and system, or a case.
func writeTallies(b *strings.Builder, reports []runner.Report) {
	t := tabwriter.NewWriter(b, 0, 0, 3, ' ', 0)
	fmt.Fprintln(t, "surface\thistories of\thistories\tcalls\toverlap\tverdict")
	for _, r := range reports {
		for _, o := range r.Outcomes {
			h := cmp.Or(o.Histories, &runner.Tally{})
			fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\t%s\n", r.Surface, label(o), h.Histories, h.Calls, overlap(h), verdict(o))
		}
	}
	_ = t.Flush() // a Builder does not fail
}

func label(o runner.Outcome) string {
	if o.Case.ID == generated {
		return o.Case.System
	}
	return o.Case.System + "/" + o.Case.ID
}

func overlap(t *runner.Tally) string {
	if t.Serial {
		return "serial"
	}
	return fmt.Sprintf("%d (%.1f %%)", t.Overlap, t.Share())
}

func verdict(o runner.Outcome) string {
	if o.Verdict == runner.Pass {
		return string(history.Linearizable)
	}
	if o.Illegal != nil {
		return o.Illegal.Judgement.Anomaly.Name
	}
	return string(o.Verdict)
}

// again judges a saved history.
func (f *checkFlags) again(cmd *cobra.Command, patterns []string) error {
	if len(patterns) > 0 {
		return errors.New("--history: a saved history is judged alone, without patterns")
	}
	data, err := os.ReadFile(f.file)
	if err != nil {
		return err
	}
	h, err := history.Decode(data)
	if err != nil {
		return fmt.Errorf("%s: %w", f.file, err)
	}
	j, err := history.Judge(h, judging)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	switch j.Verdict {
	case history.Linearizable:
		fmt.Fprintln(out, "linearizable")
		return nil
	case history.Unknown:
		fmt.Fprintf(out, "INCOMPLETE  neither an order was found within %v, nor that there is none\n", judging)
		return exit(runner.ExitIncomplete)
	}
	fmt.Fprintf(out, "FAIL  %s\n%s", j.Anomaly, j.Text())
	return exit(runner.ExitFailed)
}
