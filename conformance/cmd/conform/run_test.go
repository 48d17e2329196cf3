package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/eventbroker/eventbroker/conformance/adapter/adaptertest"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) { adaptertest.Main(m) }

// stub is the flag for a stub as an adapter.
func stub(name string) string { return "--adapter=" + name + "=" + adaptertest.Line(name) }

const (
	pass = "--cases=../../testdata/pass"
	fail = "--cases=../../testdata/fail"
)

func TestRun_Green(t *testing.T) {
	code, out, stderr := conform(t, "run", pass, stub("faithful"))
	assert.Equal(t, runner.ExitOK, code)
	assert.Empty(t, stderr)
	assert.Regexp(t, `^surface    event   message   pubsub   assign\nfaithful   7/7     1/1       6/6      3/3\n\nok: 17 of 17 judged cases passed on 1 surface\n$`, out)
}

func TestRun_WholeCorpusOnTheModel(t *testing.T) {
	code, out, _ := conform(t, "run", stub("faithful"))
	assert.Equal(t, runner.ExitOK, code, out)
}

func TestRun_ExitCodes(t *testing.T) {
	for _, tc := range []struct {
		why  string
		args []string
		code int
	}{
		{"a case fails", []string{fail, stub("faithful")}, runner.ExitFailed},
		{"one surface of two fails", []string{pass, stub("faithful"), stub("true")}, runner.ExitFailed},
		{"the adapter crashes", []string{pass, stub("half")}, runner.ExitFailed},
		{"the adapter ends at once", []string{pass, "--adapter=x=true"}, runner.ExitBroken},
		{"there is no such program", []string{pass, "--adapter=x=./no-such-program"}, runner.ExitBroken},
		{"the adapter prints garbage", []string{pass, stub("garbage")}, runner.ExitBroken},
		{"the adapter ends badly", []string{pass, stub("status-3")}, runner.ExitBroken},
		{"broken comes before failed", []string{fail, stub("faithful"), stub("exits")}, runner.ExitBroken},
		{"no case by that name", []string{pass, stub("faithful"), "no-such-case"}, runner.ExitUsage},
		{"a usage error comes before all", []string{pass, stub("exits"), "no-such-case"}, runner.ExitUsage},
		{"no such folder", []string{"--cases=./no-such-folder", stub("faithful")}, runner.ExitUsage},
		{"no such surface", []string{pass, "--surface=cobol"}, runner.ExitUsage},
		{"no such flag", []string{pass, "--no-such-flag"}, runner.ExitUsage},
		{"an adapter without a command", []string{pass, "--adapter=x="}, runner.ExitUsage},
		{"an adapter without a name", []string{pass, "--adapter==true"}, runner.ExitUsage},
		{"a name twice", []string{pass, stub("true"), stub("true")}, runner.ExitUsage},
		{"the name of a surface that runs too", []string{pass, "--surface=go", "--adapter=go=true"}, runner.ExitUsage},
		{"a timeout of nothing", []string{pass, "--timeout=0s", stub("true")}, runner.ExitUsage},
		{"a seed that is none", []string{pass, "--shuffle=x", stub("true")}, runner.ExitUsage},
		{"no such list", []string{pass, "--known-failing=./no-such-list", stub("true")}, runner.ExitUsage},
		{"two reports in one file", []string{pass, "--junit=/dev/null", "--json=/dev/null", stub("true")}, runner.ExitUsage},
		{"a report that cannot be written", []string{pass, "--junit=./no-such-folder/x.xml", stub("true")}, runner.ExitUsage},
	} {
		code, _, _ := conform(t, append([]string{"run"}, tc.args...)...)
		assert.Equal(t, tc.code, code, tc.why)
	}
}

func TestRun_EmptyCorpusIsNotGreen(t *testing.T) {
	code, _, stderr := conform(t, "run", "--cases="+t.TempDir(), stub("faithful"))
	assert.Equal(t, runner.ExitUsage, code)
	assert.Contains(t, stderr, "no cases")
}

func TestRun_WhatAdapterReadsAndNeverAnswers(t *testing.T) {
	code, out, _ := conform(t, "run", pass, "--adapter=x=while read line; do :; done", "--timeout=200ms")
	assert.Equal(t, runner.ExitBroken, code)
	assert.Contains(t, out, "BROKEN adapter of x: no hello within 200ms\n")
}

func TestRun_Timeout(t *testing.T) {
	t.Parallel() // it waits
	for limit := 2 * time.Second; ; limit *= 2 {
		code, out, _ := conform(t, "run", pass, stub("mute"), "--timeout="+limit.String())
		if strings.Contains(out, "no hello within") {
			continue // which is the machine's fault
		}
		assert.Equal(t, runner.ExitFailed, code)
		assert.Contains(t, out, "GAVE UP on mute after 3 time-outs in a row")
		assert.Contains(t, out, " --timeout "+limit.String()+" pass-", "the command to run it again")
		return
	}
}

// Without adapters all of the project's surfaces run; beside a test's
// executable none has been built, which must be said and must not be green.
func TestRun_OwnSurfacesNotBuilt(t *testing.T) {
	code, out, _ := conform(t, "run", pass)
	assert.Equal(t, runner.ExitBroken, code)
	for _, name := range ownNames() {
		assert.Contains(t, out, "BROKEN adapter of "+name)
	}
	assert.Contains(t, out, "run ci/conform, which builds it")
}

func TestRun_FailureCanBeRunAgain(t *testing.T) {
	_, out, _ := conform(t, "run", fail, stub("faithful"), "fail-another-offset")
	_, again, found := strings.Cut(out, "  again: ")
	require.True(t, found, out)
	command, _, _ := strings.Cut(again, "\n")
	assert.True(t, strings.HasSuffix(command, " --cases ../../testdata/fail fail-another-offset"), command)
	assert.Contains(t, command, " run --adapter 'faithful=GORACE=")
	assert.Contains(t, out, "(EB-05, ../../testdata/fail/wrong.yaml:7)")
}

func TestQuote(t *testing.T) {
	assert.Equal(t, "build/bin/conform", quote("build/bin/conform"))
	assert.Equal(t, `'mine=it'\''s mine'`, quote("mine=it's mine"))
}

func TestRun_ShuffleSaysItsSeed(t *testing.T) {
	code, out, _ := conform(t, "run", pass, "--shuffle", stub("faithful"))
	assert.Equal(t, runner.ExitOK, code)
	assert.Regexp(t, `^shuffled: --shuffle=\d+ gives the same order\n`, out)

	code, _, stderr := conform(t, "run", pass, "--shuffle", "42", stub("faithful"))
	assert.Equal(t, runner.ExitUsage, code)
	assert.Contains(t, stderr, "--shuffle=42")

	_, out, _ = conform(t, "run", pass, "--shuffle=42", stub("faithful"))
	assert.Contains(t, out, "shuffled: --shuffle=42 gives the same order\n")
}

func TestRun_KnownFailing(t *testing.T) {
	list := filepath.Join(t.TempDir(), "known.txt")
	known := func(lines string, more ...string) (string, int) {
		require.NoError(t, os.WriteFile(list, []byte(lines), 0o600))
		code, out, stderr := conform(t, append([]string{"run", fail, "--known-failing=" + list, stub("faithful")}, more...)...)
		return out + stderr, code
	}
	out, code := known("fail-another-offset faithful fail off by one\n", "fail-another-offset")
	assert.Equal(t, runner.ExitOK, code, out)
	assert.Contains(t, out, "ok: 0 of 1 judged cases passed on 1 surface, 1 failed, 1 of these known\n")

	out, code = known("fail-another-offset faithful crash r\nno-such-case faithful fail r\n", "fail-another-offset")
	assert.Equal(t, runner.ExitStale, code, out)
	assert.Contains(t, out, "STALE  known-failing list, line 1: fail-another-offset on faithful (crash): its verdict is now fail\n")
	assert.Contains(t, out, "STALE  known-failing list, line 2: no-such-case on faithful (fail): there is no such case\n")

	out, code = known("fail-another-offset faithful fail\n")
	assert.Equal(t, runner.ExitUsage, code)
	assert.Contains(t, out, "known.txt: line 1:")
}

func TestRun_ReportFiles(t *testing.T) {
	dir := t.TempDir()
	junit, json := filepath.Join(dir, "j.xml"), filepath.Join(dir, "j.json")
	code, _, _ := conform(t, "run", pass, stub("faithful"), "--junit="+junit, "--json="+json)
	assert.Equal(t, runner.ExitOK, code)
	for file, part := range map[string]string{junit: `<testsuite name="faithful" tests="17" failures="0" errors="0" skipped="0">`, json: `"exit": 0`} {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Contains(t, string(data), part)
	}
}

func TestRun_Interrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	var out, stderr bytes.Buffer
	code := execute(ctx, []string{"run", pass, stub("mute")}, &out, &stderr)
	assert.Equal(t, exitInterrupted, code)
	assert.Equal(t, "conform: interrupted\n", stderr.String())
}
