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
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// started is an adapter that leaves a line in the file each time it is started.
func started(name, file, line string) string {
	return "--adapter=" + name + "=echo >>" + file + "; " + line
}

// ample is for adapters to start, also where there are others' to start first.
const ample = 10 * time.Minute

// interrupted runs a command and interrupts it once the file has so many lines.
func interrupted(t *testing.T, file string, lines int, args ...string) (code int, stdout, stderr string) {
	ctx, cancel := context.WithCancel(t.Context())
	var out, errs bytes.Buffer
	done := make(chan int)
	go func() { done <- execute(ctx, args, &out, &errs) }()
	require.Eventually(t, func() bool {
		data, _ := os.ReadFile(file)
		return strings.Count(string(data), "\n") >= lines
	}, ample, time.Millisecond)
	cancel()
	return <-done, out.String(), errs.String()
}

// Who interrupts a long run wants what it has found.
func TestInterrupted_CheckShowsWhatFailed(t *testing.T) {
	file, folder := filepath.Join(t.TempDir(), "started"), t.TempDir()
	code, out, stderr := interrupted(t, file, 1, "check", "--timeout=1h", "--histories=2", "--seed=1", "--save="+folder,
		stub("true"), started("endless", file, "exec sleep 1000"))
	assert.Equal(t, exitInterrupted, code)
	assert.Equal(t, "conform: interrupted\n", stderr)
	assert.Contains(t, out, "FAIL  event/generated on true: ")
	assert.NotContains(t, out, "endless", "of which nothing is known")
	assert.FileExists(t, filepath.Join(folder, "event-generated-true.json"))
}

func TestInterrupted_FuzzShowsWhatFailed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "started")
	code, out, stderr := interrupted(t, file, 2, "fuzz", "--timeout=1h", "--for=1h", "--seed=1", "--system=event",
		started("true", file, adaptertest.Line("true")), stub("faithful")) // the second start is to make it smaller
	assert.Equal(t, exitInterrupted, code)
	assert.Equal(t, "conform: interrupted\n", stderr)
	assert.Contains(t, out, "FAIL  event/fuzz-event-")
	assert.NotContains(t, out, "did not fail again")
}
