package main

import (
	"testing"

	"github.com/eventbroker/eventbroker/conformance/report"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestProgram(t *testing.T) {
	code, out, _ := conform(t, "program", "fail-another-offset", "--language=python", fail)
	assert.Equal(t, runner.ExitOK, code)
	assert.Contains(t, out, `broker.publish("t", 0, "a")`)
}

func TestProgram_Refuses(t *testing.T) {
	for says, args := range map[string][]string{
		"--language is needed: one of go, c, python, cpp": {"fail-another-offset", fail},
		`no language "cobol"`:                             {"fail-another-offset", fail, "--language=cobol"},
		"fail-* matches several cases":                    {"fail-*", fail, "--language=go"},
		"no-such-case":                                    {"no-such-case", fail, "--language=go"},
		"is about threads that run at once":               {"concurrent-ack-frees-the-place-in-the-same-instant", "--language=go"},
	} {
		code, out, stderr := conform(t, append([]string{"program"}, args...)...)
		assert.Equal(t, runner.ExitUsage, code, says)
		assert.Empty(t, out, says)
		assert.Contains(t, stderr, says)
	}
}

// A failure on a surface of the project's own names the command; one of an
// adapter from outside does not: its language is not known.
func TestRun_FailureNamesTheProgram(t *testing.T) {
	c, err := caseNamed("../../testdata/fail", "fail-another-offset")
	require.NoError(t, err)
	f := runFlags{cases: "../../testdata/fail", targets: targets{timeout: defaultTimeout, adapters: []string{"mine=true", "c=true"}}}
	program := func(surface string) string { return f.next(surface, c).Program }
	assert.Contains(t, program("python"), " program --language python --cases ../../testdata/fail fail-another-offset")
	assert.Contains(t, program("python-c"), " program --language python --cases ")
	assert.Empty(t, program("go-handles"), "a program makes its calls by names")
	assert.Empty(t, program("mine"))
	assert.Empty(t, program("c"), "an adapter of that name is somebody else's")
	assert.Contains(t, report.Failure("go", runner.Outcome{Case: c}, f.next("go", c)), "  as a program: ")
}
