package model

import (
	"fmt"

	"github.com/eventbroker/eventbroker/conformance/wire"
)

// An assignReader takes an encoding apart byte by byte. After the first thing
// that is wrong it reads nothing more.
type assignReader struct {
	rules AssignRules
	bytes string
	at    int
	err   error
}

func (r *assignReader) ended() bool { return r.at == len(r.bytes) }

// fail names the field and the byte at which it begins (RA-02).
func (r *assignReader) fail(field string, at int, format string, args ...any) {
	if r.err == nil {
		reason := fmt.Sprintf(format, args...)
		r.err = &InvalidArgument{"bytes", fmt.Sprintf("%s at byte %d: %s", field, at, reason)}
	}
}

// take reads so many bytes, one after the other until the input ends (RA-02).
func (r *assignReader) take(field string, n int64) []byte {
	begin, taken := r.at, []byte{}
	for int64(len(taken)) < n && r.err == nil {
		if r.ended() {
			r.fail(field, begin, "the input ends after %d of %d bytes", len(taken), n)
			return nil
		}
		taken = append(taken, r.bytes[r.at])
		r.at++
	}
	return taken
}

// number reads an integer of so many bytes.
func (r *assignReader) number(field string, size int64, in Range) int64 {
	begin := r.at
	bytes := r.take(field, size)
	if r.err != nil {
		return 0
	}
	n := r.rules.Join(bytes)
	if !in.contains(n) {
		r.fail(field, begin, "%d is outside %d through %d", n, in.Min, in.Max)
	}
	return n
}

// int32 reads an integer whose value is not restricted (RA-01).
func (r *assignReader) int32(field string) any {
	return r.number(field, 4, anyInteger)
}

// list reads a count and so many elements.
func (r *assignReader) list(field string, element func(field string) any) any {
	elements := []any{}
	count := r.number(field, 4, r.rules.Count)
	for i := int64(0); i < count && r.err == nil; i++ {
		elements = append(elements, element(fmt.Sprintf("%s[%d]", field, i)))
	}
	return elements
}

// text reads a string, which is UTF-8.
func (r *assignReader) text(field string) any {
	return r.textOf(field, r.number(field, 2, r.rules.StringLength))
}

// rack reads a string that may be null.
func (r *assignReader) rack(field string) any {
	length := r.number(field, 2, r.rules.RackLength)
	if length < 0 {
		return nil
	}
	return r.textOf(field, length)
}

func (r *assignReader) textOf(field string, length int64) any {
	begin := r.at
	s := string(r.take(field, length))
	if r.err == nil && !r.rules.Text(s) {
		r.fail(field, begin, "%q is not UTF-8", s)
	}
	return textValue(s)
}

// userData reads bytes that may be null.
func (r *assignReader) userData(field string) any {
	length := r.number(field, 4, r.rules.BytesLength)
	if length < 0 {
		return nil
	}
	return wire.Bytes(r.take(field, length))
}

// topicPartitions reads a topic and partitions of it.
func (r *assignReader) topicPartitions(field string) any {
	topic := r.text(field + ".topic")
	return map[string]any{"topic": topic, "partitions": r.list(field+".partitions", r.int32)}
}
