package main

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
	"pgregory.net/rapid"
)

// The broker and the reference model answer random calls alike, valid or not.
// So a call that fails changes nothing either: one that did would show in what
// follows.
func TestSystems_AgreeWithTheModel(t *testing.T) {
	for _, table := range surface.Systems {
		t.Run(table.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				p, made := newPair(t, table)
				if !made {
					return
				}
				actions := map[string]func(*rapid.T){}
				for _, op := range table.Operations {
					actions[op.Name] = func(t *rapid.T) { p.call(t, op.Name, drawArguments(t, op)) }
				}
				first := table.Operations[0] // makes a topic, where there are topics
				actions[first.Name](t)
				t.Repeat(actions)
			})
		})
	}
}

// A pair is a broker and the model of it.
type pair struct {
	broker system
	model  model.System
}

// newPair makes both, or neither where the arguments do not allow it.
func newPair(t *rapid.T, table surface.System) (pair, bool) {
	args, options := drawAll(t, table.New), drawOptions(t, table.Options)
	all := slices.Clone(args)
	if len(table.Options) > 0 {
		all = append(all, options)
	}
	var p pair
	var brokerErr, modelErr error
	p.broker, brokerErr = construct(table.Name, all)
	p.model, modelErr = model.New(table.Name, args, options)
	if invalid(t, brokerErr) != invalid(t, modelErr) {
		t.Fatalf("new %s %s\nbroker: %v\nmodel:  %v", wire.Format(args), wire.Format(options), brokerErr, modelErr)
	}
	return p, brokerErr == nil
}

func (p pair) call(t *rapid.T, op string, args []any) {
	before := p.model.String()
	got, brokerErr := p.broker.call(op, args)
	want, modelErr := p.model.Call(op, args)
	failed := invalid(t, brokerErr)
	if failed != invalid(t, modelErr) || !failed && !wire.Equal(got, want) {
		t.Fatalf("%s %s\nbroker: %s %v\nmodel:  %s %v\n%s",
			op, wire.Format(args), wire.Format(got), brokerErr, wire.Format(want), modelErr, before)
	}
}

// invalid reports whether an error is about an argument, the only kind there is
// before close.
func invalid(t *rapid.T, err error) bool {
	var argument *model.InvalidArgument
	is := errors.Is(err, broker.ErrInvalidArgument) || errors.As(err, &argument)
	if err != nil && !is {
		t.Fatalf("%T: %v", err, err)
	}
	return is
}

func drawAll(t *rapid.T, params []surface.Param) []any {
	args := make([]any, len(params))
	for i, p := range params {
		args[i] = draw(t, p.Name, p.Type)
	}
	return args
}

// drawArguments draws those of an operation, and options behind them at times.
func drawArguments(t *rapid.T, op surface.Operation) []any {
	args := drawAll(t, op.Params)
	if options := drawOptions(t, op.Options); len(options) > 0 {
		args = append(args, options)
	}
	return args
}

// drawOptions draws each of them about one time in four.
func drawOptions(t *rapid.T, params []surface.Param) map[string]any {
	options := map[string]any{}
	for _, p := range params {
		if rapid.IntRange(0, 3).Draw(t, "with "+p.Name) == 3 {
			options[p.Name] = draw(t, p.Name, p.Type)
		}
	}
	return options
}

// draw draws an argument that Go can say: right most of the time, and from so
// few values that calls meet.
func draw(t *rapid.T, name string, of surface.Type) any {
	switch of := of.(type) {
	case surface.List:
		element := rapid.Custom(func(t *rapid.T) any { return draw(t, name, of.Of) })
		if of.Of == surface.Member && rapid.IntRange(0, 9).Draw(t, "alike") < 9 {
			return rapid.SliceOfNDistinct(element, 0, 5, idOf).Draw(t, name)
		}
		return rapid.SliceOfN(element, 0, 5).Draw(t, name)
	case surface.Map:
		object := map[string]any{}
		for _, topic := range rapid.SliceOfDistinct(rapid.SampledFrom(topics), rapid.ID[string]).Draw(t, "topics") {
			object[topic] = draw(t, name, of.Of)
		}
		return object
	case surface.Optional:
		if rapid.Bool().Draw(t, "null") {
			return nil
		}
		return draw(t, name, of.Of)
	case *surface.Struct:
		return drawStruct(t, of)
	case *surface.Choice:
		return drawChoice(t, name, of)
	case *surface.Options:
		if of == surface.Rule {
			return drawRule(t)
		}
		return drawOptions(t, of.Fields)
	case surface.Call:
		return drawCall(t, of)
	}
	if of == surface.Bytes {
		return drawBytes(t, name)
	}
	return seldom(t, name, usual(name, of.(surface.Scalar)), odd[of.(surface.Scalar)])
}

func idOf(member any) string { return wire.Format(member.(map[string]any)["id"]) }

// drawStruct leaves what a version lacks as it decodes: whether it would be
// judged, the contract does not say.
func drawStruct(t *rapid.T, of *surface.Struct) any {
	object := map[string]any{}
	for _, f := range of.Fields {
		object[f.Name] = draw(t, f.Name, f.Type)
	}
	if version, _ := object["version"].(int64); of == surface.Subscription && version < 3 {
		object["rack_id"] = nil
		if version < 1 {
			object["owned_partitions"] = []any{}
		}
	}
	return object
}

// seldom draws one of the odd values about one time in fifteen.
func seldom(t *rapid.T, name string, usual, odd []any) any {
	if len(odd) > 0 && rapid.IntRange(0, 14).Draw(t, "odd") == 14 {
		return rapid.SampledFrom(odd).Draw(t, name)
	}
	return rapid.SampledFrom(usual).Draw(t, name)
}

// ids are in another order by UTF-16 than by byte.
var ids = []string{"\uffff", "\U00010000", "a", "é"}

// topics of the system assign, where they are any strings.
var topics = []string{"a", "é", ""}

// odd are values that are wrong, mostly, for every parameter of the type.
var odd = map[surface.Scalar][]any{
	surface.Identifier: {"", "u", "a b", "é", "t\x00", strings.Repeat("x", 64), strings.Repeat("x", 65), wire.Bytes("\xff")},
	surface.Text:       {strings.Repeat("x", 1024), strings.Repeat("x", 1025), "\x00", wire.Bytes("\xff"), wire.Bytes("\xed\xa0\x80")},
	surface.String:     {strings.Repeat("x", 32767), strings.Repeat("x", 32768), wire.Bytes("\xff"), "\x00"},
	surface.Int32:      {int64(0), int64(-1), int64(64), int64(65), int64(1001), int64(math.MaxInt32), int64(1 << 32), int64(math.MinInt64)},
	surface.Limit:      {int64(-1), int64(1025), int64(1<<20 + 1), int64(math.MaxInt32), int64(1 << 32)},
	surface.Int64:      {int64(-1), int64(64), int64(1 << 32), int64(math.MaxInt64), int64(math.MinInt64)},
	surface.Field16:    {int64(-1), int64(4), int64(math.MaxInt16), int64(math.MinInt16)},
	surface.Field32:    {int64(math.MaxInt32), int64(math.MinInt32)},
}

func usual(name string, of surface.Scalar) []any {
	switch {
	case name == "id" || name == "instance_id":
		return texts(ids...)
	case of == surface.String:
		return texts(topics...)
	case of == surface.Text:
		return texts("", "a", "päyload")
	case name == "topic":
		return texts("t")
	case name == "max_payload":
		return integers(1, 2, 1024, 1<<20)
	case name == "max_attempts":
		return integers(1, 1, 2, 3)
	case name == "group":
		return texts("g", "h")
	case of == surface.Identifier:
		return texts("a", "B")
	case name == "partition" || of == surface.Int64:
		return integers(0, 0, 1, 2)
	case of == surface.Field16:
		return integers(0, 1, 2, 3)
	case of == surface.Field32:
		return integers(-1, 0, 7)
	case name == "partitions_by_topic":
		return integers(1, 2, 3, 7, 0)
	}
	return integers(1, 1, 2, 3)
}

func texts(list ...string) (values []any) {
	for _, s := range list {
		values = append(values, s)
	}
	return values
}

func integers(list ...int64) (values []any) {
	for _, n := range list {
		values = append(values, n)
	}
	return values
}

// drawBytes draws what a decoder is given: a message, damaged perhaps, or
// anything. Where the bytes are a field of a message, there is nothing to damage.
func drawBytes(t *rapid.T, name string) any {
	anything := rapid.SliceOfN(rapid.Byte(), 0, 12)
	if name == "user_data" || rapid.IntRange(0, 9).Draw(t, "anything") == 0 {
		return wire.Bytes(anything.Draw(t, name))
	}
	kind, op := surface.Subscription, "encode_subscription"
	if rapid.Bool().Draw(t, "an assignment") {
		kind, op = surface.Assignment, "encode_assignment"
	}
	protocol, _ := newAssign()
	encoded, err := protocol.call(op, []any{draw(t, kind.Name, kind)})
	if err != nil {
		return wire.Bytes(anything.Draw(t, name))
	}
	message := slices.Clone(encoded.(wire.Bytes))
	switch rapid.IntRange(0, 3).Draw(t, "damage") {
	case 0:
		message = message[:rapid.IntRange(0, len(message)).Draw(t, "cut to")]
	case 1:
		at := rapid.IntRange(0, len(message)-1).Draw(t, "at")
		message[at] = rapid.SampledFrom([]byte{0, 1, 3, 0x7f, 0x80, 0xfe, 0xff}).Draw(t, "byte")
	case 2:
		message = append(message, anything.Draw(t, "behind")...)
	}
	return message
}
