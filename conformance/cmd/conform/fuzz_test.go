package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFuzz_Green(t *testing.T) {
	code, out, stderr := conform(t, "fuzz", stub("faithful"), "--seed=1", "--count=2000")
	assert.Equal(t, runner.ExitOK, code, out)
	assert.Regexp(t, `^(\d+m\d+s: \d+ steps\n)*$`, stderr, "nothing on its way but a line a minute, should it take one")
	assert.Contains(t, out, "seed: --seed 1 draws the same traces\n")
	assert.Regexp(t, `(?m)^  ack +true \d+, false \d+; invalid: topic \d+, group \d+`, out)
	assert.Regexp(t, `(?m)^faithful +\d+ +\d{4} +\d+$`, out)
	assert.Regexp(t, `(?m)^ok: \d+ traces with 20\d\d steps drawn, \d+ judged on 1 of 1 surfaces without a failure$`, out)
}

// What is found is a case as it stands: it can be linted, it fails where it was
// found, and passes elsewhere.
func TestFuzz_WhatIsFoundIsACase(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "found")
	code, out, _ := conform(t, "fuzz", stub("true"), "--seed=1", "--system=message", "--count=2000", "--save="+folder)
	require.Equal(t, runner.ExitFailed, code, out)
	assert.Contains(t, out, "FAIL  message/fuzz-message-")
	assert.Regexp(t, ` run --adapter 'true=.*' --cases `+folder+` fuzz-message-`, out)
	assert.NotContains(t, out, "system: message", "the YAML is in its file")

	code, out, stderr := conform(t, "lint", folder)
	assert.Equal(t, runner.ExitOK, code, out+stderr)
	code, out, _ = conform(t, "run", stub("true"), "--cases="+folder)
	assert.Equal(t, runner.ExitFailed, code, out)
	code, out, _ = conform(t, "run", stub("faithful"), "--cases="+folder)
	assert.Equal(t, runner.ExitOK, code, out)
}

// Without a folder, the case is there to be copied, with the command that draws
// its trace again.
func TestFuzz_ShowsTheCase(t *testing.T) {
	code, out, _ := conform(t, "fuzz", stub("true"), "--seed=1", "--system=event", "--count=2000")
	assert.Equal(t, runner.ExitFailed, code)
	assert.Contains(t, out, "  expected   ")
	assert.Contains(t, out, "\nsystem: event\ncases:\n  - id: fuzz-event-")
	assert.Regexp(t, `again: .* fuzz --adapter 'true=.*' --system event --seed 1\n`, out)
}

// A case that cannot be written is shown all the same.
func TestFuzz_CaseThatCannotBeKept(t *testing.T) {
	args := []string{"fuzz", stub("true"), "--seed=1", "--system=event", "--count=100"}
	_, out, _ := conform(t, args...)
	_, id, _ := strings.Cut(out, "  - id: ")
	id, _, _ = strings.Cut(id, "\n")
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, id+".yaml"), 0o700))
	code, out, stderr := conform(t, append(args, "--save="+folder)...)
	assert.Equal(t, runner.ExitUsage, code)
	assert.Contains(t, stderr, "is a directory")
	assert.Contains(t, out, "\nsystem: event\ncases:\n  - id: "+id)
	assert.NotContains(t, out, "--cases", "where there is nothing to run")
}

func TestFuzz_Crash(t *testing.T) {
	code, out, _ := conform(t, "fuzz", stub("half"), "--seed=1", "--system=event", "--count=2000")
	assert.Equal(t, runner.ExitFailed, code)
	assert.Contains(t, out, "CRASH  event/fuzz-event-")
}

func TestFuzz_ExitCodes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, tc := range []struct {
		why  string
		args []string
		code int
	}{
		{"no such system", []string{"--system=cobol"}, runner.ExitUsage},
		{"no such surface", []string{"--surface=cobol"}, runner.ExitUsage},
		{"no steps", []string{"--count=0"}, runner.ExitUsage},
		{"no time", []string{"--for=0s"}, runner.ExitUsage},
		{"less than no time to shrink", []string{"--shrink=-1s"}, runner.ExitUsage},
		{"a seed that is none", []string{"--seed=x"}, runner.ExitUsage},
		{"a folder that cannot be made", []string{"--save=" + filepath.Join(file, "x")}, runner.ExitUsage},
		{"a pattern", []string{"retry-*"}, runner.ExitUsage},
		{"there is no such program", []string{"--adapter=x=./no-such-program"}, runner.ExitBroken},
		{"the adapter prints garbage", []string{stub("garbage")}, runner.ExitBroken},
	} {
		args := append([]string{"fuzz", "--count=100"}, tc.args...)
		if !strings.Contains(strings.Join(tc.args, " "), "--adapter") {
			args = append(args, stub("faithful"))
		}
		code, _, _ := conform(t, args...)
		assert.Equal(t, tc.code, code, tc.why)
	}
}

func TestProgress_ALineAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := progressTo(&b, 100, 0)
		p.at(10)
		time.Sleep(2 * time.Minute)
		p.at(20)
		p.at(30)
		p.end()
		assert.Equal(t, "2m0s: 20 steps\n", b.String())
	})
}

func TestProgress_Bar(t *testing.T) {
	for _, within := range []time.Duration{0, time.Hour} {
		var b bytes.Buffer
		p := newBar(&b, 100, within)
		p.at(50)
		p.at(200) // the last trace is a whole one
		p.end()
		assert.Contains(t, b.String(), "steps", within)
	}
}
