package runner

import (
	"fmt"
	"slices"
	"strings"
)

// A Known is an entry of the known-failing list: a failure that is expected
// for now.
type Known struct {
	Case    string
	Surface string
	Verdict Verdict // fail, crash or timeout
	Reason  string
	Line    int
}

// ParseKnown reads a list: a line an entry, its case, surface, verdict and
// reason separated by blanks. Empty lines and those that begin with # are
// passed over.
func ParseKnown(text string) ([]Known, error) {
	var list []Known
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		entry, err := parseEntry(line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		entry.Line = i + 1
		list = append(list, entry)
	}
	return list, nil
}

func parseEntry(text string) (Known, error) {
	words := strings.Fields(text)
	if len(words) < 4 {
		return Known{}, fmt.Errorf("%q is not a case, a surface, a verdict and a reason", text)
	}
	verdict := Verdict(words[2])
	if !verdict.Failed() {
		return Known{}, fmt.Errorf("verdict %q is none of fail, crash and timeout", words[2])
	}
	return Known{Case: words[0], Surface: words[1], Verdict: verdict, Reason: strings.Join(words[3:], " ")}, nil
}

// A Stale is an entry that does not hold as written.
type Stale struct {
	Known Known
	Why   string
}

func (s Stale) String() string {
	return fmt.Sprintf("line %d: %s on %s (%s): %s", s.Known.Line, s.Known.Case, s.Known.Surface, s.Known.Verdict, s.Why)
}

// Compare marks the outcomes that the list knows of and gives the entries that
// do not hold. An entry about a case or a surface that exists but was not asked
// for is left alone: cases and surfaces are the names of all there are.
func Compare(list []Known, reports []Report, cases, surfaces []string) []Stale {
	var stale []Stale
	seen := map[[2]string]int{} // case, surface => line
	for i, entry := range list {
		key := [2]string{entry.Case, entry.Surface}
		why := fmt.Sprintf("is on line %d already", seen[key])
		if seen[key] == 0 {
			seen[key] = entry.Line
			why = mark(&list[i], reports, cases, surfaces)
		}
		if why != "" {
			stale = append(stale, Stale{entry, why})
		}
	}
	return stale
}

// mark says what is wrong with an entry, "" when nothing is.
func mark(entry *Known, reports []Report, cases, surfaces []string) string {
	switch {
	case !slices.Contains(cases, entry.Case):
		return "there is no such case"
	case !slices.Contains(surfaces, entry.Surface):
		return "there is no such surface"
	}
	outcome := find(reports, entry.Case, entry.Surface)
	if outcome == nil || outcome.Verdict == Incomplete {
		return ""
	}
	outcome.Known = entry
	switch outcome.Verdict {
	case entry.Verdict:
		return ""
	case Pass:
		return "passes now; take the line out"
	}
	return "its verdict is now " + string(outcome.Verdict)
}

func find(reports []Report, id, surface string) *Outcome {
	for _, r := range reports {
		if r.Surface != surface {
			continue
		}
		for i := range r.Outcomes {
			if r.Outcomes[i].Case.ID == id {
				return &r.Outcomes[i]
			}
		}
	}
	return nil
}
