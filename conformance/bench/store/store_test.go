package store

import (
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker/pubsub/disk"
	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// A journal is what is measured of [engine.Journal].
type journal interface {
	CreateTopic(topic string, options engine.TopicOptions) error
	Append(topic string, offset int64, payload string, earliest int64) error
	Save(topic string, cursor engine.CursorID, progress engine.Progress, put []engine.Letter, drop []int64) error
	Load() ([]engine.KeptTopic, error)
	Close() error
}

// A store opens a journal at a path.
type store struct {
	name string
	open func(path string) (journal, error)
}

// stores are in the order of what they survive: nothing, the death of the
// process, and loss of power.
var stores = []store{
	{"pebble-nosync", func(path string) (journal, error) { return openPebble(path, vfs.Default, pebble.NoSync) }},
	{"pebble-written", func(path string) (journal, error) { return openPebble(path, unsynced{vfs.Default}, pebble.Sync) }},
	{"bbolt-default", func(path string) (journal, error) { return disk.Open(path, disk.Options{}) }},
	{"pebble-sync", func(path string) (journal, error) { return openPebble(path, vfs.Default, pebble.Sync) }},
	{"bbolt-sync", func(path string) (journal, error) { return disk.Open(path, disk.Options{Sync: true}) }},
}

var message = strings.Repeat("m", 100)

// withJournal runs a benchmark on a new journal of each store, with a topic, and
// reports what a call took of the processors and has left on the disk.
func withJournal(b *testing.B, run func(b *testing.B, j journal)) {
	for _, s := range stores {
		b.Run(s.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "journal")
			j, err := s.open(path)
			require.NoError(b, err)
			require.NoError(b, j.CreateTopic("t", engine.TopicOptions{}))
			before := processorTime(b)
			run(b, j)
			b.StopTimer()
			b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op")
			require.NoError(b, j.Close())
			b.ReportMetric(float64(size(b, path))/float64(b.N), "disk-B/op")
		})
	}
}

// processorTime is what this process had of all processors, in nanoseconds. What
// else the machine does has less of a say in it than in the time that passed.
func processorTime(b *testing.B) int64 {
	var usage syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func size(b *testing.B, path string) (bytes int64) {
	require.NoError(b, filepath.WalkDir(path, func(_ string, entry fs.DirEntry, err error) error {
		require.NoError(b, err)
		info, err := entry.Info()
		if err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return err
	}))
	return bytes
}

// One message a call.
func BenchmarkAppend(b *testing.B) {
	withJournal(b, func(b *testing.B, j journal) {
		for offset := int64(0); b.Loop(); offset++ {
			require.NoError(b, j.Append("t", offset, message, 0))
		}
	})
}

// The same in a topic that keeps a thousand.
func BenchmarkAppendRetained(b *testing.B) {
	withJournal(b, func(b *testing.B, j journal) {
		for offset := int64(0); b.Loop(); offset++ {
			require.NoError(b, j.Append("t", offset, message, max(0, offset-999)))
		}
	})
}

// One progress a call.
func BenchmarkSave(b *testing.B) {
	withJournal(b, func(b *testing.B, j journal) {
		for next := int64(0); b.Loop(); next++ {
			require.NoError(b, j.Save("t", engine.CursorID{Name: "s"}, engine.Progress{Next: next}, nil, nil))
		}
	})
}

// Opening with a hundred thousand messages.
func BenchmarkOpen(b *testing.B) {
	const many = 100_000
	for _, s := range []store{stores[1], stores[2]} {
		b.Run(s.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "journal")
			j, err := s.open(path)
			require.NoError(b, err)
			require.NoError(b, j.CreateTopic("t", engine.TopicOptions{}))
			for offset := range int64(many) {
				require.NoError(b, j.Append("t", offset, message, 0))
			}
			for b.Loop() {
				require.NoError(b, j.Close())
				j, err = s.open(path)
				require.NoError(b, err)
				kept, err := j.Load()
				require.NoError(b, err)
				require.Len(b, kept[0].Payloads, many)
			}
			require.NoError(b, j.Close())
			b.ReportMetric(float64(size(b, path))/many, "disk-B/message")
		})
	}
}
