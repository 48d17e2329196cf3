package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Programs that tell the time by how often they were asked show who came first.
const counting = `#!/bin/sh
echo >>asked
echo "Benchmark$2 1 $(wc -l <asked) ns/op"
`

func TestSidesAlternate(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.MkdirAll("build/bench", 0o700))
	require.NoError(t, os.WriteFile(filepath.Join("build", "bench", "event.test"), []byte(counting), 0o700))
	all := targets{
		Groups: []group{{Title: "Go", Rows: []row{{What: "W", Ours: "event A", Peer: "event B", Against: "B"}}}},
		Growth: []curve{{What: "groups", Side: "event C", Points: []int{1, 128}}},
	}
	r, err := measureAll(t.Context(), stage{}, all, 2, io.Discard)
	require.NoError(t, err)
	assert.Equal(t, rowResult{What: "W", Against: "B", Unit: "ns", Ours: []float64{1, 6}, Peer: []float64{2, 5}}, r.Groups[0].Rows[0])
	assert.Equal(t, [][]float64{{3, 8}, {4, 7}}, r.Growth[0].Costs)
}

func TestAFailureEndsTheRounds(t *testing.T) {
	t.Chdir(t.TempDir())
	all := targets{Groups: []group{{Rows: []row{{Ours: "event A", Peer: "event B"}}}}}
	_, err := measureAll(t.Context(), stage{}, all, 2, io.Discard)
	assert.ErrorContains(t, err, "event A: ")
}
