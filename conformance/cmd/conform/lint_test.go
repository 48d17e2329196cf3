package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// conform runs a command line and gives its exit code and what it said.
func conform(t *testing.T, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = execute(t.Context(), args, &out, &err)
	return code, out.String(), err.String()
}

// folderWith is a corpus of one file.
func folderWith(t *testing.T, content string) string {
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, "x.yaml"), []byte(content), 0o644))
	return folder
}

const oneCase = `system: event
cases:
  - {id: one, spec: [EB-01], why: because, needs: [wide_integers], new: [9999999999999999999], new_raises: invalid_argument}
`

func TestLint_BuiltIn(t *testing.T) {
	code, stdout, stderr := conform(t, "lint")
	assert.Zero(t, code, stderr)
	assert.Regexp(t, `(?m)^EB-01 +\d+  [a-z0-9-]+,`, stdout)
	assert.Regexp(t, `(?m)^EB-15† +\d+  broker/event/[a-z_]+.go Test`, stdout)
	assert.Regexp(t, `(?m)^\d+ clauses, \d+ cases$`, stdout)
	assert.Empty(t, stderr)
}

func TestLint_Folder(t *testing.T) {
	code, stdout, stderr := conform(t, "lint", folderWith(t, oneCase))
	assert.Zero(t, code, stderr)
	assert.Contains(t, stdout, "EB-01    1  one\n")
	assert.Contains(t, stdout, "EB-02    0\n")
}

func TestLint_InvalidFolder(t *testing.T) {
	for content, problem := range map[string]string{
		"": "x.yaml:1: the file is empty\n",
		"system: event\ncases:\n  - {id: one, spec: [EB-99], why: a, new: [0], new_raises: invalid_argument}\n": "x.yaml:3: case one: the contract has no clause EB-99\n",
	} {
		code, _, stderr := conform(t, "lint", folderWith(t, content))
		assert.Equal(t, 2, code)
		assert.Equal(t, problem, stderr)
	}
}

func TestLint_Usage(t *testing.T) {
	for _, args := range [][]string{{"lint", "no-such-folder"}, {"lint", "lint_test.go"}, {"lint", "a", "b"}, {"lint", "--no-such-flag"}} {
		code, stdout, stderr := conform(t, args...)
		assert.Equal(t, 2, code)
		assert.Empty(t, stdout)
		assert.NotEmpty(t, stderr)
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// What could not be said is no success.
func TestOutputThatIsLost(t *testing.T) {
	for _, args := range [][]string{{"lint"}, {"list"}, {"list", "--json"}, {"run", pass, stub("faithful")}, {"doctor", stub("faithful")}} {
		assert.Equal(t, runner.ExitUsage, execute(t.Context(), args, full{}, io.Discard), args[0])
	}
}

func TestFold(t *testing.T) {
	assert.Equal(t, "aa, bb,\n  cc,\n  dddddddddd", fold([]string{"aa", "bb", "cc", "dddddddddd"}, 9, "  "))
	assert.Empty(t, fold(nil, 9, "  "))
}
