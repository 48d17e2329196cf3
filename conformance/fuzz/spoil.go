package fuzz

import (
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// spoil makes one argument or option wrong, in one way. Some ways are right after
// all: the next offset may be just what is in flight.
func spoil(d drawer, args arguments, params, options []surface.Param, k known) {
	all := slices.DeleteFunc(slices.Concat(params, options), func(p surface.Param) bool {
		return p.Type == surface.List{Of: surface.Rule} // which no broker judges
	})
	if len(all) == 0 {
		return
	}
	p := pick(d, all...)
	if slices.Contains(params, p) && isString(p.Type) && d.oneIn(6) {
		args[p.Name] = nil // of an option, that would be to leave it out
		return
	}
	args[p.Name] = d.wrong(p.Name, p.Type, args[p.Name], k)
}

func isString(t surface.Type) bool {
	s, is := t.(surface.Scalar)
	return is && s.IsString()
}

func (d drawer) wrong(name string, of surface.Type, value any, k known) any {
	switch of := of.(type) {
	case *surface.Choice:
		return d.wrongWord(of)
	case *surface.Options:
		return d.drawFilter() // with a group it is wrong
	case *surface.Tuple:
		return d.wrongTuple(of, value.([]any), k)
	case *surface.Struct:
		return d.wrongStruct(of, value.(map[string]any), k)
	case surface.List:
		return d.wrongList(name, of.Of, value.([]any), k)
	case surface.Map:
		return d.wrongMap(name, of.Of, value.(map[string]any), k)
	case surface.Optional:
		if value == nil {
			return nil
		}
		return d.wrong(name, of.Of, value, k)
	}
	return d.wrongScalar(name, of.(surface.Scalar), value, k)
}

// wrongWord is one that there is not, or the policy that publishers would have
// to wait for.
func (d drawer) wrongWord(of *surface.Choice) any {
	if of == surface.Policy && d.oneIn(2) {
		return model.Block
	}
	return pick[any](d, "none", "", "Drop", " drop")
}

func (d drawer) wrongScalar(name string, of surface.Scalar, value any, k known) any {
	switch of {
	case surface.Identifier:
		return d.wrongName(name, k)
	case surface.Text:
		return d.wrongPayload(int(k.maxPayload))
	case surface.String:
		return d.wrongString(name)
	case surface.Bytes:
		return d.damage(value.(wire.Bytes))
	case surface.Field16:
		return pick[any](d, int64(-1), int64(4), int64(math.MaxInt16), int64(math.MinInt16))
	case surface.Field32:
		return pick[any](d, int64(math.MaxInt32), int64(math.MinInt32))
	}
	n, _ := value.(int64)
	return d.wrongInteger(name, of, n)
}

// wrongName is another one that is right, or one that no broker takes.
func (d drawer) wrongName(name string, k known) any {
	if names := k.names[name]; len(names) > 0 && d.oneIn(2) {
		return pick(d, names...)
	}
	switch d.IntN(6) {
	case 0, 1:
		names := map[string][]string{"topic": topicNames, "group": groupNames}[name]
		if names == nil {
			names = memberNames
		}
		return pick(d, append([]string{"absent"}, names...)...)
	case 2:
		return pick[any](d, "", "é", "٣", "a\n", "\na", longest+"x", strings.Repeat("x", 65+d.IntN(300)), wire.Bytes("\xff"))
	case 3:
		return "t" + string(rune(d.IntN(128))) // any of ASCII, a letter too
	}
	return string(rune(d.IntN(128))) + "t"
}

// wrongPayload is too long by one, perhaps only when it is counted in bytes, or
// not UTF-8.
func (d drawer) wrongPayload(limit int) any {
	if d.oneIn(2) {
		unit := pick(d, "x", "é", "\U00010000")
		return strings.Repeat(unit, limit/len(unit)+1)
	}
	return pick[any](d, wire.Bytes("\xff"), wire.Bytes("\xed\xa0\x80"), wire.Bytes("a\xc3"), wire.Bytes("\xc0\x80"), wire.Bytes("\xf4\x90\x80\x80"))
}

// wrongString: too long, or not UTF-8. In places an empty one is wrong. Ids are
// never long, since they are keys of the answer, which YAML bounds.
func (d drawer) wrongString(name string) any {
	if name != "id" && d.oneIn(30) {
		return strings.Repeat("x", pick(d, math.MaxInt16, math.MaxInt16+1))
	}
	return pick[any](d, "", wire.Bytes("\xff"), wire.Bytes("\xc0\x80"), wire.Bytes("a\xf0\x9f\x98"), wire.Bytes("\xed\xa0\x80"))
}

// edges are the bounds of what the contract gives other bounds than its type.
var edges = map[string][2]int64{
	"capacity_per_partition": {1, 1000}, "partition_count": {1, 64}, "max_records": {1, 64},
	"max_payload": {1, 1 << 20}, "workers": {1, 1024}, "attempt": {1, math.MaxInt32},
}

// wrongInteger is out of range by one, one beside the right one, or what is
// right again where bits are lost. A limit is never 0.
func (d drawer) wrongInteger(name string, of surface.Scalar, n int64) any {
	edge, known := edges[name]
	for {
		var value any = n + pick[int64](d, -1, 1)
		switch d.IntN(4) {
		case 0:
			value = pick[any](d, int64(-1), int64(0), n+1<<32, n-1<<32, int64(math.MinInt64), int64(math.MaxInt64),
				int64(math.MaxInt32)+1, int64(math.MinInt32)-1, wide(n, 64), wide(n, 63), wide(-1<<63+n, 65))
		case 1:
			if known {
				value = pick(d, edge[0]-1, edge[1]+1)
			}
		}
		if big, is := value.(*big.Int); is && big.IsInt64() {
			value = big.Int64()
		}
		if of != surface.Limit || value != int64(0) {
			return value
		}
	}
}

// wide is n with a bit set above it.
func wide(n int64, bit uint) *big.Int {
	one := new(big.Int).Lsh(big.NewInt(1), bit)
	return one.Add(one, big.NewInt(n))
}

func (d drawer) wrongStruct(of *surface.Struct, object map[string]any, k known) any {
	f := pick(d, of.Fields...)
	object[f.Name] = d.wrong(f.Name, f.Type, object[f.Name], k)
	return object
}

func (d drawer) wrongTuple(of *surface.Tuple, tuple []any, k known) any {
	i := d.IntN(len(tuple))
	f := of.Fields[i]
	tuple[i] = d.wrong(f.Name, f.Type, tuple[i], k)
	return tuple
}

// wrongList spoils an element. Of members, one may take the id of another; of
// tuples there may be more than a batch takes.
func (d drawer) wrongList(name string, of surface.Type, list []any, k known) any {
	if len(list) == 0 {
		return list
	}
	i, j := d.IntN(len(list)), d.IntN(len(list))
	if of == surface.Member && d.oneIn(2) {
		field := pick(d, "id", "instance_id")
		list[i].(map[string]any)[field] = list[j].(map[string]any)[field]
		return list
	}
	if _, is := of.(*surface.Tuple); is && d.oneIn(10) {
		for len(list) <= longestBatch {
			list = append(list, list[0])
		}
		return list
	}
	list[i] = d.wrong(name, of, list[i], k)
	return list
}

// wrongMap has a count that is negative, or beyond what all may be together;
// below that, an answer would have millions of partitions.
func (d drawer) wrongMap(name string, of surface.Type, object map[string]any, k known) any {
	if len(object) == 0 {
		return object
	}
	key := pick(d, slices.Sorted(maps.Keys(object))...)
	if of == surface.Int32 {
		object[key] = pick[any](d, int64(-1), int64(10_000_001), int64(math.MaxInt32), int64(math.MaxInt32)+1, int64(1)<<32, wide(1, 64))
		return object
	}
	object[key] = d.wrong(name, of, object[key], k)
	return object
}

// damage is what a decoder has to stand: cut, changed, longer, or anything.
func (d drawer) damage(message wire.Bytes) any {
	message = slices.Clone(message)
	switch {
	case len(message) == 0 || d.oneIn(10):
		return d.anything()
	case d.oneIn(3):
		return message[:d.IntN(len(message))]
	case d.oneIn(4):
		return append(message, d.anything()...)
	}
	message[d.IntN(len(message))] = pick[byte](d, 0, 1, 2, 3, 4, 0x7f, 0x80, 0xfe, 0xff)
	return message
}

func (d drawer) anything() wire.Bytes {
	b := make(wire.Bytes, d.IntN(12))
	for i := range b {
		b[i] = byte(d.Uint32())
	}
	return b
}
