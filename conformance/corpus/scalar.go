package corpus

import (
	"encoding/hex"
	"errors"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
	"gopkg.in/yaml.v3"
)

// maxExpanded bounds what all `repeat` of a file write out, in bytes. A single
// payload that is too long by one is 1 MiB and a byte.
const maxExpanded = 16 << 20

// scalarOf reads a value of a type that is not made of others.
func (r *reader) scalarOf(n *yaml.Node, t surface.Scalar, side side) any {
	switch t {
	case surface.Identifier, surface.Text, surface.String:
		return r.text(n)
	case surface.Bytes:
		return r.bytes(n)
	case surface.Field16:
		return r.within(n, 16)
	case surface.Field32:
		return r.within(n, 32)
	case surface.Int32, surface.Int64:
		if side == given {
			return r.anyInteger(n)
		}
		return r.within(n, 64)
	case surface.Limit:
		return r.limit(n)
	case surface.Count:
		return r.count(n)
	case surface.Bool:
		return r.boolean(n)
	case surface.Null:
		return r.null(n)
	}
	panic("surface has a type that the cases cannot say: " + t.String())
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

// within reads an integer of so many bits, which is all that a result can be.
func (r *reader) within(n *yaml.Node, bits uint) any {
	v := r.integer(n)
	if i, ok := v.(int64); !ok || i>>(bits-1) != i>>63 {
		r.fail(n.Line, "%.40s is outside signed %d bits", n.Value, bits)
	}
	return v
}

// anyInteger reads an argument: languages can say an integer of any size.
func (r *reader) anyInteger(n *yaml.Node) any {
	v := r.integer(n)
	if _, wide := v.(*big.Int); wide {
		r.need(surface.WideIntegers, n)
	}
	return v
}

// limit reads an argument that is not 0.
func (r *reader) limit(n *yaml.Node) any {
	if v, _ := scalar(n); v == int64(0) {
		r.fail(n.Line, "0 is the default in some languages, so that no case can say it")
	}
	return r.anyInteger(n)
}

// count reads how often something is done.
func (r *reader) count(n *yaml.Node) any {
	v, _ := scalar(n)
	if times, ok := v.(int64); ok && times < 1 {
		r.fail(n.Line, "%s is not above 0", describe(n))
	}
	return r.within(n, 32)
}

func (r *reader) null(n *yaml.Node) any {
	if !isNull(n) {
		r.fail(n.Line, "null expected, not %s", describe(n))
	}
	return nil
}

// choice reads one of the values there are. Another string can only be an
// argument that the call must refuse.
func (r *reader) choice(n *yaml.Node, c *surface.Choice) any {
	v, _ := scalar(n)
	switch {
	case n.Kind == yaml.ScalarNode && slices.Contains(c.Values, v):
		return v
	case c.Open && r.fails:
		return r.text(n)
	}
	r.fail(n.Line, "%s: there is no %s, but %s", c, describe(n), enumerate(c.Values))
	return nil
}

func enumerate(values []any) string {
	return strings.Trim(wire.Format(values), "[]")
}

func (r *reader) boolean(n *yaml.Node) any {
	if v, _ := scalar(n); n.Kind == yaml.ScalarNode && (v == true || v == false) {
		return v
	}
	r.fail(n.Line, "true or false expected, not %s", describe(n))
	return false
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

// spelled reads a string that a map spells out. Bytes that are UTF-8 are a
// string, since that is what they are in every language.
func (r *reader) spelled(n *yaml.Node) any {
	fields := r.fields(n, "hex", "repeat", "times")
	digits, unit, times := fields["hex"], fields["repeat"], fields["times"]
	switch {
	case digits != nil && unit == nil && times == nil:
		b := r.hex(digits)
		if utf8.Valid(b) {
			return string(b)
		}
		r.need(surface.RawBytes, n)
		return b
	case digits == nil && unit != nil && times != nil:
		return r.repeat(unit, times)
	}
	r.fail(n.Line, "string expected: a map is either {hex: …} or {repeat: …, times: …}")
	return ""
}

// bytes reads bytes, which are always spelled out.
func (r *reader) bytes(n *yaml.Node) any {
	if n.Kind != yaml.MappingNode || len(n.Content) == 0 {
		r.fail(n.Line, "bytes expected, {hex: …}, not %s", describe(n))
		return nil
	}
	if digits := r.fields(n, "hex")["hex"]; digits != nil {
		return r.hex(digits)
	}
	return nil // and fields has said why
}

func (r *reader) hex(n *yaml.Node) wire.Bytes {
	digits, _ := scalar(n)
	s, ok := digits.(string)
	b, err := hex.DecodeString(s)
	if !ok || err != nil {
		r.fail(n.Line, "hex: an even number of digits expected, not %s; quote them if they are all decimal", describe(n))
		return nil
	}
	return b
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
