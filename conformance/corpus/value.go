package corpus

import (
	"encoding/hex"
	"errors"
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
	"gopkg.in/yaml.v3"
)

// maxExpanded bounds what all `repeat` of a file write out, in bytes. A single
// payload that is too long by one is 1 MiB and a byte.
const maxExpanded = 16 << 20

// argument reads an argument of the given type, which may be null where it is
// a string, and an integer of any size: languages can say such things.
func (r *reader) argument(n *yaml.Node, t surface.Type) any {
	switch t {
	case surface.Identifier, surface.Text:
		if isNull(n) {
			r.need(surface.NullStrings, n)
			return nil
		}
		return r.text(n)
	case surface.Int32, surface.Int64:
		v := r.integer(n)
		if _, wide := v.(*big.Int); wide {
			r.need(surface.WideIntegers, n)
		}
		return v
	}
	return r.value(n, t)
}

// value reads what a call of the given type returns.
func (r *reader) value(n *yaml.Node, t surface.Type) any {
	switch t {
	case surface.Identifier, surface.Text:
		return r.text(n)
	case surface.Int32, surface.Int64:
		return r.narrow(n)
	case surface.Bool:
		return r.boolean(n)
	case surface.Ints:
		return r.list(n, r.narrow)
	case surface.Records:
		return r.list(n, r.record)
	}
	panic("surface has a type that the cases cannot say: " + string(t))
}

// need notes that the case being read needs a feature.
func (r *reader) need(feature string, n *yaml.Node) {
	if _, ok := r.needed[feature]; !ok {
		r.needed[feature] = n.Line
	}
}

func isNull(n *yaml.Node) bool {
	return n.Kind == yaml.ScalarNode && n.Style == 0 && n.Value == "null"
}

// scalar gives what a scalar stands for, after the rules of [wire.ParsePlain].
func scalar(n *yaml.Node) (any, error) {
	if n.Style != 0 {
		return n.Value, nil
	}
	v, err := wire.ParsePlain(n.Value)
	if _, ok := v.(string); ok && n.Tag != "!!str" { // a date with a time, say
		return nil, wire.ErrWord
	}
	return v, err
}

// integer reads an integer, which is never quoted.
func (r *reader) integer(n *yaml.Node) any {
	if n.Kind == yaml.ScalarNode {
		switch v, _ := scalar(n); v := v.(type) {
		case int64, *big.Int:
			return v
		}
	}
	r.fail(n.Line, "integer expected, not %s", describe(n))
	return int64(0)
}

// narrow reads an integer of a result, which always fits 64 bits.
func (r *reader) narrow(n *yaml.Node) any {
	v := r.integer(n)
	if _, ok := v.(*big.Int); ok {
		r.fail(n.Line, "%s: no result is outside signed 64 bits", n.Value)
	}
	return v
}

func (r *reader) boolean(n *yaml.Node) any {
	if v, _ := scalar(n); n.Kind == yaml.ScalarNode && (v == true || v == false) {
		return v
	}
	r.fail(n.Line, "true or false expected, not %s", describe(n))
	return false
}

// list reads a list, which may be empty, of elements that item reads.
func (r *reader) list(n *yaml.Node, item func(*yaml.Node) any) any {
	if n.Kind != yaml.SequenceNode {
		r.fail(n.Line, "list expected, not %s", describe(n))
		return nil
	}
	list := make([]any, len(n.Content))
	for i, element := range n.Content {
		list[i] = item(element)
	}
	return list
}

// record reads a record, all of it.
func (r *reader) record(n *yaml.Node) any {
	types := []surface.Param{
		{Name: "topic", Type: surface.Identifier},
		{Name: "partition", Type: surface.Int32},
		{Name: "offset", Type: surface.Int64},
		{Name: "payload", Type: surface.Text},
	}
	fields := r.fields(n, names(types)...)
	record := map[string]any{}
	for _, f := range types {
		if field, ok := fields[f.Name]; ok {
			record[f.Name] = r.value(field, f.Type)
		} else if n.Kind == yaml.MappingNode {
			r.fail(n.Line, "the record has no %s", f.Name)
		}
	}
	return record
}

func names(params []surface.Param) []string {
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.Name
	}
	return names
}

// text reads a string: as it stands, as {hex: ff00} or as {repeat: x, times: 9}.
func (r *reader) text(n *yaml.Node) any {
	if n.Kind == yaml.MappingNode {
		return r.spelled(n)
	}
	v, err := scalar(n)
	s, ok := v.(string)
	switch {
	case n.Kind == yaml.SequenceNode || isNull(n):
		r.fail(n.Line, "string expected, not %s", describe(n))
	case errors.Is(err, wire.ErrBlank):
		r.fail(n.Line, "%s", err)
	case err != nil || !ok:
		r.fail(n.Line, "string expected, not %s: quote this string", describe(n))
	}
	return s
}

// spelled reads a string that a map spells out.
func (r *reader) spelled(n *yaml.Node) any {
	fields := r.fields(n, "hex", "repeat", "times")
	digits, unit, times := fields["hex"], fields["repeat"], fields["times"]
	switch {
	case digits != nil && unit == nil && times == nil:
		return r.bytes(digits)
	case digits == nil && unit != nil && times != nil:
		return r.repeat(unit, times)
	}
	r.fail(n.Line, "string expected: a map is either {hex: …} or {repeat: …, times: …}")
	return ""
}

// bytes gives a string where the bytes are UTF-8, since that is what they are
// in every language, and [wire.Bytes] where they are not.
func (r *reader) bytes(n *yaml.Node) any {
	digits, _ := scalar(n)
	s, ok := digits.(string)
	b, err := hex.DecodeString(s)
	switch {
	case !ok || err != nil:
		r.fail(n.Line, "hex: an even number of digits expected, not %s; quote them if they are all decimal", describe(n))
		return ""
	case utf8.Valid(b):
		return string(b)
	}
	r.need(surface.RawBytes, n)
	return wire.Bytes(b)
}

func (r *reader) repeat(unit, times *yaml.Node) any {
	s, ok := r.text(unit).(string)
	n, isInt := r.integer(times).(int64)
	switch {
	case !ok || s == "":
		r.fail(unit.Line, "repeat: a string of at least one character expected")
	case !isInt || n < 2:
		r.fail(times.Line, "times: an integer from 2 expected")
	case n > int64(maxExpanded-r.expanded)/int64(len(s)):
		r.fail(times.Line, "times: the strings of a file may not be longer than %d bytes in all", maxExpanded)
	default:
		r.expanded += len(s) * int(n)
		return strings.Repeat(s, int(n))
	}
	return ""
}
