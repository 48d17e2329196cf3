package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDocuments(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll(chartFolder, 0o700))
	require.NoError(t, os.WriteFile(readmeFile, []byte("before\n"+firstMarker+"old\n"+lastMarker+"after\n"), 0o600))
	require.NoError(t, sample().writeDocuments())

	readme, err := os.ReadFile(readmeFile)
	require.NoError(t, err)
	assert.Regexp(t, `(?s)^before\n.*\| W \|.*\(conformance/bench/results\.svg\).*after\n$`, string(readme))
	assert.NotContains(t, string(readme), "bytes", "which has no target")
	full, err := os.ReadFile(fullFile)
	require.NoError(t, err)
	assert.Regexp(t, `(?s)\| bytes \|.*\(growth\.svg\)`, string(full))
	assert.FileExists(t, chartFolder+"/results.svg")
	assert.FileExists(t, chartFolder+"/growth.svg")
}

func TestOptionsAreRefused(t *testing.T) {
	for want, o := range map[string]options{
		"--rounds: 0 is less than 1":                                {},
		"--write: documents need all groups and at least 10 rounds": {rounds: 9, write: true},
	} {
		assert.EqualError(t, o.check(), want)
	}
	assert.Error(t, options{rounds: 10, write: true, only: "go"}.check())
	assert.Error(t, options{rounds: 10, write: true, smoke: true}.check())
	assert.NoError(t, options{rounds: 10, write: true}.check())
}
