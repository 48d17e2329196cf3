package runner

import "slices"

// Exit codes. Several at once: the first in the order 2, 4, 1, 5, 3.
const (
	ExitOK         = 0 // every judged case as expected, and one at least judged on every surface
	ExitFailed     = 1 // a case failed, crashed or timed out
	ExitUsage      = 2 // usage, an invalid corpus, or a pattern that matches no case
	ExitIncomplete = 3 // nothing failed, but something could not be judged
	ExitBroken     = 4 // an adapter could not be started or broke the protocol
	ExitStale      = 5 // a known failure that no longer fails as written
)

// Exit gives the exit code of a run.
func Exit(reports []Report, stale []Stale) int {
	switch {
	case slices.ContainsFunc(reports, func(r Report) bool { return r.Broken != nil }):
		return ExitBroken
	case slices.ContainsFunc(reports, has(Outcome.Red)):
		return ExitFailed
	case len(stale) > 0:
		return ExitStale
	case len(reports) == 0,
		slices.ContainsFunc(reports, has(func(o Outcome) bool { return o.Verdict == Incomplete })),
		!all(reports, has(func(o Outcome) bool { return o.Verdict.Judged() })):
		return ExitIncomplete
	}
	return ExitOK
}

func has(so func(Outcome) bool) func(Report) bool {
	return func(r Report) bool { return slices.ContainsFunc(r.Outcomes, so) }
}

func all(reports []Report, so func(Report) bool) bool {
	return !slices.ContainsFunc(reports, func(r Report) bool { return !so(r) })
}
