package runner_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/adapter/adaptertest"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { adaptertest.Main(m) }

const ample = 10 * time.Minute // an adapter that answers is not waited for

// A fake is an adapter in this process.
type fake struct {
	hello adapter.Hello
	do    func(adapter.Request) (adapter.Response, error)
	close error
}

func (f *fake) Hello() adapter.Hello        { return f.hello }
func (f *fake) Stderr() string              { return "last words" }
func (f *fake) Close(context.Context) error { return f.close }
func (f *fake) Do(_ context.Context, r adapter.Request) (adapter.Response, error) {
	return f.do(r)
}

// surfaceOf has every start give the same fake.
func surfaceOf(f *fake) runner.Surface {
	return runner.Surface{Name: "fake", Start: func(context.Context) (runner.Adapter, error) { return f, nil }}
}

var hello = adapter.Hello{
	Surface: "fake", Systems: []string{"event"}, Errors: map[string]string{surface.InvalidArgument: "E"},
}

// truthful says true to every call.
func truthful() *fake {
	return &fake{hello: hello, do: func(r adapter.Request) (adapter.Response, error) {
		var response adapter.Response
		for _, calls := range r.Threads {
			results := make([]adapter.Result, len(calls))
			for i := range results {
				results[i].Value = true
			}
			response.Results = append(response.Results, results)
		}
		return response, nil
	}}
}

// caseOf is a case of one call that must return a value.
func caseOf(id string, returns any) corpus.Case {
	return corpus.Case{ID: id, System: "event", New: []any{int64(1)}, Steps: []corpus.Step{
		{Call: corpus.Call{Op: "create", Args: []any{"t", int64(1)}}, Returns: returns},
	}}
}

// raising is a case of one call that must fail.
func raising(id string) corpus.Case {
	c := caseOf(id, nil)
	c.Steps[0].Raises = surface.InvalidArgument
	return c
}

func numbered(n int) []corpus.Case {
	cases := make([]corpus.Case, n)
	for i := range cases {
		cases[i] = caseOf(fmt.Sprintf("case-%d", i+1), true)
	}
	return cases
}

func verdicts(r runner.Report) []runner.Verdict {
	var list []runner.Verdict
	for _, o := range r.Outcomes {
		list = append(list, o.Verdict)
	}
	return list
}

func run(t *testing.T, s runner.Surface, cases []corpus.Case) (runner.Report, int) {
	t.Helper()
	reports := runner.Run(t.Context(), []runner.Surface{s}, cases, runner.Options{})
	require.Len(t, reports, 1)
	return reports[0], runner.Exit(reports, nil)
}

func TestRun_PassAndFail(t *testing.T) {
	report, exit := run(t, surfaceOf(truthful()), []corpus.Case{caseOf("a", true), caseOf("b", int64(1)), raising("c")})

	assert.Equal(t, []runner.Verdict{runner.Pass, runner.Fail, runner.Fail}, verdicts(report))
	assert.Equal(t, runner.Divergence{Step: 0, Want: adapter.Result{Value: int64(1)}, Got: adapter.Result{Value: true}},
		*report.Outcomes[1].Divergence)
	assert.Empty(t, report.Outcomes[0].Stderr)
	assert.Equal(t, "last words", report.Outcomes[1].Stderr)
	assert.Equal(t, runner.ExitFailed, exit)
}

func TestRun_AllPass(t *testing.T) {
	report, exit := run(t, surfaceOf(truthful()), numbered(3))
	assert.NoError(t, report.Broken)
	assert.Equal(t, runner.ExitOK, exit)
}

func TestRun_NotApplicable(t *testing.T) {
	null := caseOf("null", true)
	null.Needs = []string{surface.NullStrings}
	elsewhere := caseOf("elsewhere", true)
	elsewhere.System = "other"

	report, exit := run(t, surfaceOf(truthful()), []corpus.Case{caseOf("a", true), null, elsewhere})
	assert.Equal(t, []runner.Verdict{runner.Pass, runner.NotApplicable, runner.NotApplicable}, verdicts(report))
	assert.Equal(t, "needs null_strings", report.Outcomes[1].Detail)
	assert.Equal(t, runner.ExitOK, exit)
}

// Nothing failed, and yet there is nothing to be green about.
func TestRun_NothingJudgedIsNotGreen(t *testing.T) {
	null := caseOf("null", true)
	null.Needs = []string{surface.NullStrings}

	_, exit := run(t, surfaceOf(truthful()), []corpus.Case{null})
	assert.Equal(t, runner.ExitIncomplete, exit)
	_, exit = run(t, surfaceOf(truthful()), nil)
	assert.Equal(t, runner.ExitIncomplete, exit)
	assert.Equal(t, runner.ExitIncomplete, runner.Exit(nil, nil))
}

// The crash may not end the run, nor count as the error that a case expects.
func TestRun_CrashesAreVerdictsAndTheRestGoesOn(t *testing.T) {
	cases := numbered(5)
	for i := 1; i <= 3; i++ {
		cases[i] = raising(cases[i].ID)
	}
	report, exit := run(t, runner.Process("stub", adaptertest.Command("dies"), ample), cases)

	assert.Equal(t, []runner.Verdict{runner.Pass, runner.Crash, runner.Crash, runner.Crash, runner.Pass}, verdicts(report))
	assert.Equal(t, "killed by signal 11 (segmentation fault)", report.Outcomes[1].Detail)
	assert.Equal(t, "about to die\n", report.Outcomes[1].Stderr)
	assert.Equal(t, "exited with status 0", report.Outcomes[2].Detail)
	assert.Equal(t, "exited with status 255", report.Outcomes[3].Detail)
	assert.Equal(t, runner.ExitFailed, exit)
}

func TestRun_GivesUpAfterTimeoutsInARow(t *testing.T) {
	slow := truthful()
	answer := slow.do
	slow.do = func(r adapter.Request) (adapter.Response, error) {
		switch r.ID { // 2 and 4 each begin the row anew
		case 2:
			return answer(r)
		case 4:
			return adapter.Response{}, &adapter.Crash{How: "died"}
		}
		return adapter.Response{}, &adapter.Timeout{After: time.Second}
	}
	report, exit := run(t, surfaceOf(slow), numbered(9))

	assert.Equal(t, []runner.Verdict{
		runner.Timeout, runner.Pass, runner.Timeout, runner.Crash, runner.Timeout, runner.Timeout, runner.Timeout,
		runner.Incomplete, runner.Incomplete,
	}, verdicts(report))
	assert.True(t, report.GaveUp)
	assert.Equal(t, runner.ExitFailed, exit)
}

func TestRun_BreakEndsTheSurface(t *testing.T) {
	broken := truthful()
	answer := broken.do
	broken.do = func(r adapter.Request) (adapter.Response, error) {
		if r.ID == 2 {
			return adapter.Response{}, &adapter.Break{Reason: "gibberish"}
		}
		return answer(r)
	}
	report, exit := run(t, surfaceOf(broken), numbered(4))
	assert.Equal(t, []runner.Verdict{runner.Pass, runner.Incomplete, runner.Incomplete, runner.Incomplete}, verdicts(report))
	assert.EqualError(t, report.Broken, "gibberish")
	assert.Equal(t, "last words", report.Stderr)
	assert.Equal(t, runner.ExitBroken, exit)
}

func TestRun_NoSecondStartEndsTheSurface(t *testing.T) {
	crashing := &fake{hello: hello, do: func(adapter.Request) (adapter.Response, error) {
		return adapter.Response{}, &adapter.Crash{How: "died"}
	}}
	starts := 0
	s := runner.Surface{Name: "fake", Start: func(context.Context) (runner.Adapter, error) {
		if starts++; starts > 1 {
			return nil, &adapter.Break{Reason: "no hello", Stderr: "port in use"}
		}
		return crashing, nil
	}}
	report, exit := run(t, s, numbered(5))
	assert.Equal(t, []runner.Verdict{runner.Crash, runner.Incomplete, runner.Incomplete, runner.Incomplete, runner.Incomplete}, verdicts(report))
	assert.Equal(t, "port in use", report.Stderr)
	assert.Equal(t, 2, starts)
	assert.Equal(t, runner.ExitBroken, exit)
}

func TestRun_BadEndBreaks(t *testing.T) {
	f := truthful()
	f.close = errors.New("status 3")
	report, exit := run(t, surfaceOf(f), numbered(1))
	assert.EqualError(t, report.Broken, "status 3")
	assert.Equal(t, runner.ExitBroken, exit)
}

// What the kit has written down decides, whatever the adapter says.
func TestRun_OwnSurfaceMustSayAllThatIsWrittenDown(t *testing.T) {
	own, ok := surface.Find("go")
	require.True(t, ok)
	for stub, reason := range map[string]string{
		"true":        `its hello is that of the surface "stub"`,
		"own-systems": `its hello lacks the systems ["event" "pubsub" "assign"]`,
		"own-feature": `its hello lacks the features ["batch" "redeliver" "status"]`,
		"own-error":   `its hello says "broker.ErrOther" for invalid_argument, where "broker.ErrInvalidArgument" is due`,
	} {
		s := runner.Process("go", adaptertest.Command(stub), ample)
		s.Own = &own
		report, exit := run(t, s, numbered(2))
		assert.ErrorContains(t, report.Broken, reason, stub)
		assert.Equal(t, runner.ExitBroken, exit, stub)
	}

	s := runner.Process("go", adaptertest.Command("own-go"), ample)
	s.Own = &own
	_, exit := run(t, s, numbered(2))
	assert.Equal(t, runner.ExitOK, exit)
}

func TestRun_ShuffleIsRepeatableAndReportsInOrder(t *testing.T) {
	asked := func(o runner.Options) (order []any) {
		f := truthful()
		answer := f.do
		f.do = func(r adapter.Request) (adapter.Response, error) {
			order = append(order, r.Threads[0][0].Args[0])
			return answer(r)
		}
		cases := numbered(20)
		for i := range cases {
			cases[i].Steps[0].Call.Args = []any{cases[i].ID}
		}
		reports := runner.Run(t.Context(), []runner.Surface{surfaceOf(f)}, cases, o)
		for i, outcome := range reports[0].Outcomes {
			assert.Equal(t, cases[i].ID, outcome.Case.ID)
		}
		return order
	}
	plain := asked(runner.Options{})
	shuffled := asked(runner.Options{Shuffle: true, Seed: 42})
	assert.NotEqual(t, plain, shuffled)
	assert.ElementsMatch(t, plain, shuffled)
	assert.Equal(t, shuffled, asked(runner.Options{Shuffle: true, Seed: 42}))
	assert.NotEqual(t, shuffled, asked(runner.Options{Shuffle: true, Seed: 43}))
}

func TestRun_SurfacesDoNotDisturbEachOther(t *testing.T) {
	surfaces := []runner.Surface{
		runner.Process("dies", adaptertest.Command("dies"), ample),
		runner.Process("exits", adaptertest.Command("exits"), ample),
		runner.Process("true", adaptertest.Command("true"), ample),
	}
	reports := runner.Run(t.Context(), surfaces, numbered(4), runner.Options{})
	assert.Equal(t, "dies", reports[0].Surface)
	assert.Error(t, reports[1].Broken)
	assert.Equal(t, []runner.Verdict{runner.Pass, runner.Pass, runner.Pass, runner.Pass}, verdicts(reports[2]))
	assert.Equal(t, runner.ExitBroken, runner.Exit(reports, nil))
}

func TestRun_OptionsStandBehindThePositionalArguments(t *testing.T) {
	f := truthful()
	f.do = func(r adapter.Request) (adapter.Response, error) {
		assert.Equal(t, []any{int64(2), map[string]any{"max_payload": int64(1)}}, r.New)
		assert.Empty(t, r.Threads, "a refused constructor leaves nothing to call")
		return adapter.Response{New: &adapter.Result{Error: "E"}}, nil
	}
	c := corpus.Case{
		ID: "c", System: "event", New: []any{int64(2)}, Options: map[string]any{"max_payload": int64(1)},
		NewRaises: surface.InvalidArgument,
	}
	_, exit := run(t, surfaceOf(f), []corpus.Case{c})
	assert.Equal(t, runner.ExitOK, exit)
}
