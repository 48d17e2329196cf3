package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/eventbroker/eventbroker/cases"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"no-such-command"}, {"--no-such-flag"}, {"adapters", "x"}, {"doctor", "x"},
		{"mutate", "--score", "x.md", "--sample", "8"}, {"mutate", "--score", "x.md", "--system", "event"}} {
		code, _, stderr := conform(t, args...)
		assert.Equal(t, runner.ExitUsage, code, args)
		assert.Contains(t, stderr, "--help", args)
	}
}

func TestUsage_NamesTheFlag(t *testing.T) {
	for _, args := range [][]string{{"mutate", "--sample=-1"}, {"mutate", "--jobs=0"}, {"mutate", "--timeout=0s"}, {"fuzz", "--count=0"},
		{"check", "--histories=0"}, {"check", "--threads=9"}, {"run", "--timeout=0s"}, {"doctor", "--timeout=-1s"}} {
		code, _, stderr := conform(t, args...)
		flag, _, _ := strings.Cut(args[1], "=")
		assert.Equal(t, runner.ExitUsage, code, args)
		assert.Regexp(t, "^conform: "+flag+": ", stderr)
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

// A case that a help names is there, so that the example can be copied.
func TestHelp_NamesCasesOfTheCorpus(t *testing.T) {
	all, err := corpus.Load(cases.FS)
	require.NoError(t, err)
	patterns := regexp.MustCompile(`\b[a-z]+-\*|\b[a-z]+(-[a-z]+){3,}`).FindAllString(allHelp(), -1)
	assert.NotEmpty(t, patterns)
	for _, p := range patterns {
		_, err := corpus.Select(all, []string{p})
		assert.NoError(t, err)
	}
}

// Help is read on terminals of 80 columns; flags are laid out by cobra.
func TestHelp_FitsTheTerminal(t *testing.T) {
	for line := range strings.Lines(allHelp()) {
		assert.LessOrEqual(t, len(strings.TrimRight(line, "\n")), 80, line)
	}
}

func allHelp() string {
	var b strings.Builder
	for _, command := range append(rootCommand().Commands(), rootCommand()) {
		fmt.Fprintln(&b, command.Long+"\n"+command.Example)
	}
	return b.String()
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
