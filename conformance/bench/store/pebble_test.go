package store

import (
	"encoding/binary"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// pebbleJournal is as much of a journal over Pebble as is measured, with keys and
// values as long as those of the one over bbolt.
type pebbleJournal struct {
	db    *pebble.DB
	write *pebble.WriteOptions
}

func openPebble(path string, fs vfs.FS, write *pebble.WriteOptions) (journal, error) {
	db, err := pebble.Open(path, &pebble.Options{FS: fs, Logger: silent{}})
	return &pebbleJournal{db, write}, err
}

func (j *pebbleJournal) Append(_ string, offset int64, payload string, earliest int64) error {
	batch := j.db.NewBatch()
	if err := batch.Set(key('m', offset), append(make([]byte, 4), payload...), nil); err != nil {
		return err
	}
	if earliest > 0 {
		if err := batch.Delete(key('m', earliest-1), nil); err != nil {
			return err
		}
	}
	return batch.Commit(j.write)
}

func (j *pebbleJournal) Save(_ string, _ engine.CursorID, progress engine.Progress, _ []engine.Letter, _ []int64) error {
	return j.db.Set(key('c', 1), binary.BigEndian.AppendUint64(make([]byte, 20), uint64(progress.Next)), j.write)
}

func (j *pebbleJournal) CreateTopic(string, engine.TopicOptions) error { return nil }

// Load reads the messages, as the other one's does.
func (j *pebbleJournal) Load() ([]engine.KeptTopic, error) {
	messages, err := j.db.NewIter(&pebble.IterOptions{LowerBound: key('m', 0), UpperBound: key('n', 0)})
	if err != nil {
		return nil, err
	}
	topic := engine.KeptTopic{Name: "t"}
	for ok := messages.First(); ok; ok = messages.Next() {
		topic.Payloads = append(topic.Payloads, string(messages.Value()[4:]))
	}
	return []engine.KeptTopic{topic}, messages.Close()
}

func (j *pebbleJournal) Close() error { return j.db.Close() }

func key(kind byte, n int64) []byte {
	return binary.BigEndian.AppendUint64([]byte{kind, 0, 0, 0, 0, 0, 0, 1}, uint64(n))
}

// silent is a logger, which panics where Pebble's own would end the process.
type silent struct{}

func (silent) Infof(string, ...any)           {}
func (silent) Errorf(string, ...any)          {}
func (silent) Fatalf(format string, _ ...any) { panic(format) }

// unsynced is a file system whose syncs do nothing, so that a write that Pebble
// waits for has reached the operating system, and not the disk.
type unsynced struct{ vfs.FS }

func (fs unsynced) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := fs.FS.Create(name, category)
	return unsyncedFile{file}, err
}

func (fs unsynced) ReuseForWrite(from, to string, category vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := fs.FS.ReuseForWrite(from, to, category)
	return unsyncedFile{file}, err
}

func (fs unsynced) OpenDir(name string) (vfs.File, error) {
	file, err := fs.FS.OpenDir(name)
	return unsyncedFile{file}, err
}

func (fs unsynced) Unwrap() vfs.FS { return fs.FS }

type unsyncedFile struct{ vfs.File }

func (unsyncedFile) Sync() error                { return nil }
func (unsyncedFile) SyncData() error            { return nil }
func (unsyncedFile) SyncTo(int64) (bool, error) { return true, nil }
