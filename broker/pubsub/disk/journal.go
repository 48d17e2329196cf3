package disk

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"syscall"

	"go.etcd.io/bbolt"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// Options of a journal. The zero value is the default.
type Options struct {
	Sync bool // whether what is kept survives loss of power, and not only the death of the process
}

// A Journal keeps a broker's state in one file, as [engine.Journal] says. It may
// be used by several goroutines.
type Journal struct {
	path string
	file *os.File // that of db, whose lock it holds

	mu     sync.Mutex        // guards everything below
	db     *bbolt.DB         // nil once it panicked: its own locks may then be held for ever
	topics map[string]uint64 // topic => its number
	broken error             // why nothing can be kept any more; nil while it can
}

var _ engine.Journal = (*Journal)(nil)

// fill is how full a page of messages is when it is split. Messages are added at
// their topic's end, so that little is ever put between two of them.
const fill = 0.9

// Load implements [engine.Journal]. Its error is [broker.ErrDamaged].
func (j *Journal) Load() ([]engine.KeptTopic, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	var kept []engine.KeptTopic
	err := j.attempt(func(db *bbolt.DB) error {
		return db.View(func(tx *bbolt.Tx) (err error) {
			kept, err = load(tx)
			return err
		})
	})
	if err != nil {
		return nil, damaged(j.path, err)
	}
	for i, topic := range kept {
		j.topics[topic.Name] = uint64(i + 1)
	}
	return kept, nil
}

// CreateTopic implements [engine.Journal].
func (j *Journal) CreateTopic(topic string, options engine.TopicOptions) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	number := uint64(len(j.topics) + 1)
	err := j.update(func(tx *bbolt.Tx) error {
		return put(tx.Bucket(topicBucket), topicKey(number), topicBody(topic, options))
	})
	if err == nil {
		j.topics[topic] = number
	}
	return err
}

// Append implements [engine.Journal].
func (j *Journal) Append(topic string, offset int64, payload string, earliest int64) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	number := j.number(topic)
	return j.update(func(tx *bbolt.Tx) error {
		messages := tx.Bucket(messageBucket)
		messages.FillPercent = fill
		if err := put(messages, messageKey(number, offset), []byte(payload)); err != nil {
			return err
		}
		return remove(messages, topicKey(number), messageKey(number, earliest))
	})
}

// Save implements [engine.Journal].
func (j *Journal) Save(topic string, cursor engine.CursorID, progress engine.Progress, add []engine.Letter,
	drop []int64) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	key := cursorKey(j.number(topic), cursor)
	return j.update(func(tx *bbolt.Tx) error {
		letters := tx.Bucket(letterBucket)
		for _, letter := range add {
			if err := put(letters, letterKey(key, letter.ID), letterBody(letter)); err != nil {
				return err
			}
		}
		for _, id := range drop {
			if err := letters.Delete(letterKey(key, id)); err != nil {
				return err
			}
		}
		return put(tx.Bucket(cursorBucket), key, progressBody(progress))
	})
}

// Forget implements [engine.Journal].
func (j *Journal) Forget(topic string, cursor engine.CursorID) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	key := cursorKey(j.number(topic), cursor)
	return j.update(func(tx *bbolt.Tx) error {
		if err := remove(tx.Bucket(letterBucket), key, letterKey(key, -1)); err != nil {
			return err
		}
		return tx.Bucket(cursorBucket).Delete(key)
	})
}

// Close implements [engine.Journal]. What was kept is on the disk when it
// returns nil, whatever the options.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.db == nil: // its mapping of the file is still there, and would hold the lock
		return errors.Join(syscall.Flock(int(j.file.Fd()), syscall.LOCK_UN), j.file.Close())
	case j.broken != nil:
		return j.db.Close()
	default:
		return errors.Join(j.db.Sync(), j.db.Close())
	}
}

// number returns that of a topic. The caller holds mu.
func (j *Journal) number(topic string) uint64 {
	number, known := j.topics[topic]
	if !known {
		panic("disk: no topic " + topic + " was created or loaded")
	}
	return number
}

func put(bucket *bbolt.Bucket, key, body []byte) error { return bucket.Put(key, seal(key, body)) }

// remove deletes the keys from first on that are less than end. It seeks each
// time, as a deletion leaves a cursor's place open.
func remove(bucket *bbolt.Bucket, first, end []byte) error {
	cursor := bucket.Cursor()
	for {
		key, _ := cursor.Seek(first)
		if key == nil || bytes.Compare(key, end) >= 0 {
			return nil
		}
		if err := bucket.Delete(key); err != nil {
			return err
		}
	}
}

// update makes a change in one step. The caller holds mu.
func (j *Journal) update(change func(*bbolt.Tx) error) error {
	err := j.attempt(func(db *bbolt.DB) error { return db.Update(change) })
	if err == nil {
		return nil
	}
	if unwritten(err) {
		return refused(j.path, err)
	}
	if j.broken == nil {
		j.broken = fmt.Errorf("%w: nothing more can be kept in %s until it is opened again: %w", broker.ErrStorage, j.path, err)
	}
	return j.broken
}

// attempt calls do unless the journal is broken, as it is once do has panicked.
// The caller holds mu.
func (j *Journal) attempt(do func(*bbolt.DB) error) error {
	if j.broken != nil {
		return j.broken
	}
	err := guarded(func() error { return do(j.db) })
	if errors.Is(err, errPanic) {
		j.db, j.broken = nil, damaged(j.path, err)
		return j.broken
	}
	return err
}

var errPanic = errors.New("bbolt panicked")

// guarded calls do. A panic in it, as bbolt has where a page is not what it
// ought to be, and a fault in its mapping of the file, as where another program
// made that shorter, are errors.
func guarded(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errPanic, p)
		}
	}()
	return do()
}
