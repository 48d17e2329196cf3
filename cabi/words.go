package main

import (
	"encoding/binary"
	"fmt"
	"unsafe"

	"github.com/eventbroker/eventbroker/broker"
)

// Word frames, as eventbroker.h describes them, carry structured values.
const wordSize = 8

func padding(n int) int { return -n & (wordSize - 1) }

type wordWriter struct{ bytes []byte }

func (w *wordWriter) number(n int64) {
	w.bytes = binary.LittleEndian.AppendUint64(w.bytes, uint64(n))
}

func (w *wordWriter) text(s string) {
	w.number(int64(len(s)))
	w.bytes = append(w.bytes, s...)
	w.pad()
}

func (w *wordWriter) nullable(s *string) {
	if s == nil {
		w.number(-1)
		return
	}
	w.text(*s)
}

func (w *wordWriter) int32s(list []int32) {
	w.number(int64(len(list)))
	for _, n := range list {
		w.bytes = binary.LittleEndian.AppendUint32(w.bytes, uint32(n))
	}
	w.pad()
}

func (w *wordWriter) pad() { w.bytes = append(w.bytes, make([]byte, padding(len(w.bytes)))...) }

// A wordReader keeps the first fault it meets and reads zeros from then on, so
// that a caller checks once, at the end. No count is trusted before it is
// checked against what is left.
type wordReader struct {
	left []byte
	read int
	err  error
}

func (r *wordReader) fail(argument, format string, values ...any) {
	if r.err == nil {
		r.err = &broker.ArgumentError{Argument: argument, Reason: fmt.Sprintf(format, values...)}
		r.left = nil
	}
}

func (r *wordReader) take(n int) []byte {
	if n > len(r.left) {
		r.fail("frame", "ends at byte %d inside a value", r.read+len(r.left))
		return nil
	}
	taken := r.left[:n]
	r.left = r.left[n:]
	r.read += n
	return taken
}

func (r *wordReader) number() int64 {
	if word := r.take(wordSize); word != nil {
		return int64(binary.LittleEndian.Uint64(word))
	}
	return 0
}

// narrow reads a number that the border gives fewer bits than a word.
func narrow[T int16 | int32](r *wordReader, argument, field string) T {
	n := r.number()
	if int64(T(n)) != n {
		r.fail(argument, "%s %d does not fit %d bits", field, n, 8*unsafe.Sizeof(T(0)))
	}
	return T(n)
}

// count reads how many elements follow, each of at least size bytes.
func (r *wordReader) count(size int) int {
	at, n := r.read, r.number()
	if n < 0 || n > int64(len(r.left)/size) {
		r.fail("frame", "counts %d elements at byte %d, with %d bytes left", n, at, len(r.left))
		return 0
	}
	return int(n)
}

func (r *wordReader) nullable() *string {
	at, n := r.read, r.number()
	switch {
	case n == -1 || r.err != nil:
		return nil
	case n < -1 || n > int64(len(r.left)):
		r.fail("frame", "has a string of %d bytes at byte %d, with %d left", n, at, len(r.left))
		return nil
	}
	s := string(r.take(int(n)))
	r.take(padding(int(n)))
	return &s
}

func (r *wordReader) text(argument, field string) string {
	if s := r.nullable(); s != nil {
		return *s
	}
	r.fail(argument, "%s is null", field)
	return ""
}

func (r *wordReader) int32s() []int32 {
	list := make([]int32, r.count(4))
	for i := range list {
		if n := r.take(4); n != nil {
			list[i] = int32(binary.LittleEndian.Uint32(n))
		}
	}
	r.take(padding(4 * len(list)))
	return list
}

// end is the first fault, or that the frame goes on after its value.
func (r *wordReader) end() error {
	if len(r.left) > 0 {
		r.fail("frame", "goes on at byte %d after the value", r.read)
	}
	return r.err
}

// list reads elements of at least size bytes.
func list[T any](r *wordReader, size int, element func() T) []T {
	elements := make([]T, r.count(size))
	for i := range elements {
		elements[i] = element()
	}
	return elements
}
