package mutation

import (
	"fmt"
	"regexp"
	"strings"
)

const head = "# How much the corpus finds by itself\n" +
	"\n" +
	"`conform mutate` makes one small fault at a time in `broker/event`,\n" +
	"`broker/message` and `broker/assign` and has nothing but the sequential cases of\n" +
	"[cases](../../cases) look for it. What a mutant is, and what is left alone, is\n" +
	"said at the top of [mutant.go](mutant.go).\n" +
	"\n" +
	"| system | mutants | killed | timed out | survived | of these equivalent | found, of those not equivalent |\n" +
	"| - | -: | -: | -: | -: | -: | -: |\n"

const foot = "\n" +
	"Mutants that do not compile are not counted. A time-out is a case that did not\n" +
	"end, a loop without end for the most part. The aim is at least 98 % found, with at\n" +
	"most 5 % of all called equivalent.\n" +
	"\n" +
	"`build/bin/conform mutate` gives these figures anew, in under twenty minutes on two\n" +
	"cores; `ci/test` takes a sample, `ci/prove` all.\n" +
	"\n" +
	"## The survivors\n" +
	"\n" +
	"Each is equivalent: no case can tell it from the original. The list is also in\n" +
	"[equivalent.yaml](equivalent.yaml), to which the run is held.\n" +
	"\n"

// Page is SCORE.md: the scores of a run in which every survivor was listed, and
// the list.
func Page(scores []Score, equivalent Equivalents) string {
	var b strings.Builder
	b.WriteString(head)
	for _, s := range scores {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d (%.1f %%) | %.1f %% |\n", s.System, s.Judged(), s.Fates[Killed],
			s.Fates[TimedOut], s.Fates[Survived], s.Equivalent, s.Share(), s.Percent())
	}
	b.WriteString(foot)
	for _, e := range equivalent {
		b.WriteString(e.item())
	}
	return b.String()
}

// idForm takes the ID of a mutant apart: file, function, edit, line.
var idForm = regexp.MustCompile(`^(\S+) (\S+): (.+ => .+) in: (.+)$`)

func (e Equivalent) item() string {
	part := idForm.FindStringSubmatch(e.Mutant)
	return fmt.Sprintf("- %s, `%s`: `%s`\n  in `%s`: %s.\n", part[1], part[2], part[3], part[4], e.Reason)
}
