package fuzz

import (
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

// A drawer draws what one seed comes to.
type drawer struct{ *rand.Rand }

func drawerOf(seed uint64) drawer { return drawer{rand.New(rand.NewPCG(seed, 0))} }

// oneIn is true about one time in n.
func (d drawer) oneIn(n int) bool { return d.IntN(n) == 0 }

// pick draws one of a list, each being as likely as the others.
func pick[T any](d drawer, list ...T) T { return list[d.IntN(len(list))] }

// Arguments are by the names of parameters, options among them.
type arguments map[string]any

// A vocabulary is what there is to say to a system, from the state that its
// model is in. What is drawn is right as far as the state allows.
type vocabulary struct {
	system surface.System
	weighs map[string]int // operation => how often it is drawn
	// new draws the arguments of the constructor.
	new func(drawer) arguments
	// op draws an operation, perhaps another one than the one given where the
	// state has nothing for that one yet.
	op func(d drawer, m model.System, op string) string
	// args draws the arguments of an operation.
	args func(d drawer, m model.System, op string) arguments
	// known is what a wrong argument is drawn from; nil where there is nothing.
	known func(m model.System, args arguments) known
}

// known is what a state says of right and wrong.
type known struct {
	maxPayload int64               // in bytes
	names      map[string][]string // parameter => what there is beside the one given, in its place
}

var vocabularies = map[string]vocabulary{}

func init() {
	for _, v := range []vocabulary{eventVocabulary, messageVocabulary, pubsubVocabulary, assignVocabulary} {
		vocabularies[v.system.Name] = v
	}
}

func systemNamed(name string) surface.System {
	system, _ := surface.FindSystem(name)
	return system
}

// Wrong in one way are one constructor in so many, and one call.
const (
	wrongConstructors = 10
	wrongCalls        = 3
)

// construct draws the arguments of the constructor, and its options.
func (v vocabulary) construct(d drawer) ([]any, map[string]any) {
	args := v.new(d)
	if d.oneIn(wrongConstructors) {
		spoil(d, args, v.system.New, v.system.Options, known{})
	}
	options := optionsOf(v.system.Options, args)
	return positional(v.system.New, args), options
}

// call draws a call.
func (v vocabulary) call(d drawer, m model.System) corpus.Call {
	op, _ := v.system.Find(v.op(d, m, v.drawOp(d)))
	args := v.args(d, m, op.Name)
	if d.oneIn(wrongCalls) && op.Name != "calls_of" { // which no broker judges
		spoil(d, args, op.Params, op.Options, v.knownOf(m, args))
	}
	return callOf(op, args)
}

func (v vocabulary) knownOf(m model.System, args arguments) known {
	if v.known == nil {
		return known{}
	}
	return v.known(m, args)
}

func (v vocabulary) drawOp(d drawer) string {
	total := 0
	for _, op := range v.system.Operations {
		total += v.weighs[op.Name]
	}
	n := d.IntN(total)
	for _, op := range v.system.Operations {
		if n -= v.weighs[op.Name]; n < 0 {
			return op.Name
		}
	}
	panic("the weights have changed meanwhile")
}

func callOf(op surface.Operation, args arguments) corpus.Call {
	call := corpus.Call{Op: op.Name, Args: positional(op.Params, args)}
	if options := optionsOf(op.Options, args); options != nil {
		call.Args = append(call.Args, options)
	}
	return call
}

func positional(params []surface.Param, args arguments) []any {
	list := make([]any, len(params))
	for i, p := range params {
		list[i] = args[p.Name]
	}
	return list
}

// optionsOf is nil where none is given.
func optionsOf(params []surface.Param, args arguments) map[string]any {
	var options map[string]any
	for _, p := range params {
		if value, given := args[p.Name]; given {
			if options == nil {
				options = map[string]any{}
			}
			options[p.Name] = value
		}
	}
	return options
}

// longest is a name of the greatest length.
var longest = strings.Repeat("x", 64)

// drawMaxPayload sets the option now and then, and seldom to the most, since what
// is too long then takes its time.
func (d drawer) drawMaxPayload(args arguments) {
	switch {
	case d.oneIn(100):
		args["max_payload"] = int64(1 << 20)
	case d.oneIn(4):
		args["max_payload"] = pick[int64](d, 1, 2, 8, 1024)
	}
}

// payload draws one of at most so many bytes, but seldom a long one. The odd ones
// are those that a language might trim, compose or count in another way.
func (d drawer) payload(limit int64) string {
	s := pick(d, "a", "b", "c", "d")
	switch {
	case d.oneIn(4):
		s = pick(d, "", " a ", "a\n", "a\r\n", "\x00", "a\x00b", "e\u0301", "\ufeffa", "päyload", "\U00010000", "null", "{}")
	case d.oneIn(40):
		s = strings.Repeat(pick(d, "x", "é", "\U00010000"), 1024)
	}
	return s[:cut(s, int(min(limit, 1024)))]
}

// cut is the length to which a string is cut, so that it has whole characters.
func cut(s string, most int) int {
	if len(s) <= most {
		return len(s)
	}
	for !utf8.RuneStart(s[most]) {
		most--
	}
	return most
}
