package assign

import (
	"encoding/binary"
	"math"
	"unicode/utf8"
)

// A writer puts a message together. The first value that cannot be written is
// remembered in err, which names it as a part of argument.
type writer struct {
	argument string
	data     []byte
	err      error
}

func (w *writer) fail(format string, args ...any) {
	if w.err == nil {
		w.err = invalid(w.argument, format, args...)
	}
}

// bytes is the finished message.
func (w *writer) bytes() ([]byte, error) {
	if w.err != nil {
		return nil, w.err
	}
	return w.data, nil
}

func (w *writer) int16(n int16) { w.data = binary.BigEndian.AppendUint16(w.data, uint16(n)) }

func (w *writer) int32(n int32) { w.data = binary.BigEndian.AppendUint32(w.data, uint32(n)) }

func (w *writer) version(version int16) {
	if version < 0 || version > MaxVersion {
		w.fail("version %d is outside 0 through %d", version, MaxVersion)
	}
	w.int16(version)
}

func (w *writer) count(f field, n int) {
	if n > math.MaxInt32 {
		w.fail("%v count %d is over %d", f, n, math.MaxInt32)
		return
	}
	w.int32(int32(n))
}

func (w *writer) string(f field, s string) {
	if len(s) > math.MaxInt16 {
		w.fail("%v is %d bytes long; at most %d are allowed", f, len(s), math.MaxInt16)
		return
	}
	if !utf8.ValidString(s) {
		w.fail("%v is not valid UTF-8", f)
		return
	}
	w.int16(int16(len(s)))
	w.data = append(w.data, s...)
}

func (w *writer) nullableString(f field, s *string) {
	if s == nil {
		w.int16(-1)
		return
	}
	w.string(f, *s)
}

func (w *writer) nullableBytes(f field, b []byte) {
	if b == nil {
		w.int32(-1)
		return
	}
	if len(b) > math.MaxInt32 {
		w.fail("%v is %d bytes long; at most %d are allowed", f, len(b), math.MaxInt32)
		return
	}
	w.int32(int32(len(b)))
	w.data = append(w.data, b...)
}

func (w *writer) strings(name string, list []string) {
	w.count(whole(name), len(list))
	for i := 0; i < len(list) && w.err == nil; i++ {
		w.string(field{name, i, ""}, list[i])
	}
}

func (w *writer) int32s(f field, list []int32) {
	w.count(f, len(list))
	for i := 0; i < len(list) && w.err == nil; i++ {
		w.int32(list[i])
	}
}

func (w *writer) topicPartitions(name string, list []TopicPartitions) {
	w.count(whole(name), len(list))
	for i := 0; i < len(list) && w.err == nil; i++ {
		w.string(field{name, i, ".topic"}, list[i].Topic)
		w.int32s(field{name, i, ".partitions"}, list[i].Partitions)
	}
}
