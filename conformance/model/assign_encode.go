package model

import (
	"fmt"

	"github.com/eventbroker/eventbroker/conformance/wire"
)

// encodeSubscription leaves out what the version lacks, whatever it is (RA-03).
func (a *Assign) encodeSubscription(values map[string]any) (any, error) {
	w := a.writer("subscription", values)
	version := w.version()
	w.list("topics", w.fields["topics"], w.text)
	w.userData()
	tail := []struct {
		name  string
		write func(field string, value any)
	}{
		{"owned_partitions", func(field string, value any) { w.list(field, value, w.topicPartitions) }},
		{"generation_id", w.int32},
		{"rack_id", w.rack},
	}
	for _, field := range tail {
		if version >= a.Rules.Since[field.name] {
			field.write(field.name, w.fields[field.name])
		}
	}
	return w.bytes, w.err
}

// encodeAssignment: alike in every version (RA-03).
func (a *Assign) encodeAssignment(values map[string]any) (any, error) {
	w := a.writer("assignment", values)
	w.version()
	w.list("partitions", w.fields["partitions"], w.topicPartitions)
	w.userData()
	return w.bytes, w.err
}

// An assignWriter puts an encoding together. Its error is the first thing that
// was wrong.
type assignWriter struct {
	rules    AssignRules
	argument string
	fields   map[string]any
	bytes    wire.Bytes
	err      error
}

func (a *Assign) writer(argument string, values map[string]any) *assignWriter {
	w := &assignWriter{rules: a.Rules, argument: argument}
	w.fields, w.err = mapOf(argument, values[argument])
	return w
}

func (w *assignWriter) fail(err error) {
	if w.err == nil {
		w.err = within(w.argument, err)
	}
}

func (w *assignWriter) append(n int64, size int) {
	w.bytes = append(w.bytes, w.rules.Split(n, size)...)
}

// number writes an integer of so many bytes.
func (w *assignWriter) number(field string, value any, size int, in Range) int64 {
	n, err := integer(field, value, in)
	w.fail(err)
	w.append(n, size)
	return n
}

func (w *assignWriter) version() int64 {
	return w.number("version", w.fields["version"], 2, w.rules.WriteVersion)
}

func (w *assignWriter) int32(field string, value any) {
	w.number(field, value, 4, int32s)
}

// list writes the count and the elements, order kept (RA-03).
func (w *assignWriter) list(field string, value any, element func(field string, value any)) {
	elements, err := listOf(field, value)
	w.fail(err)
	w.append(int64(len(elements)), 4)
	for i, value := range elements {
		element(fmt.Sprintf("%s[%d]", field, i), value)
	}
}

// text writes a string of at most 32,767 bytes (RA-03).
func (w *assignWriter) text(field string, value any) {
	s, err := text(field, value)
	w.fail(err)
	if !w.rules.Text(s) {
		w.fail(&InvalidArgument{field, "is not UTF-8"})
	}
	if n := int64(len(s)); !w.rules.WrittenText.contains(n) {
		w.fail(&InvalidArgument{field, fmt.Sprintf("%d bytes are more than %d", n, w.rules.WrittenText.Max)})
	}
	w.append(int64(len(s)), 2)
	w.bytes = append(w.bytes, s...)
}

// rack writes a string, or length -1 for null (RA-01).
func (w *assignWriter) rack(field string, value any) {
	if value == nil {
		w.append(-1, 2)
		return
	}
	w.text(field, value)
}

// userData writes bytes, or length -1 for null (RA-01).
func (w *assignWriter) userData() {
	if w.fields["user_data"] == nil {
		w.append(-1, 4)
		return
	}
	data, err := text("user_data", w.fields["user_data"])
	w.fail(err)
	w.append(int64(len(data)), 4)
	w.bytes = append(w.bytes, data...)
}

func (w *assignWriter) topicPartitions(field string, value any) {
	fields, err := mapOf(field, value)
	w.fail(err)
	w.text(field+".topic", fields["topic"])
	w.list(field+".partitions", fields["partitions"], w.int32)
}
