package disk

import (
	"encoding/binary"
	"errors"
	"hash/crc32"

	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// The buckets of a file, each of which maps keys to sealed records. Numbers are
// big-endian, so that keys sort as what they stand for.
var (
	formatBucket  = []byte("format")   // "version" => that of this layout
	topicBucket   = []byte("topics")   // topic's number, from 1 in the order of creation => retain, name
	messageBucket = []byte("messages") // topic's number, offset => payload
	cursorBucket  = []byte("cursors")  // topic's number, cursor => next, attempts, lost
	letterBucket  = []byte("letters")  // topic's number, cursor, id => offset, attempts, again, length of payload, payload, error
)

var (
	versionKey = []byte("version")
	version    = []byte("eventbroker pubsub 1")
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errChecksum = errors.New("its checksum is wrong")

// seal puts a checksum of key and body before the body, so that a bit that
// flipped in either is found (PS-15).
func seal(key, body []byte) []byte {
	return append(checksum(key, body), body...)
}

// unseal returns the body of a sealed record.
func unseal(key, record []byte) ([]byte, error) {
	if len(record) < crc32.Size || string(checksum(key, record[crc32.Size:])) != string(record[:crc32.Size]) {
		return nil, errChecksum
	}
	return record[crc32.Size:], nil
}

func checksum(key, body []byte) []byte {
	sum := crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, body)
	return binary.BigEndian.AppendUint32(nil, sum)
}

func topicKey(topic uint64) []byte {
	return binary.BigEndian.AppendUint64(nil, topic)
}

func messageKey(topic uint64, offset int64) []byte {
	return appendInt(topicKey(topic), offset)
}

// cursorKey has the length of the name before it, so that no cursor's key
// begins another's.
func cursorKey(topic uint64, cursor engine.CursorID) []byte {
	key := appendBool(topicKey(topic), cursor.Group)
	return append(append(key, byte(len(cursor.Name))), cursor.Name...)
}

func letterKey(cursor []byte, id int64) []byte {
	return appendInt(append([]byte(nil), cursor...), id)
}

func topicBody(topic string, options engine.TopicOptions) []byte {
	return append(appendInt(nil, int64(options.Retain)), topic...)
}

func progressBody(p engine.Progress) []byte {
	return appendInt(appendInt(appendInt(nil, p.Next), int64(p.Attempts)), p.Lost)
}

func letterBody(l engine.Letter) []byte {
	body := appendInt(appendInt(nil, l.Offset), int64(l.Attempts))
	body = appendInt(appendBool(body, l.Again), int64(len(l.Payload)))
	return append(append(body, l.Payload...), l.Error...)
}

func appendInt(b []byte, n int64) []byte { return binary.BigEndian.AppendUint64(b, uint64(n)) }

func appendBool(b []byte, yes bool) []byte {
	if yes {
		return append(b, 1)
	}
	return append(b, 0)
}

// A reader takes fields from the front of a key or body. Once one was not there
// it has failed, and gives zeros.
type reader struct {
	rest   []byte
	failed bool
}

func (r *reader) bytes(n int64) []byte {
	if n < 0 || n > int64(len(r.rest)) {
		r.failed, n = true, 0
	}
	field := r.rest[:n]
	r.rest = r.rest[n:]
	return field
}

func (r *reader) int() int64 {
	if field := r.bytes(8); len(field) == 8 {
		return int64(binary.BigEndian.Uint64(field))
	}
	return 0
}

func (r *reader) byte() byte {
	if field := r.bytes(1); len(field) == 1 {
		return field[0]
	}
	return 0
}

func (r *reader) cursor() engine.CursorID {
	group := r.byte() == 1
	return engine.CursorID{Group: group, Name: string(r.bytes(int64(r.byte())))}
}

func (r *reader) progress() engine.Progress {
	return engine.Progress{Next: r.int(), Attempts: int(r.int()), Lost: r.int()}
}

func (r *reader) letter(id int64) engine.Letter {
	letter := engine.Letter{ID: id, Offset: r.int(), Attempts: int(r.int()), Again: r.byte() == 1}
	letter.Payload = string(r.bytes(r.int()))
	letter.Error = string(r.rest)
	return letter
}
