package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCheck_SerialSurface(t *testing.T) {
	code, out, stderr := conform(t, "check", stub("faithful"), "--histories=3", "--seed=1")
	assert.Equal(t, runner.ExitOK, code, out)
	assert.Empty(t, stderr)
	assert.Equal(t, ""+
		"surface    histories of   histories   calls   overlap   verdict\n"+
		"faithful   event          3           600     serial    linearizable\n"+
		"faithful   message        3           600     serial    linearizable\n", out)
}

func TestCheck_Cases(t *testing.T) {
	code, out, _ := conform(t, "check", stub("faithful"), "--histories=2", "event/concurrent-create-*")
	assert.Equal(t, runner.ExitOK, code, out)
	assert.Regexp(t, `faithful +event/concurrent-create-is-true-once +2 +18 +serial +linearizable\n`, out)
}

// What failed is kept, and can be judged again.
func TestCheck_Failure(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "kept")
	code, out, _ := conform(t, "check", stub("true"), "--system=event", "--seed=5", "--histories=9", "--save="+folder)
	assert.Equal(t, runner.ExitFailed, code)
	assert.Contains(t, out, "FAIL  event/generated on true: ")
	assert.Contains(t, out, ", in history 1\n")
	assert.Regexp(t, `again: .* check --adapter '?true=.* --system event --histories 9 --seed 5\n`, out)

	picture, err := os.ReadFile(filepath.Join(folder, "event-generated-true.html"))
	require.NoError(t, err)
	assert.Contains(t, string(picture), "create t")
	code, again, _ := conform(t, "check", "--history="+filepath.Join(folder, "event-generated-true.json"))
	assert.Equal(t, runner.ExitFailed, code)
	assert.Regexp(t, `^FAIL  `, again)
}

func TestCheck_HistoryThatCannotBeKept(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "event-generated-true.json"), 0o700))
	code, out, stderr := conform(t, "check", stub("true"), "--system=event", "--seed=5", "--histories=9", "--save="+folder)
	assert.Equal(t, runner.ExitUsage, code)
	assert.Contains(t, stderr, "is a directory")
	assert.Contains(t, out, "FAIL  event/generated on true: ")
	assert.NotContains(t, out, "kept in")
}

// The command to do it again names all that it was done with.
func TestCheck_Again(t *testing.T) {
	cases := folderWith(t, `system: event
cases:
  - id: two
    spec: [EB-15]
    why: two make one topic
    new: [1]
    threads:
      - [[create, t, 1]]
      - [[create, t, 1]]
    rounds: 5
    check: linearizable
`)
	_, out, stderr := conform(t, "check", stub("true"), "--cases="+cases, "--histories=7", "--timeout=9m", "--save="+t.TempDir(), "two")
	assert.Empty(t, stderr)
	assert.Regexp(t, ` --timeout 9m0s --cases `+cases+` --histories 7 event/two\n`, out)
	_, out, _ = conform(t, "check", stub("true"), "--system=event", "--seed=5", "--histories=9", "--timeout=9m", "--save="+t.TempDir())
	assert.Regexp(t, ` --timeout 9m0s --system event --histories 9 --seed 5\n`, out)
}

// A flag that would be passed over says so.
func TestCheck_FlagsThatDoNotGoTogether(t *testing.T) {
	for flag, args := range map[string][]string{
		"--seed":      {stub("faithful"), "--seed=1", "concurrent-*"},
		"--threads":   {stub("faithful"), "--threads=3", "concurrent-*"},
		"--calls":     {stub("faithful"), "--calls=3", "concurrent-*"},
		"--cases":     {stub("faithful"), "--cases=../../testdata/pass", "--histories=1"},
		"--surface":   {"--history=x.json", "--surface=go"},
		"--histories": {"--history=x.json", "--histories=3"},
	} {
		code, _, stderr := conform(t, append([]string{"check"}, args...)...)
		assert.Equal(t, runner.ExitUsage, code, flag)
		assert.Contains(t, stderr, "conform: "+flag+": ", flag)
	}
}

func TestCheck_SavedHistoryThatIsWell(t *testing.T) {
	file := filepath.Join(t.TempDir(), "h.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"system":"event","new":[1],"calls":[{"thread":1,"at":[1,2],"call":["create","t",1],"ok":true}]}`), 0o600))
	code, out, _ := conform(t, "check", "--history="+file)
	assert.Equal(t, runner.ExitOK, code)
	assert.Equal(t, "linearizable\n", out)
}

func TestCheck_ExitCodes(t *testing.T) {
	few := "--histories=1"
	for _, tc := range []struct {
		why  string
		args []string
		code int
	}{
		{"it ends over a history", []string{stub("half"), few}, runner.ExitFailed},
		{"a system that it has not", []string{stub("message"), few, "--system=event"}, runner.ExitIncomplete},
		{"it does not start", []string{stub("exits"), few}, runner.ExitBroken},
		{"no histories", []string{stub("faithful"), "--histories=0"}, runner.ExitUsage},
		{"one thread", []string{stub("faithful"), "--threads=1"}, runner.ExitUsage},
		{"nine threads", []string{stub("faithful"), "--threads=9"}, runner.ExitUsage},
		{"more than 200 calls", []string{stub("faithful"), "--threads=4", "--calls=51"}, runner.ExitUsage},
		{"a system without histories", []string{stub("faithful"), "--system=assign"}, runner.ExitUsage},
		{"a case that is not concurrent", []string{stub("faithful"), "retry-*"}, runner.ExitUsage},
		{"a case of another system", []string{stub("faithful"), "--system=message", "concurrent-create-*"}, runner.ExitUsage},
		{"no such history", []string{"--history=./no-such-file"}, runner.ExitUsage},
		{"no history at all", []string{"--history=check_test.go"}, runner.ExitUsage},
		{"a history and a pattern", []string{"--history=x.json", "concurrent-*"}, runner.ExitUsage},
		{"a folder that cannot be made", []string{stub("true"), few, "--save=check_test.go"}, runner.ExitUsage},
	} {
		code, _, _ := conform(t, append([]string{"check"}, tc.args...)...)
		assert.Equal(t, tc.code, code, tc.why)
	}
}
