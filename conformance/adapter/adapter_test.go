package adapter_test

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/adapter/adaptertest"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { adaptertest.Main(m) }

// ample is for adapters that are expected to answer, short for those that are
// expected not to.
const (
	ample = 10 * time.Minute
	short = 200 * time.Millisecond
)

func start(t *testing.T, stub string) *adapter.Adapter {
	t.Helper()
	a, err := adapter.Start(t.Context(), adaptertest.Command(stub), ample)
	require.NoError(t, err)
	t.Cleanup(func() { _ = a.Close(context.Background()) })
	return a
}

// request is a case of two calls.
func request(id int64) adapter.Request {
	calls := []corpus.Call{{Op: "create", Args: []any{"t", int64(1)}}, {Op: "leave", Args: []any{"t", "g", "m"}}}
	return adapter.Request{ID: id, System: "event", New: []any{int64(2)}, Threads: [][]corpus.Call{calls}}
}

func TestAdapter_AnswersAndEnds(t *testing.T) {
	a := start(t, "true")
	assert.Equal(t, "stub", a.Hello().Surface)

	for id := range int64(3) {
		response, err := a.Do(t.Context(), request(id))
		require.NoError(t, err)
		want := adapter.Response{Results: [][]adapter.Result{{{Value: true}, {Value: true}}}}
		assert.Empty(t, cmp.Diff(want, response))
	}
	assert.NoError(t, a.Close(t.Context()))
}

func TestAdapter_Failures(t *testing.T) {
	a := start(t, "errors")
	response, err := a.Do(t.Context(), request(1))
	require.NoError(t, err)
	failed := adapter.Result{Error: adaptertest.Error, Message: "no"}
	assert.Empty(t, cmp.Diff(adapter.Response{Results: [][]adapter.Result{{failed, failed}}}, response))

	a = start(t, "error")
	response, err = a.Do(t.Context(), request(1))
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff(adapter.Response{New: &failed}, response))
}

func TestStart_Breaks(t *testing.T) {
	for _, tc := range []struct{ stub, reason, stderr string }{
		{"exits", "it exited with status 1 before its hello", "no library\n"},
		{"prints", `its first line is not a JSON object: "Welcome!"`, ""},
		{"protocol-2", "protocol 1, the only one", ""},
		{"no-errors", "which type stands for invalid_argument", ""},
	} {
		t.Run(tc.stub, func(t *testing.T) {
			_, err := adapter.Start(t.Context(), adaptertest.Command(tc.stub), ample)
			var broke *adapter.Break
			require.ErrorAs(t, err, &broke)
			assert.ErrorContains(t, err, tc.reason)
			assert.Equal(t, tc.stderr, broke.Stderr)
		})
	}
}

func TestStart_NoSuchProgram(t *testing.T) {
	_, err := adapter.Start(t.Context(), adapter.Command{Args: []string{"./no-such-program"}}, ample)
	assert.ErrorContains(t, err, "cannot be started")

	_, err = adapter.Start(t.Context(), adapter.Shell("no-such-program"), ample)
	assert.ErrorContains(t, err, "exited with status 127 before its hello")
}

func TestStart_NoHelloInTime(t *testing.T) {
	_, err := adapter.Start(t.Context(), adaptertest.Command("silent"), short)
	var broke *adapter.Break
	require.ErrorAs(t, err, &broke)
	assert.ErrorContains(t, err, "no hello within 200ms")
}

func TestDo_Crashes(t *testing.T) {
	for _, tc := range []struct {
		stub string
		id   int64
		how  string
	}{
		{"dies", 2, "killed by signal 11 (segmentation fault)"},
		{"dies", 3, "exited with status 0"},
		{"dies", 4, "exited with status 255"},
		{"half", 1, "exited with status 7"},
	} {
		t.Run(tc.stub+" "+strconv.FormatInt(tc.id, 10), func(t *testing.T) {
			a := start(t, tc.stub)
			_, err := a.Do(t.Context(), request(tc.id))
			var crash *adapter.Crash
			require.ErrorAs(t, err, &crash)
			assert.Equal(t, tc.how, crash.How)
		})
	}
}

func TestDo_CloseWithoutAnEndIsACrash(t *testing.T) {
	a := start(t, "closes")
	defer adapter.LimitGrace(short)()
	_, err := a.Do(t.Context(), request(1))
	var crash *adapter.Crash
	require.ErrorAs(t, err, &crash)
	assert.Equal(t, "closed its standard output and stayed", crash.How)
}

func TestDo_CrashKeepsStderr(t *testing.T) {
	a := start(t, "dies")
	_, err := a.Do(t.Context(), request(2))
	require.Error(t, err)
	assert.Equal(t, "about to die\n", a.Stderr())
}

// A child that the adapter leaves behind holds its pipes open and must neither
// hide the crash nor outlive it.
func TestDo_CrashTakesTheGroupAlong(t *testing.T) {
	a := start(t, "orphan")
	_, err := a.Do(t.Context(), request(1))
	var crash *adapter.Crash
	require.ErrorAs(t, err, &crash)
	assert.Equal(t, "exited with status 9", crash.How)

	pid, err := strconv.Atoi(strings.TrimSpace(a.Stderr()))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return ended(pid) }, ample, time.Millisecond)
}

// ended also holds for a process that nobody has waited for yet.
func ended(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || strings.Contains(string(stat), ") Z ")
}

func TestDo_Timeouts(t *testing.T) {
	for _, stub := range []string{"mute", "sleeps"} {
		t.Run(stub, func(t *testing.T) {
			a := start(t, stub)
			a.SetTimeout(short)
			_, err := a.Do(t.Context(), request(1))
			var timeout *adapter.Timeout
			require.ErrorAs(t, err, &timeout)
			assert.NoError(t, a.Close(t.Context()), "it is gone already")
		})
	}
}

// A request that fills the pipe of an adapter that does not read must not block
// the runner.
func TestDo_TimeoutWhileWriting(t *testing.T) {
	a := start(t, "sleeps")
	a.SetTimeout(short)
	large := request(1)
	large.Threads[0][0].Args[0] = strings.Repeat("x", 1<<20)
	_, err := a.Do(t.Context(), large)
	var timeout *adapter.Timeout
	assert.ErrorAs(t, err, &timeout)
}

func TestDo_Breaks(t *testing.T) {
	for stub, reason := range map[string]string{
		"garbage":    `it wrote a line that is not a JSON object: "lorem ipsum"`,
		"blank":      "it wrote a line that is not a JSON object",
		"stray":      `it wrote a line that is not a JSON object: "debug: {\"id\":1,`,
		"wrong-id":   "its answer has id 2 where 1 was asked",
		"no-id":      "its answer to id 1 has no id",
		"no-results": "results must be a list of length 1",
	} {
		t.Run(stub, func(t *testing.T) {
			a := start(t, stub)
			_, err := a.Do(t.Context(), request(1))
			var broke *adapter.Break
			require.ErrorAs(t, err, &broke)
			assert.ErrorContains(t, err, reason)
		})
	}
}

func TestDo_SecondAnswerIsNoAnswerToTheNext(t *testing.T) {
	a := start(t, "twice")
	_, err := a.Do(t.Context(), request(1))
	require.NoError(t, err)
	_, err = a.Do(t.Context(), request(2))
	assert.ErrorContains(t, err, "its answer has id 1 where 2 was asked")
}

func TestDo_FloodOnStandardErrorDoesNotBlock(t *testing.T) {
	a := start(t, "flood")
	_, err := a.Do(t.Context(), request(1))
	require.NoError(t, err)
	require.NoError(t, a.Close(t.Context()))
	assert.Less(t, len(a.Stderr()), 10<<10)
	assert.True(t, strings.HasSuffix(a.Stderr(), "e\nthe end\n"))
}

func TestDo_LongLine(t *testing.T) {
	a := start(t, "long")
	r := request(1)
	r.Threads[0] = r.Threads[0][:1]
	response, err := a.Do(t.Context(), r)
	require.NoError(t, err)
	assert.Len(t, response.Results[0][0].Value, 5<<20)
}

func TestDo_LineAboveTheLimitIsRefused(t *testing.T) {
	_, err := start(t, "endless").Do(t.Context(), request(1))
	assert.ErrorContains(t, err, "its response is too large: a line above 64 MiB")
}

func TestClose_Breaks(t *testing.T) {
	for stub, reason := range map[string]string{
		"status-3":  "it exited with status 3 at the end of its input, where status 0 is due",
		"last-word": `it wrote to standard output after its last answer: "bye"`,
	} {
		t.Run(stub, func(t *testing.T) {
			err := start(t, stub).Close(t.Context())
			var broke *adapter.Break
			require.ErrorAs(t, err, &broke)
			assert.ErrorContains(t, err, reason)
		})
	}
}

func TestClose_LingeringAdapterIsKilled(t *testing.T) {
	a := start(t, "lingers")
	a.SetTimeout(short)
	assert.ErrorContains(t, a.Close(t.Context()), "it did not exit within 200ms of the end of its input")
}

func TestCancel_KillsTheAdapter(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	a := start(t, "mute")
	time.AfterFunc(short, cancel)
	_, err := a.Do(ctx, request(1))
	assert.ErrorIs(t, err, context.Canceled)

	_, err = adapter.Start(ctx, adaptertest.Command("true"), ample)
	assert.ErrorIs(t, err, context.Canceled)
}
