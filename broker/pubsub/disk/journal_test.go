package disk_test

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/eventbroker/eventbroker/broker/pubsub/disk"
	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

func newPath(t testing.TB) string { return filepath.Join(t.TempDir(), "journal") }

func open(t require.TestingT, path string, options disk.Options) *disk.Journal {
	j, err := disk.Open(path, options)
	require.NoError(t, err)
	return j
}

// reopen closes the journal and opens it again, loaded.
func reopen(t require.TestingT, j *disk.Journal, path string, options disk.Options) (*disk.Journal, []engine.KeptTopic) {
	require.NoError(t, j.Close())
	j = open(t, path, options)
	kept, err := j.Load()
	require.NoError(t, err)
	return j, kept
}

func same(t require.TestingT, want, got []engine.KeptTopic) {
	require.Empty(t, difference(want, got))
}

func difference(want, got []engine.KeptTopic) string {
	return cmp.Diff(want, got, cmpopts.EquateEmpty())
}

// PS-15: a journal gives back what was kept, whenever it is opened again.
func TestJournalAgreesWithMemory(t *testing.T) {
	folder := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		path := filepath.Join(folder, "journal")
		defer func() { require.NoError(t, os.Remove(path)) }()
		m, j := newMemory(), open(t, path, disk.Options{})
		defer func() { _ = j.Close() }()
		t.Repeat(map[string]func(*rapid.T){
			"call": func(t *rapid.T) {
				c := m.next(func(below int) int { return rapid.IntRange(0, below-1).Draw(t, "draw") })
				require.NoError(t, c.make(m))
				require.NoError(t, c.make(j), c.does)
			},
			"reopen": func(t *rapid.T) {
				if rapid.IntRange(0, 3).Draw(t, "not now") > 0 {
					t.Skip()
				}
				var kept []engine.KeptTopic
				j, kept = reopen(t, j, path, disk.Options{})
				want, _ := m.Load()
				same(t, want, kept)
			},
		})
	})
}

// The same, with a file that grows for long and has pages of every kind.
func TestJournalAgreesWithMemoryForLong(t *testing.T) {
	path := newPath(t)
	m, j := newMemory(), open(t, path, disk.Options{})
	rng := rand.New(rand.NewPCG(1, 1))
	for range 4 {
		for range 600 {
			c := m.next(rng.IntN)
			require.NoError(t, c.make(m))
			require.NoError(t, c.make(j), c.does)
		}
		var kept []engine.KeptTopic
		j, kept = reopen(t, j, path, disk.Options{})
		want, _ := m.Load()
		same(t, want, kept)
	}
	require.NoError(t, j.Close())
}
