package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFigures(t *testing.T) {
	figure, err := goFigure("goos: linux\nBenchmarkWork/plain-2   100   52.25 ns/op   3.5 B/record\nPASS\n", "B/record")
	require.NoError(t, err)
	assert.InDelta(t, 3.5, figure, 0)
	_, err = goFigure("testing: warning: no tests to run\nPASS\n", "ns/op")
	assert.ErrorContains(t, err, "no ns/op")

	figure, err = cppFigure([]byte(`{"benchmarks": [{"name": "work_plain", "items_per_second": 4e6}]}`))
	require.NoError(t, err)
	assert.InDelta(t, 250.0, figure, 0)
	_, err = cppFigure([]byte(`{"benchmarks": []}`))
	assert.ErrorContains(t, err, "0 benchmarks instead of one")

	count, err := passed([]byte(`{"surfaces": [{"cases": [{"verdict": "pass"}, {"verdict": "skip"}, {"verdict": "pass"}]}]}`))
	require.NoError(t, err)
	assert.Equal(t, 2, count)
}

// A benchmark's name must not stand for those that begin with it.
func TestExactly(t *testing.T) {
	assert.Equal(t, `^BenchmarkGrowth$/^groups=1$`, exactly("Growth/groups=1"))
}

func TestOutputTellsWhatAProgramComplainedOf(t *testing.T) {
	_, err := stage{}.measure(t.Context(), "unheard of", "")
	assert.EqualError(t, err, "unheard of: there is no such program")
}
