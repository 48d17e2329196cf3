package mutation

import (
	"fmt"
	"io"
	"slices"
)

// A Score sums up the mutants of one system.
type Score struct {
	System     string
	Fates      map[Fate]int
	Equivalent int      // survivors that are listed
	Unknown    []Mutant // survivors that are not
	Wrong      []Mutant // listed, and not survivors
}

// NewScore sums up results.
func NewScore(system string, results []Result, equivalent Equivalents) Score {
	s := Score{System: system, Fates: map[Fate]int{}}
	for _, r := range results {
		s.Fates[r.Fate]++
		listed := equivalent.has(r.Mutant)
		switch {
		case r.Fate == Survived && listed:
			s.Equivalent++
		case r.Fate == Survived:
			s.Unknown = append(s.Unknown, r.Mutant)
		case listed:
			s.Wrong = append(s.Wrong, r.Mutant)
		}
	}
	slices.SortFunc(s.Unknown, func(a, b Mutant) int { return slices.Compare([]byte(a.ID()), []byte(b.ID())) })
	return s
}

// Whole reports whether every survivor is listed, and nothing else.
func (s Score) Whole() bool { return len(s.Unknown)+len(s.Wrong) == 0 }

// Judged is how many mutants there were that compile.
func (s Score) Judged() int { return s.Fates[Killed] + s.Fates[TimedOut] + s.Fates[Survived] }

// Percent is how many of the mutants that are not equivalent the cases found.
func (s Score) Percent() float64 {
	return 100 * float64(s.Fates[Killed]+s.Fates[TimedOut]) / float64(max(1, s.Judged()-s.Equivalent))
}

// Share is how many of all mutants are called equivalent, in per cent.
func (s Score) Share() float64 { return 100 * float64(s.Equivalent) / float64(max(1, s.Judged())) }

// Text writes the score as a line, and what has to be looked at below it.
func (s Score) Text(w io.Writer) {
	fmt.Fprintf(w, "%-8s %5.1f %% of the mutants that are not equivalent found: %d killed, %d timed out, %d survived, "+
		"%d of these equivalent (%.1f %%); %d do not compile\n", s.System, s.Percent(), s.Fates[Killed], s.Fates[TimedOut],
		s.Fates[Survived], s.Equivalent, s.Share(), s.Fates[Stillborn])
	for _, m := range s.Unknown {
		fmt.Fprintf(w, "  survived: %s:%d\n    %s\n", m.File, m.Line, m.ID())
	}
	for _, m := range s.Wrong {
		fmt.Fprintf(w, "  listed as equivalent, but found: %s:%d\n    %s\n", m.File, m.Line, m.ID())
	}
}
