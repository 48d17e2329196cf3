package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/history"
	"github.com/eventbroker/eventbroker/conformance/report"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/wire"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// example is a case of four steps; the third is the one that diverges.
func example() *corpus.Case {
	call := func(op string, args ...any) corpus.Call { return corpus.Call{Op: op, Args: args} }
	return &corpus.Case{
		ID: "retry-keeps-the-offset", System: "event", Spec: []string{"EB-13"}, Why: "retry must not commit",
		File: "cases/event/retry.yaml", Line: 7, New: []any{int64(2)},
		Steps: []corpus.Step{
			{Call: call("create", "orders", int64(1)), Returns: true},
			{Call: call("create", "orders", int64(0)), Raises: "invalid_argument"},
			{Call: call("join", "orders", "billing", "m1"), Returns: []any{int64(0)}},
			{Call: call("leave", "orders", "billing", "m1"), Returns: true},
		},
	}
}

func runOf(exit int, reports ...runner.Report) report.Run {
	return report.Run{Reports: reports, Exit: exit, Next: func(surface string, c *corpus.Case) report.Next {
		next := report.Next{Again: "conform run --surface " + surface + " " + c.ID}
		if surface == "python" {
			next.Program = "conform program --language python " + c.ID
		}
		return next
	}}
}

func failing(got adapter.Result) runner.Report {
	c := example()
	return runner.Report{Surface: "python", Outcomes: []runner.Outcome{{
		Case: c, Verdict: runner.Fail, Took: 1500 * time.Microsecond,
		Divergence: &runner.Divergence{Step: 2, Want: adapter.Result{Value: c.Steps[2].Returns}, Got: got},
	}}}
}

func text(t *testing.T, run report.Run, verbose bool) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, report.Text(&b, run, verbose))
	return b.String()
}

func TestText_Failure(t *testing.T) {
	got := text(t, runOf(runner.ExitFailed, failing(adapter.Result{Error: "KeyError", Message: "'orders'"})), false)
	assert.Empty(t, cmp.Diff(`FAIL  event/retry-keeps-the-offset on python
  retry must not commit (EB-13, cases/event/retry.yaml:7)
      0 new 2
      1 create orders 1 → true
      2 create orders 0 → invalid_argument
  →   3 join orders billing m1
  expected   [0]
  actual     error KeyError
  message    'orders'
  model      [0], from this state:
             capacity 2, payloads of at most 1024 bytes
             topic orders
               partition 0: retains [], next 0
  again: conform run --surface python retry-keeps-the-offset
  as a program: conform program --language python retry-keeps-the-offset

surface   event
python    0/1

FAILED: 0 of 1 judged cases passed on 1 surface, 1 failed
`, got))
}

func TestText_LongListsStandSideBySide(t *testing.T) {
	record := func(offset int64) any {
		return map[string]any{"topic": "orders", "partition": int64(0), "offset": offset, "payload": "a"}
	}
	run := runOf(runner.ExitFailed, failing(adapter.Result{Value: []any{record(0), record(7)}}))
	run.Reports[0].Outcomes[0].Divergence.Want.Value = []any{record(0), record(1), record(2)}
	assert.Contains(t, text(t, run, false), `
         expected                                               actual
      0  {topic: orders, partition: 0, offset: 0, payload: a}   {topic: orders, partition: 0, offset: 0, payload: a}
  →   1  {topic: orders, partition: 0, offset: 1, payload: a}   {topic: orders, partition: 0, offset: 7, payload: a}
  →   2  {topic: orders, partition: 0, offset: 2, payload: a}   (nothing)
`)
}

func TestText_LongMapsStandSideBySide(t *testing.T) {
	assigned := func(id string, partitions ...any) map[string]any {
		return map[string]any{"idle": map[string]any{}, id: map[string]any{"a-topic-with-a-long-name": partitions}}
	}
	run := runOf(runner.ExitFailed, failing(adapter.Result{Value: assigned("m1", int64(0), int64(1))}))
	d := run.Reports[0].Outcomes[0].Divergence
	d.Want.Value = assigned("m1", int64(0))
	d.Want.Value.(map[string]any)["m2"] = map[string]any{"a-topic-with-a-long-name": []any{int64(1)}}
	assert.Contains(t, text(t, run, false), `
         expected                              actual
      0  idle: {}                              idle: {}
  →   1  m1: {a-topic-with-a-long-name: [0]}   m1: {a-topic-with-a-long-name: [0, 1]}
  →   2  m2: {a-topic-with-a-long-name: [1]}   (nothing)
`)
}

// Null, bytes and maps read as they are written in a case.
func TestText_ValuesOfEverySystem(t *testing.T) {
	delivery := map[string]any{"attempt": int64(1), "payload": "a", "offset": int64(0), "topic": "t"}
	for _, tc := range []struct {
		want, got    any
		wants, comes string
	}{
		{nil, delivery, "null", "{topic: t, offset: 0, payload: a, attempt: 1}"},
		{delivery, nil, "{topic: t, offset: 0, payload: a, attempt: 1}", "null"},
		{wire.Bytes("\x00\x00"), wire.Bytes("a\xff"), `{hex: "0000"}`, `{hex: "61ff"}`},
		{map[string]any{}, map[string]any{"m": map[string]any{"12": []any{}}}, "{}", `{m: {"12": []}}`},
	} {
		run := runOf(runner.ExitFailed, failing(adapter.Result{Value: tc.got}))
		run.Reports[0].Outcomes[0].Divergence.Want.Value = tc.want
		assert.Contains(t, text(t, run, false), "  expected   "+tc.wants+"\n  actual     "+tc.comes+"\n")
	}
}

// The systems stand in the order of the kit's table, whatever that of the
// cases, and one without cases has no column.
func TestText_MatrixOfSystems(t *testing.T) {
	outcome := func(system string, v runner.Verdict) runner.Outcome {
		c := example()
		c.System = system
		return runner.Outcome{Case: c, Verdict: v}
	}
	run := runOf(runner.ExitOK, runner.Report{Surface: "mine", Outcomes: []runner.Outcome{
		outcome("assign", runner.NotApplicable), outcome("message", runner.Pass), outcome("assign", runner.NotApplicable),
	}})
	assert.Contains(t, text(t, run, false), "surface   message   assign\nmine      1/1       0/0, 2 n/a\n")
}

func TestText_Constructor(t *testing.T) {
	run := runOf(runner.ExitFailed, failing(adapter.Result{}))
	run.Reports[0].Outcomes[0].Divergence = &runner.Divergence{
		Step: runner.Constructor, Want: adapter.Result{Error: "ValueError"}, Got: adapter.Result{},
	}
	assert.Contains(t, text(t, run, false), "  →   0 new 2\n  expected   error ValueError\n  actual     a broker\n  again")
}

func TestText_UnreadableValue(t *testing.T) {
	got := text(t, runOf(runner.ExitFailed, failing(adapter.Result{Value: adapter.Unreadable("0.5")})), false)
	assert.Contains(t, got, "  actual     0.5 (not a value that any call returns)\n")
}

func TestText_CrashShowsTheEndOfStandardError(t *testing.T) {
	r := runner.Report{Surface: "c", Outcomes: []runner.Outcome{{
		Case: example(), Verdict: runner.Crash, Detail: "killed by signal 11", Stderr: strings.Repeat("line\n", 50) + "the \x1b[2Jend\n",
	}}}
	got := text(t, runOf(runner.ExitFailed, r), false)
	assert.Contains(t, got, "CRASH  event/retry-keeps-the-offset on c\n")
	assert.Contains(t, got, "  killed by signal 11\n")
	assert.Contains(t, got, "    | line\n    | the \\u{1b}[2Jend\n")
	assert.Equal(t, 20, strings.Count(got, "    | "))
	assert.Contains(t, got, "again: conform run --surface c retry-keeps-the-offset\n")
}

func TestText_QuietWhenAllIsWell(t *testing.T) {
	good := runner.Outcome{Case: example(), Verdict: runner.Pass}
	null := runner.Outcome{Case: example(), Verdict: runner.NotApplicable, Detail: "needs null_strings"}
	run := runOf(runner.ExitOK,
		runner.Report{Surface: "go", Outcomes: []runner.Outcome{good, null}},
		runner.Report{Surface: "python", Outcomes: []runner.Outcome{good, good}})
	assert.Equal(t, `surface   event
go        1/1, 1 n/a
python    2/2

ok: 3 of 3 judged cases passed on 2 surfaces, 1 not applicable
`, text(t, run, false))
	assert.Contains(t, text(t, run, true), "PASS  event/retry-keeps-the-offset on go\n"+
		"NOT APPLICABLE  event/retry-keeps-the-offset on go (needs null_strings)\n")
}

func TestText_ManyFailuresGetALineEach(t *testing.T) {
	one := failing(adapter.Result{Value: true})
	for range 14 {
		one.Outcomes = append(one.Outcomes, one.Outcomes[0])
	}
	run := runOf(runner.ExitFailed, one)
	assert.Equal(t, 10, strings.Count(text(t, run, false), "again:"))
	assert.Equal(t, 15, strings.Count(text(t, run, false), "FAIL  "))
	assert.Equal(t, 15, strings.Count(text(t, run, true), "again:"))
}

func TestText_ManyStepsAreCut(t *testing.T) {
	r := failing(adapter.Result{Value: true})
	c := r.Outcomes[0].Case
	for range 997 {
		c.Steps = append(c.Steps, c.Steps[2])
	}
	r.Outcomes[0].Divergence.Step = 1000
	got := text(t, runOf(runner.ExitFailed, r), false)
	assert.Contains(t, got, "       … 971 steps before these\n    972 join")
	assert.Less(t, strings.Count(got, "\n"), 50)
}

// broken is a run of which much went wrong.
func broken() report.Run {
	listed := &runner.Known{Case: "retry-keeps-the-offset", Surface: "go", Verdict: runner.Fail, Reason: "being mended", Line: 3}
	known := failing(adapter.Result{Value: true})
	known.Surface, known.Outcomes[0].Known = "go", listed
	run := runOf(runner.ExitBroken,
		failing(adapter.Result{Value: "\x00\u2028"}), known,
		runner.Report{Surface: "c", Broken: errors.New("no hello within 10s"), Stderr: "no library\n", Outcomes: []runner.Outcome{
			{Case: example(), Verdict: runner.Incomplete, Detail: "not reached"},
		}},
		runner.Report{Surface: "cpp", GaveUp: true, Outcomes: []runner.Outcome{
			{Case: example(), Verdict: runner.Timeout, Detail: "no answer within 10s"},
			{Case: example(), Verdict: runner.Incomplete, Detail: "not reached"},
		}})
	run.Stale = []runner.Stale{{Known: *listed, Why: "passes now; take the line out"}}
	return run
}

func TestText_Broken(t *testing.T) {
	got := text(t, broken(), false)
	assert.Contains(t, got, "BROKEN adapter of c: no hello within 10s\n  the end of its standard error:\n    | no library\n")
	assert.Contains(t, got, "GAVE UP on cpp after 3 time-outs in a row: 1 case was not judged\n")
	assert.Contains(t, got, "STALE  known-failing list, line 3: retry-keeps-the-offset on go (fail): passes now; take the line out\n")
	assert.Contains(t, got, "c         0/0, 1 not judged\n")
	assert.True(t, strings.HasSuffix(got, "\nBROKEN: 0 of 3 judged cases passed on 4 surfaces, 2 failed, 1 timed out, "+
		"1 of these known, 2 not judged, 1 stale in the known-failing list\n"), got)
	assert.NotContains(t, got, "on go\n  retry must not commit", "a known failure is not shown")
}

// A run that is incomplete says where.
func TestText_NothingJudged(t *testing.T) {
	got := text(t, runOf(runner.ExitIncomplete, runner.Report{Surface: "go", Outcomes: []runner.Outcome{
		{Case: example(), Verdict: runner.NotApplicable},
	}}), false)
	assert.Contains(t, got, "\nINCOMPLETE: 0 of 0 judged cases passed on 1 surface, nothing judged on go, 1 not applicable\n")
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	run := broken()
	run.Seed = new(uint64)
	require.NoError(t, report.JSON(&b, run))

	var got struct {
		Exit     int
		Seed     *uint64
		Stale    []string
		Surfaces []struct {
			Name, Broken, Stderr string
			Cases                []struct {
				ID, Verdict, Known, Expected, Actual, Detail string
				Step                                         *int
			}
		}
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &got))
	assert.Equal(t, runner.ExitBroken, got.Exit)
	assert.NotNil(t, got.Seed)
	assert.Len(t, got.Stale, 1)
	require.Len(t, got.Surfaces, 4)
	first := got.Surfaces[0].Cases[0]
	assert.Equal(t, "fail", first.Verdict)
	assert.Equal(t, 3, *first.Step)
	assert.Equal(t, "[0]", first.Expected)
	assert.Equal(t, `"\u0000\u2028"`, first.Actual)
	assert.Equal(t, "being mended", got.Surfaces[1].Cases[0].Known)
	assert.Equal(t, "no hello within 10s", got.Surfaces[2].Broken)
	assert.Equal(t, "incomplete", got.Surfaces[2].Cases[0].Verdict)
}

func TestJUnit(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, report.JUnit(&b, broken()))

	type fault struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
	var got struct {
		Suites []struct {
			Name     string `xml:"name,attr"`
			Tests    int    `xml:"tests,attr"`
			Failures int    `xml:"failures,attr"`
			Errors   int    `xml:"errors,attr"`
			Skipped  int    `xml:"skipped,attr"`
			Cases    []struct {
				Name    string `xml:"name,attr"`
				Time    string `xml:"time,attr"`
				Failure *fault `xml:"failure"`
				Error   *fault `xml:"error"`
				Skipped *fault `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	require.NoError(t, xml.Unmarshal(b.Bytes(), &got))
	require.Len(t, got.Suites, 5)

	python := got.Suites[0]
	assert.Equal(t, []int{1, 1, 0, 0}, []int{python.Tests, python.Failures, python.Errors, python.Skipped})
	assert.Equal(t, "0.001500", python.Cases[0].Time)
	assert.Equal(t, `expected [0], actual "\u0000\u2028"`, python.Cases[0].Failure.Message)
	assert.Contains(t, python.Cases[0].Failure.Text, "again: conform run --surface python retry-keeps-the-offset")

	known, c, cpp, stale := got.Suites[1], got.Suites[2], got.Suites[3], got.Suites[4]
	assert.Contains(t, known.Cases[0].Skipped.Message, "being mended")
	assert.Equal(t, []int{2, 1, 1}, []int{c.Tests, c.Errors, c.Skipped})
	assert.Equal(t, "no hello within 10s", c.Cases[1].Error.Message)
	assert.Equal(t, "no answer within 10s", cpp.Cases[0].Error.Message)
	assert.Equal(t, 1, stale.Failures)
}

// A concurrent case has no step to point at, but the calls up to the one that
// nothing explains; and one that was run in vain says why.
func TestText_ConcurrentCases(t *testing.T) {
	c := example()
	call := history.Op{Thread: 2, Call: c.Steps[0].Call, Value: int64(7), To: 1500}
	r := runner.Report{Surface: "c", Outcomes: []runner.Outcome{
		{
			Case: c, Verdict: runner.Fail, Detail: "two owners: all of it, in history 3",
			Illegal: &runner.Illegal{Judgement: history.Judgement{Verdict: history.Illegal, Prefix: []history.Op{call}}},
		},
		{Case: c, Verdict: runner.Incomplete, Detail: "only 1 of 900 calls overlapped", Histories: &runner.Tally{}},
	}}
	got := text(t, runOf(runner.ExitFailed, r), false)
	assert.Contains(t, got, "  two owners: all of it, in history 3\n  → thread 2      0.0 to      1.5  create orders 1 → 7\n")
	assert.Contains(t, got, "INCOMPLETE  event/retry-keeps-the-offset on c (only 1 of 900 calls overlapped)\n")
}
