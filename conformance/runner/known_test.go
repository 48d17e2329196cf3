package runner_test

import (
	"testing"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func parseKnown(t *testing.T, text string) []runner.Known {
	t.Helper()
	list, err := runner.ParseKnown(text)
	require.NoError(t, err)
	return list
}

func TestParseKnown(t *testing.T) {
	list := parseKnown(t, "# case surface verdict reason\n\n  a-case   go\tfail  the reason, in  words\n")
	assert.Equal(t, []runner.Known{{Case: "a-case", Surface: "go", Verdict: runner.Fail, Reason: "the reason, in words", Line: 3}}, list)
}

func TestParseKnown_Refuses(t *testing.T) {
	for text, reason := range map[string]string{
		"a go fail\n":             "line 1: \"a go fail\" is not a case, a surface, a verdict and a reason",
		"\na go pass because\n":   `line 2: verdict "pass" is none of fail, crash and timeout`,
		"a go Fail because\n":     "none of fail, crash and timeout",
		"a go incomplete because": "none of fail, crash and timeout",
	} {
		_, err := runner.ParseKnown(text)
		assert.ErrorContains(t, err, reason)
	}
}

// The reports of a run: bad fails, dead crashes, good passes, null does not
// apply, late was not judged; all exist, as do two more.
func outcomes() []runner.Report {
	report := runner.Report{Surface: "go"}
	for id, verdict := range map[string]runner.Verdict{
		"bad": runner.Fail, "dead": runner.Crash, "good": runner.Pass,
		"null": runner.NotApplicable, "late": runner.Incomplete,
	} {
		report.Outcomes = append(report.Outcomes, runner.Outcome{Case: &corpus.Case{ID: id}, Verdict: verdict})
	}
	return []runner.Report{report}
}

var (
	allCases    = []string{"bad", "dead", "good", "null", "late", "unselected"}
	allSurfaces = []string{"go", "python"}
)

func TestCompare(t *testing.T) {
	for text, why := range map[string]string{
		"bad go fail r":                 "",
		"dead go crash r":               "",
		"good go fail r":                "passes now; take the line out",
		"dead go fail r":                "its verdict is now crash",
		"bad go timeout r":              "its verdict is now fail",
		"null go fail r":                "its verdict is now not applicable",
		"misspelt go fail r":            "there is no such case",
		"bad pyhton fail r":             "there is no such surface",
		"unselected go fail r":          "",
		"bad python fail r":             "",
		"late go fail r":                "",
		"bad go fail r\nbad go fail r":  "is on line 1 already",
		"bad go fail r\nbad go crash r": "is on line 1 already",
	} {
		stale := runner.Compare(parseKnown(t, text), outcomes(), allCases, allSurfaces)
		if why == "" {
			assert.Empty(t, stale, text)
			continue
		}
		require.Len(t, stale, 1, text)
		assert.Equal(t, why, stale[0].Why, text)
		assert.Contains(t, stale[0].String(), stale[0].Known.Case)
	}
}

// known is a run of which everything red is in the list, and the rest judged.
func TestExit_KnownFailures(t *testing.T) {
	exit := func(text string, ids ...string) int {
		reports := outcomes()
		var kept []runner.Outcome
		for _, o := range reports[0].Outcomes {
			for _, id := range ids {
				if o.Case.ID == id {
					kept = append(kept, o)
				}
			}
		}
		reports[0].Outcomes = kept
		return runner.Exit(reports, runner.Compare(parseKnown(t, text), reports, allCases, allSurfaces))
	}
	assert.Equal(t, runner.ExitFailed, exit("", "bad", "good"))
	assert.Equal(t, runner.ExitOK, exit("bad go fail r", "bad", "good"))
	assert.Equal(t, runner.ExitStale, exit("good go fail r", "good"))
	assert.Equal(t, runner.ExitStale, exit("dead go fail r", "dead", "good"), "a crash hides behind no fail")
	assert.Equal(t, runner.ExitFailed, exit("good go fail r", "bad", "good"), "a failure comes before a stale entry")
	assert.Equal(t, runner.ExitStale, exit("good go fail r", "good", "late"), "a stale entry comes before what was not judged")
}
