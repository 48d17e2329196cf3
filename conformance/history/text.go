package history

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// mostCalls is how many of the last calls are shown; the picture has them all.
const mostCalls = 30

// Text shows the calls that led to an illegal judgement in the order in which
// they were made, with the times in microseconds. It is "" for any other.
func (j Judgement) Text() string {
	if j.Verdict != Illegal {
		return ""
	}
	lines := append(slices.Clone(j.Prefix), j.Pending...)
	slices.SortStableFunc(lines, func(a, b Op) int { return cmp.Compare(a.From, b.From) })
	var b strings.Builder
	if cut := len(lines) - mostCalls; cut > 0 {
		fmt.Fprintf(&b, "       … %d calls before these\n", cut)
		lines = lines[cut:]
	}
	zero := lines[0].From
	for _, op := range lines {
		fmt.Fprintf(&b, "%s\n", j.line(op, zero))
	}
	if j.Anomaly.State != "" {
		fmt.Fprintf(&b, "  the model's state there:\n    %s\n", strings.ReplaceAll(strings.TrimSpace(j.Anomaly.State), "\n", "\n    "))
	}
	return b.String()
}

// line shows a call; the last to return is marked.
func (j Judgement) line(op Op, zero int64) string {
	marker, thread := " ", fmt.Sprintf("thread %d", op.Thread)
	if op.same(j.Prefix[len(j.Prefix)-1]) {
		marker = "→"
	}
	if op.Thread == 0 {
		thread = "before"
	}
	what := op.String()
	if slices.ContainsFunc(j.Pending, op.same) {
		what = input{op: op, pending: true}.describe()
	}
	return fmt.Sprintf("  %s %-8s %8.1f to %8.1f  %s", marker, thread, micros(op.From-zero), micros(op.To-zero), what)
}

func micros(ns int64) float64 { return float64(ns) / float64(time.Microsecond) }

// Picture writes Porcupine's picture, a page of HTML, of what led to an illegal
// judgement.
func (j Judgement) Picture(w io.Writer, h History, limit time.Duration) error {
	m := h.porcupine(answers)
	_, info := porcupine.CheckOperationsVerbose(m, operations(j.Prefix, j.Pending), limit)
	return porcupine.Visualize(m, info, w)
}
