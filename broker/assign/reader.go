package assign

import (
	"bytes"
	"encoding/binary"
	"unicode/utf8"
)

// The least that an element of a list takes: a list that claims more elements
// than would fit into what is left is refused before room is made for it.
const (
	minString          = 2 // its length
	minTopicPartitions = 6 // the topic's length and the count
	sizeInt32          = 4
)

// A reader takes a message apart from the front. The first field that is wrong
// stops it: from then on it gives zero values, and err says what was wrong.
type reader struct {
	left   []byte
	offset int // of left in the message
	err    error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = invalid("bytes", format, args...)
	}
}

// ended reports whether a writer stopped here.
func (r *reader) ended() bool { return r.err == nil && len(r.left) == 0 }

// take gives the next size bytes, which remain the message's own, or nil.
func (r *reader) take(f field, size int) []byte {
	if size > len(r.left) {
		r.fail("%v at byte %d has %d of its %d bytes", f, r.offset, len(r.left), size)
	}
	if r.err != nil {
		return nil
	}
	taken := r.left[:size]
	r.left = r.left[size:]
	r.offset += size
	return taken
}

func (r *reader) int16(f field) int16 {
	if b := r.take(f, 2); b != nil {
		return int16(binary.BigEndian.Uint16(b))
	}
	return 0
}

func (r *reader) int32(f field) int32 {
	if b := r.take(f, sizeInt32); b != nil {
		return int32(binary.BigEndian.Uint32(b))
	}
	return 0
}

func (r *reader) version() int16 {
	version := r.int16(whole("version"))
	if version < 0 {
		r.fail("version %d at byte 0 is negative", version)
	}
	return version
}

// count reads how many elements of at least minSize bytes follow.
func (r *reader) count(f field, minSize int) int {
	at := r.offset
	count := r.int32(f)
	if count < 0 {
		r.fail("%v count %d at byte %d is negative", f, count, at)
	}
	// In 64 bits: the product of a hostile count may not fit an int.
	if need := int64(count) * int64(minSize); need > int64(len(r.left)) {
		r.fail("%v count %d at byte %d needs %d bytes or more but has %d", f, count, at, need, len(r.left))
	}
	if r.err != nil {
		return 0
	}
	return int(count)
}

// text reads as many bytes of UTF-8 as the length before it said.
func (r *reader) text(f field, length int16) string {
	at := r.offset
	b := r.take(f, int(length))
	if !utf8.Valid(b) {
		r.fail("%v at byte %d is not valid UTF-8", f, at)
		return ""
	}
	return string(b)
}

func (r *reader) string(f field) string {
	at := r.offset
	length := r.int16(f)
	if length < 0 {
		r.fail("%v length %d at byte %d is negative", f, length, at)
		return ""
	}
	return r.text(f, length)
}

func (r *reader) nullableString(f field) *string {
	at := r.offset
	length := r.int16(f)
	if length < -1 {
		r.fail("%v length %d at byte %d is below -1", f, length, at)
	}
	if r.err != nil || length == -1 {
		return nil
	}
	text := r.text(f, length)
	return &text
}

func (r *reader) nullableBytes(f field) []byte {
	at := r.offset
	length := r.int32(f)
	if length < -1 {
		r.fail("%v length %d at byte %d is below -1", f, length, at)
	}
	if r.err != nil || length == -1 {
		return nil
	}
	return bytes.Clone(r.take(f, int(length)))
}

func (r *reader) strings(name string) []string {
	count := r.count(whole(name), minString)
	if count == 0 {
		return nil
	}
	list := make([]string, 0, count)
	for i := 0; i < count && r.err == nil; i++ {
		list = append(list, r.string(field{name, i, ""}))
	}
	return list
}

func (r *reader) int32s(f field) []int32 {
	count := r.count(f, sizeInt32)
	if count == 0 {
		return nil
	}
	list := make([]int32, count)
	for i := range list {
		list[i] = r.int32(f)
	}
	return list
}

func (r *reader) topicPartitions(name string) []TopicPartitions {
	count := r.count(whole(name), minTopicPartitions)
	if count == 0 {
		return nil
	}
	list := make([]TopicPartitions, 0, count)
	for i := 0; i < count && r.err == nil; i++ {
		list = append(list, TopicPartitions{
			Topic:      r.string(field{name, i, ".topic"}),
			Partitions: r.int32s(field{name, i, ".partitions"}),
		})
	}
	return list
}
