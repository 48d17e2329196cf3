package runner_test

import (
	"context"
	"slices"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/history"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/stretchr/testify/assert"
)

// concurrent is a case of two threads that make a topic after another was made.
func concurrent() corpus.Case {
	create := func(topic string) corpus.Call { return corpus.Call{Op: "create", Args: []any{topic, int64(1)}} }
	return corpus.Case{
		ID: "c", System: "event", New: []any{int64(1)}, Rounds: 3, Check: corpus.Linearizable,
		Before:  []corpus.Step{{Call: create("t"), Returns: true}},
		Threads: [][]corpus.Call{{create("u")}, {create("u")}},
	}
}

// recorder answers with these values, of which the first is that of the
// preparation, and with times that overlap.
func recorder(overlap int64, values ...any) *fake {
	return &fake{hello: hello, do: func(adapter.Request) (adapter.Response, error) {
		var response adapter.Response
		for _, v := range values {
			response.Results = append(response.Results, []adapter.Result{{Value: v, At: &adapter.Span{Call: 1, Return: 2}}})
		}
		response.Overlap = &overlap
		return response, nil
	}}
}

func TestRun_ConcurrentCases(t *testing.T) {
	silent := recorder(1, true, true, false)
	answer := silent.do
	silent.do = func(r adapter.Request) (adapter.Response, error) {
		response, err := answer(r)
		response.Overlap = nil
		return response, err
	}
	crash := &fake{hello: hello, do: func(adapter.Request) (adapter.Response, error) {
		return adapter.Response{}, &adapter.Crash{How: "fell over"}
	}}
	refusing := &fake{hello: hello, do: func(adapter.Request) (adapter.Response, error) {
		return adapter.Response{New: &adapter.Result{Error: "E", Message: "no"}}, nil
	}}
	for _, tc := range []struct {
		why     string
		adapter *fake
		verdict runner.Verdict
		detail  string
		exit    int
	}{
		{"one of the two makes it", recorder(1, true, true, false), runner.Pass, "", runner.ExitOK},
		{"both do", recorder(1, true, true, true), runner.Fail, "no order of the calls: create u 1 → true", runner.ExitFailed},
		{"the preparation goes wrong", recorder(1, false, true, false), runner.Fail,
			"before the threads, step 1: create t 1 → false, where true is due", runner.ExitFailed},
		{"they never met", recorder(0, true, true, false), runner.Incomplete, "only 0 of 60 calls overlapped, less than 1 % of those in 3 histories", runner.ExitIncomplete},
		{"nobody counts", silent, runner.Incomplete, "does not count", runner.ExitIncomplete},
		{"nobody says when", withPreparation(truthful()), runner.Incomplete, "does not say when", runner.ExitIncomplete},
		{"there is no broker", refusing, runner.Fail, "the constructor failed with E: no", runner.ExitFailed},
		{"a crash", crash, runner.Crash, "fell over, in history 1", runner.ExitFailed},
	} {
		report, exit := run(t, surfaceOf(tc.adapter), []corpus.Case{concurrent()})
		assert.Equal(t, tc.verdict, report.Outcomes[0].Verdict, tc.why)
		assert.Contains(t, report.Outcomes[0].Detail, tc.detail, tc.why)
		assert.Equal(t, tc.exit, exit, tc.why)
	}
}

// withPreparation gives a result for each list, the one before the threads too.
func withPreparation(f *fake) *fake {
	do := f.do
	f.do = func(r adapter.Request) (adapter.Response, error) {
		r.Threads = append([][]corpus.Call{r.Before}, r.Threads...)
		return do(r)
	}
	return f
}

// Calls in turn overlap nowhere, and need not.
func TestRun_SerialSurfaceIsExempt(t *testing.T) {
	f := recorder(0, true, true, false)
	f.hello.Serial = true
	answer := f.do
	f.do = func(r adapter.Request) (adapter.Response, error) {
		assert.False(t, r.Record)
		assert.Len(t, r.Threads, 3)
		return answer(r)
	}
	report, exit := run(t, surfaceOf(f), []corpus.Case{concurrent()})
	assert.Equal(t, runner.Pass, report.Outcomes[0].Verdict)
	assert.Equal(t, &runner.Tally{Histories: 3, Calls: 6, Serial: true}, report.Outcomes[0].Histories)
	assert.Equal(t, runner.ExitOK, exit)

	f.do = recorder(0, true, false, true).do // the second cannot make it when the first has not
	report, _ = run(t, surfaceOf(f), []corpus.Case{concurrent()})
	assert.Equal(t, runner.Fail, report.Outcomes[0].Verdict)
	assert.Equal(t, history.Illegal, report.Outcomes[0].Illegal.Judgement.Verdict)
}

// Concurrent cases have an adapter of their own, started after the others' is
// closed.
func TestRun_ConcurrentCasesHaveAnAdapterOfTheirOwn(t *testing.T) {
	var started []string
	starts := func(name string, f *fake) func(context.Context) (runner.Adapter, error) {
		return func(context.Context) (runner.Adapter, error) { started = append(started, name); return f, nil }
	}
	s := runner.Surface{Name: "fake", Start: starts("plain", truthful()), Record: starts("counting", recorder(1, true, true, false))}
	report, _ := run(t, s, []corpus.Case{concurrent(), caseOf("a", true)})
	assert.Equal(t, []runner.Verdict{runner.Pass, runner.Pass}, verdicts(report))
	assert.Equal(t, []string{"plain", "counting"}, started)

	started = nil
	run(t, s, []corpus.Case{concurrent()})
	assert.Equal(t, []string{"counting"}, started)
}

func TestRun_ConcurrentCasesThatNobodyCanJudge(t *testing.T) {
	impossible := concurrent()
	impossible.New = []any{int64(0)}
	report, _ := run(t, surfaceOf(recorder(1, true, true, false)), []corpus.Case{impossible})
	assert.Equal(t, runner.Fail, report.Outcomes[0].Verdict)
	assert.Contains(t, report.Outcomes[0].Detail, "a constructor that the reference model refuses: invalid argument: capacity")

	handlers := concurrent()
	handlers.System = "pubsub"
	f := truthful()
	f.hello.Systems = append(slices.Clone(f.hello.Systems), "pubsub")
	report, exit := run(t, surfaceOf(f), []corpus.Case{handlers})
	assert.Equal(t, runner.Incomplete, report.Outcomes[0].Verdict)
	assert.Equal(t, "histories of pubsub are not judged", report.Outcomes[0].Detail)
	assert.Equal(t, runner.ExitIncomplete, exit)
}

// On a busy machine the threads run one after the other, now and then for long.
func TestRun_ThreadsThatDoNotMeetAtFirst(t *testing.T) {
	f := recorder(0, true, true, false)
	apart, rounds := f.do, 0
	f.do = func(r adapter.Request) (adapter.Response, error) {
		if rounds++; rounds < 7 {
			return apart(r)
		}
		return recorder(1, true, true, false).do(r)
	}
	report, exit := run(t, surfaceOf(f), []corpus.Case{concurrent()})
	assert.Equal(t, runner.Pass, report.Outcomes[0].Verdict)
	assert.Equal(t, &runner.Tally{Histories: 7, Calls: 14, Overlap: 1}, report.Outcomes[0].Histories)
	assert.Equal(t, runner.ExitOK, exit)
}

// No more calls can meet than there were, whatever is counted.
func TestRun_OverlapIsAtMostAllCalls(t *testing.T) {
	report, _ := run(t, surfaceOf(recorder(1<<62, true, true, false)), []corpus.Case{concurrent()})
	assert.Equal(t, runner.Pass, report.Outcomes[0].Verdict)
	assert.Equal(t, 6, report.Outcomes[0].Histories.Overlap)
}

// What the kit exempts from overlap is written down too: one of the project's own
// surfaces is not let off for saying so itself.
func TestRun_OwnSurfaceIsNotSerial(t *testing.T) {
	f := recorder(1, true, true, false)
	own, _ := surface.Find("go")
	f.hello = adapter.Hello{Surface: "go", Systems: own.Systems, Features: own.Features, Errors: own.Errors, Serial: true}
	s := surfaceOf(f)
	s.Name, s.Own = "go", &own
	report, exit := run(t, s, []corpus.Case{concurrent()})
	assert.ErrorContains(t, report.Broken, "serial")
	assert.Equal(t, runner.ExitBroken, exit)
}

// Of histories that take too long to judge, the rest is not waited for.
func TestRun_SearchesThatTakeTooLong(t *testing.T) {
	defer runner.LimitSearches(0)()
	c := concurrent()
	c.Rounds = 100
	report, exit := run(t, surfaceOf(recorder(1, true, true, false)), []corpus.Case{c})
	assert.Equal(t, runner.Patience, report.Outcomes[0].Histories.Histories)
	assert.Contains(t, report.Outcomes[0].Detail, "3 of 3 histories took longer than 0s to judge")
	assert.Equal(t, runner.ExitIncomplete, exit)
}
