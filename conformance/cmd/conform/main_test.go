package main

import (
	"testing"

	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/stretchr/testify/assert"
)

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"no-such-command"}, {"--no-such-flag"}, {"adapters", "x"}, {"doctor", "x"},
		{"mutate", "--score", "x.md", "--sample", "8"}, {"mutate", "--score", "x.md", "--system", "event"}} {
		code, _, stderr := conform(t, args...)
		assert.Equal(t, runner.ExitUsage, code, args)
		assert.Contains(t, stderr, "--help", args)
	}
}

func TestVersion(t *testing.T) {
	code, out, _ := conform(t, "--version")
	assert.Equal(t, runner.ExitOK, code)
	assert.Equal(t, "conform version "+version+"\n", out)
}

func TestHelp_EveryCommandHasAnExample(t *testing.T) {
	for _, command := range rootCommand().Commands() {
		assert.NotEmpty(t, command.Example, command.Name())
	}
}

func TestAdapters(t *testing.T) {
	code, out, _ := conform(t, "adapters")
	assert.Equal(t, runner.ExitBroken, code, "beside a test's executable nothing has been built")
	assert.Regexp(t, `(?m)^python +python3 conformance/adapters/python +.*run ci/conform`, out)
}

func TestDoctor(t *testing.T) {
	code, out, _ := conform(t, "doctor", stub("faithful"))
	assert.Equal(t, runner.ExitOK, code, out)

	code, out, _ = conform(t, "doctor", stub("stray"), stub("faithful"))
	assert.Equal(t, runner.ExitFailed, code)
	assert.Contains(t, out, "  FAULT  a call is answered: it wrote a line that is not a JSON object")
	assert.Contains(t, out, "         mend: something else prints on standard output: send it to standard error\n")

	code, out, _ = conform(t, "doctor", stub("true"), stub("exits"))
	assert.Equal(t, runner.ExitBroken, code)
	assert.Contains(t, out, "    | no library\n")
}
