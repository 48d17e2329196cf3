// Package program writes a case as a program in one of the project's languages:
// its steps as plain calls of the public interface, each answer printed beside
// what the case says. What calls there are, and of which types, it takes from
// package surface; each language has only the names in which it differs.
package program

import (
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// A language says the parts of a program. Its expressions stand in the template,
// which has the rest.
type language struct {
	page *template.Template
	tidy func([]byte) ([]byte, error) // lays the program out as is usual; nil where the template does

	// construct is the expression that makes the broker.
	construct func(c *corpus.Case) string

	// call is the expression that makes a call, or what stands in its place.
	call func(p *page, c call) string

	// literal is a value as an argument of the type.
	literal func(v any, t surface.Type) string
}

// languages are by the name of the surface that makes its calls as a program does:
// in one way, and by names.
var languages = map[string]language{"go": golang, "c": c, "python": python, "cpp": cpp}

// A page is what a template is filled with.
type page struct {
	Case     *corpus.Case
	New      step // the zero value where nothing is made
	Steps    []step
	Handlers []handler
	System   surface.System
	Errors   []string // native types

	language language
}

// A step is a call, what the case says of it, and the code that makes it.
type step struct{ Says, Wants, Code string }

// A call is one of an operation, with the map of options parted from the
// arguments; nil where there is none.
type call struct {
	surface.Operation
	Args    []any
	Options map[string]any
}

// Languages are the names that [Write] takes, in the order of the surfaces.
func Languages() []string {
	var names []string
	for _, s := range surface.Surfaces {
		if _, ok := languages[s.Name]; ok {
			names = append(names, s.Name)
		}
	}
	return names
}

// Write gives the program. An error says why the language cannot say the case.
func Write(c *corpus.Case, name string) (string, error) {
	language, ok := languages[name]
	if !ok {
		return "", fmt.Errorf("there is no language %q to write it in", name)
	}
	self, _ := surface.Find(name)
	if err := sayable(c, self); err != nil {
		return "", err
	}
	system, _ := surface.FindSystem(c.System)
	p := &page{Case: c, System: system, language: language}
	for _, kind := range surface.Kinds {
		p.Errors = append(p.Errors, self.Errors[kind])
	}
	p.fill(self)
	var b strings.Builder
	if err := p.language.page.Execute(&b, p); err != nil || p.language.tidy == nil {
		return b.String(), err
	}
	tidy, err := p.language.tidy([]byte(b.String()))
	return string(tidy), err
}

// sayable refuses what a program cannot be.
func sayable(c *corpus.Case, self surface.Surface) error {
	if len(c.Threads) > 0 {
		return fmt.Errorf("%s is about threads that run at once: what comes of them differs from one run to the next, and a program could not say what to expect", c.ID)
	}
	for _, feature := range c.Needs {
		if !slices.Contains(self.Features, feature) {
			return fmt.Errorf("%s needs %s, which %s does not have: it has no way to make that call", c.ID, feature, self.Name)
		}
	}
	return nil
}

func (p *page) fill(self surface.Surface) {
	c := p.Case
	if p.hasBroker() {
		p.New = step{"new" + says(arguments(c.New, c.Options)), quote("a broker"), p.language.construct(c)}
	}
	if c.NewRaises != "" {
		p.New.Wants = self.Errors[c.NewRaises]
	}
	for _, s := range c.Steps {
		call := p.parse(s.Call)
		wants := self.Errors[s.Raises]
		if s.Raises == "" {
			wants = answer(s.Returns, call.Returns)
		}
		p.Steps = append(p.Steps, step{s.Call.Op + says(s.Call.Args), wants, p.language.call(p, call)})
	}
}

// hasBroker reports whether the system is one, and not only functions.
func (p *page) hasBroker() bool { return len(p.System.New)+len(p.System.Options) > 0 }

func arguments(args []any, options map[string]any) []any {
	if options == nil {
		return args
	}
	return append(slices.Clone(args), options)
}

func says(args []any) string {
	var b strings.Builder
	for _, v := range args {
		b.WriteString(" " + wire.Format(v))
	}
	return b.String()
}

func (p *page) parse(c corpus.Call) call {
	op, _ := p.System.Find(c.Op)
	n := len(op.Params)
	if len(c.Args) == n {
		return call{op, c.Args, nil}
	}
	options, _ := c.Args[n].(map[string]any)
	return call{op, c.Args[:n], options}
}

// literals are the arguments, in the language's own words.
func (p *page) literals(c call) []string {
	var list []string
	for i, v := range c.Args {
		list = append(list, p.language.literal(v, c.Params[i].Type))
	}
	return list
}

// Returned are the structs that calls of the system give back, those within
// others first.
func (p *page) Returned() []*surface.Struct {
	var list []*surface.Struct
	for _, op := range p.System.Operations {
		list = structs(list, op.Returns)
	}
	return list
}

func structs(list []*surface.Struct, t surface.Type) []*surface.Struct {
	switch t := t.(type) {
	case surface.List:
		return structs(list, t.Of)
	case surface.Map:
		return structs(list, t.Of)
	case surface.Optional:
		return structs(list, t.Of)
	case *surface.Struct:
		for _, f := range t.Fields {
			list = structs(list, f.Type)
		}
		if !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}
