package report

import (
	"fmt"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// Bounds of what is shown. A case may have a thousand steps, a model 64
// partitions.
const (
	mostSteps  = 30
	mostState  = 40 // lines
	mostStderr = 20 // lines
)

// Failure shows a case that failed on one surface, or alike on several, and the
// commands that go on from there.
func Failure(surface string, o runner.Outcome, next Next) string {
	var b strings.Builder
	c := o.Case
	fmt.Fprintf(&b, "%s\n  %s (%s)\n", headline(surface, o), c.Why, strings.Join(whence(c), ", "))
	if o.Divergence != nil {
		writeDivergence(&b, c, *o.Divergence)
	} else {
		fmt.Fprintf(&b, "  %s\n", o.Detail)
	}
	if o.Illegal != nil {
		b.WriteString(o.Illegal.Judgement.Text())
	}
	b.WriteString(Stderr(o.Stderr))
	fmt.Fprintf(&b, "  again: %s\n", next.Again)
	if next.Program != "" {
		fmt.Fprintf(&b, "  as a program: %s\n", next.Program)
	}
	b.WriteByte('\n')
	return b.String()
}

// Next are the commands that go on from a failure.
type Next struct {
	Again   string // runs just this case on this surface again
	Program string // prints it as a program in the surface's language; "" where that cannot be
}

// whence are the clauses of a case, and where it stands if it is in a file.
func whence(c *corpus.Case) []string {
	from := []string{strings.Join(c.Spec, " ")}
	if c.File != "" {
		from = append(from, fmt.Sprintf("%s:%d", c.File, c.Line))
	}
	return from
}

func writeDivergence(b *strings.Builder, c *corpus.Case, d runner.Divergence) {
	writeSteps(b, c, d.Step)
	writeBeside(b, d)
	if d.Got.Message != "" {
		fmt.Fprintf(b, "  message    %s\n", printable(d.Got.Message))
	}
	if d.Step != runner.Constructor {
		writeModel(b, c, d.Step)
	}
}

// writeSteps writes the constructor and the steps through the one that
// diverged, as far as they can be read.
func writeSteps(b *strings.Builder, c *corpus.Case, last int) {
	arguments := c.New
	if c.Options != nil {
		arguments = append(arguments[:len(arguments):len(arguments)], c.Options)
	}
	fmt.Fprintf(b, "  %s new%s\n", marker(last == runner.Constructor, 0), formatAll(arguments))
	first := max(0, last+1-mostSteps)
	if first > 0 {
		fmt.Fprintf(b, "       … %s before these\n", plural(first, "step", "steps"))
	}
	for i := first; i <= last; i++ {
		step := c.Steps[i]
		fmt.Fprintf(b, "  %s %s%s", marker(i == last, i+1), step.Call.Op, formatAll(step.Call.Args))
		if i < last {
			fmt.Fprintf(b, " → %s", expectation(step))
		}
		b.WriteByte('\n')
	}
}

// marker numbers a step, the constructor being 0, and points at the one that
// diverged.
func marker(here bool, n int) string {
	if here {
		return fmt.Sprintf("→ %3d", n)
	}
	return fmt.Sprintf("  %3d", n)
}

func formatAll(values []any) string {
	var b strings.Builder
	for _, v := range values {
		b.WriteString(" " + wire.Format(v))
	}
	return b.String()
}

func expectation(s corpus.Step) string {
	if s.Raises != "" {
		return s.Raises
	}
	return wire.Format(s.Returns)
}

// writeBeside writes what was expected and what came, one under the other or,
// where they are lists or maps too long for that, side by side.
func writeBeside(b *strings.Builder, d runner.Divergence) {
	want, got := describe(d, d.Want), describe(d, d.Got)
	if rows := rowsOf(d.Want.Value, d.Got.Value); rows != nil && len(want)+len(got) > 120 {
		writeColumns(b, rows)
		return
	}
	fmt.Fprintf(b, "  expected   %s\n  actual     %s\n", want, got)
}

func describe(d runner.Divergence, r adapter.Result) string {
	unreadable, odd := r.Value.(adapter.Unreadable)
	switch {
	case r.Error != "":
		return "error " + printable(r.Error)
	case d.Step == runner.Constructor:
		return "a broker"
	case odd:
		return printable(string(unreadable)) + " (not a value that any call returns)"
	}
	return wire.Format(r.Value)
}

// writeModel writes what the reference model answers at the step, and its state
// before it.
func writeModel(b *strings.Builder, c *corpus.Case, last int) {
	m, err := model.New(c.System, c.New, c.Options)
	if err != nil {
		return // a case whose constructor the model refuses is the corpus's fault
	}
	for _, step := range c.Steps[:last] {
		_, _ = m.Call(step.Call.Op, step.Call.Args) // a refused call leaves the state as it was
	}
	state := m.String()
	fmt.Fprintf(b, "  model      %s, from this state:\n", answer(m.Call(c.Steps[last].Call.Op, c.Steps[last].Call.Args)))
	writeLines(b, "             ", state, mostState)
}

func answer(value any, err error) string {
	if err != nil {
		return err.Error()
	}
	return wire.Format(value)
}

// Stderr shows the end of a standard error, "" when there was nothing.
func Stderr(text string) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString("  the end of its standard error:\n")
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for _, line := range lines[max(0, len(lines)-mostStderr):] {
		fmt.Fprintf(&b, "    | %s\n", printable(line))
	}
	return b.String()
}

func writeLines(b *strings.Builder, indent, text string, most int) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		if i == most {
			fmt.Fprintf(b, "%s… %s more\n", indent, plural(len(lines)-most, "line", "lines"))
			return
		}
		fmt.Fprintf(b, "%s%s\n", indent, line)
	}
}
