package disk

import (
	"errors"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

var (
	errForm      = errors.New("it is too short")
	errMisplaced = errors.New("it does not fit the records before it")
)

// A loader rebuilds the topics from a file's records, bucket by bucket.
type loader struct {
	topics  []engine.KeptTopic // by number, which is 1 for the first
	cursors map[string]int     // cursor's key => its index among the topic's
}

func load(tx *bbolt.Tx) ([]engine.KeptTopic, error) {
	l := loader{cursors: map[string]int{}}
	for _, step := range []struct {
		bucket []byte
		take   func(key, body *reader) error
	}{
		{topicBucket, l.topic}, {messageBucket, l.message}, {cursorBucket, l.cursor}, {letterBucket, l.letter},
	} {
		if err := each(tx, step.bucket, step.take); err != nil {
			return nil, err
		}
	}
	return l.topics, nil
}

// each hands the records of a bucket to take, in the order of their keys.
func each(tx *bbolt.Tx, bucket []byte, take func(key, body *reader) error) error {
	return tx.Bucket(bucket).ForEach(func(key, record []byte) error {
		body, err := unseal(key, record)
		if err == nil {
			err = take(&reader{rest: key}, &reader{rest: body})
		}
		if err != nil {
			return fmt.Errorf("record %x of %s: %w", key, bucket, err)
		}
		return nil
	})
}

func (l *loader) topic(key, body *reader) error {
	number, retain := key.int(), body.int()
	if key.failed || body.failed {
		return errForm
	}
	if number != int64(len(l.topics))+1 {
		return errMisplaced
	}
	options := engine.TopicOptions{Retain: int(retain)}
	l.topics = append(l.topics, engine.KeptTopic{Name: string(body.rest), Options: options})
	return nil
}

// message takes the offsets of a topic, which have no gap.
func (l *loader) message(key, body *reader) error {
	topic, offset := l.topicOf(key), key.int()
	if key.failed {
		return errForm
	}
	if topic == nil || len(topic.Payloads) > 0 && offset != end(topic) {
		return errMisplaced
	}
	if len(topic.Payloads) == 0 {
		topic.Earliest = offset
	}
	topic.Payloads = append(topic.Payloads, string(body.rest))
	return nil
}

func (l *loader) cursor(key, body *reader) error {
	name := string(key.rest)
	topic, id, progress := l.topicOf(key), key.cursor(), body.progress()
	if key.failed || body.failed {
		return errForm
	}
	if topic == nil || progress.Next < 0 || progress.Next > end(topic) {
		return errMisplaced
	}
	l.cursors[name] = len(topic.Cursors)
	topic.Cursors = append(topic.Cursors, engine.KeptCursor{ID: id, Progress: progress})
	return nil
}

func (l *loader) letter(key, body *reader) error {
	name := string(key.rest[:max(0, len(key.rest)-8)])
	topic, _, id := l.topicOf(key), key.cursor(), key.int()
	letter := body.letter(id)
	if key.failed || body.failed {
		return errForm
	}
	index, known := l.cursors[name]
	if topic == nil || !known {
		return errMisplaced
	}
	cursor := &topic.Cursors[index]
	cursor.Letters = append(cursor.Letters, letter)
	return nil
}

// topicOf takes a topic's number from the key and returns that topic, nil where
// there is none.
func (l *loader) topicOf(key *reader) *engine.KeptTopic {
	number := key.int()
	if number < 1 || number > int64(len(l.topics)) {
		return nil
	}
	return &l.topics[number-1]
}

// end returns the offset that the topic's next message gets.
func end(topic *engine.KeptTopic) int64 { return topic.Earliest + int64(len(topic.Payloads)) }
