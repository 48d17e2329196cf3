package adapter

import (
	"context"
	"fmt"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// A check is a case that says more of the adapter than of what it drives, made
// on every system that the adapter has.
type check struct {
	about   string
	feature string // that the hello must have, or else there is nothing to check
	id      int64
	on      map[string]script // by system; one that is not there has nothing to check
	mend    string
}

// A script is the check as one system says it.
type script struct {
	new     []any
	refused bool // the constructor must fail
	calls   []expected
}

// expected is a call and what must come of it.
type expected struct {
	call corpus.Call
	want any // a value, or one of the two below
}

type failure string

const (
	invalid failure = "the declared error for invalid_argument"
	unknown failure = "an error of another type than the declared one"
)

func want(value any, op string, args ...any) expected {
	return expected{corpus.Call{Op: op, Args: args}, value}
}

func (s script) request(id int64, system string) Request {
	r := Request{ID: id, System: system, New: s.new}
	if !s.refused {
		calls := make([]corpus.Call, len(s.calls))
		for i, e := range s.calls {
			calls[i] = e.call
		}
		r.Threads = [][]corpus.Call{calls}
	}
	return r
}

func (c check) run(ctx context.Context, a *Adapter) error {
	for _, system := range known(a.hello) {
		s, ok := c.on[system]
		if !ok {
			continue
		}
		response, err := a.Do(ctx, s.request(c.id, system))
		if err != nil {
			return err
		}
		if err := s.judge(response, a.hello.Errors[surface.InvalidArgument]); err != nil {
			return fmt.Errorf("%s: %w", system, err)
		}
	}
	return nil
}

// applies reports whether the adapter has what there is to check.
func (c check) applies(hello Hello) bool {
	has := func(system string) bool { _, ok := c.on[system]; return ok }
	return slices.ContainsFunc(known(hello), has) &&
		(c.feature == "" || slices.Contains(hello.Features, c.feature))
}

// known are the systems of the hello that the kit knows.
func known(hello Hello) []string {
	var systems []string
	for _, s := range surface.Systems {
		if slices.Contains(hello.Systems, s.Name) {
			systems = append(systems, s.Name)
		}
	}
	return systems
}

// judge compares the response with the script; native is the declared type.
func (s script) judge(response Response, native string) error {
	var got Result
	if response.New != nil {
		got = *response.New
	}
	if s.refused {
		return compare("the constructor", invalid, got, native)
	}
	if response.New != nil {
		return fmt.Errorf("the constructor failed with %s: %s", got.Error, got.Message)
	}
	for i, e := range s.calls {
		if err := compare(e.call.Op, e.want, response.Results[0][i], native); err != nil {
			return err
		}
	}
	return nil
}

func compare(what string, want any, got Result, native string) error {
	ok := got.Error == "" && wire.Equal(want, got.Value)
	said := any(wire.Format(got.Value))
	switch want {
	case invalid:
		ok, want = got.Error == native, native
	case unknown:
		ok = got.Error != "" && got.Error != native
	default:
		want = wire.Format(want)
	}
	if got.Error != "" {
		said = got.Error + ": " + got.Message
	}
	if !ok {
		return fmt.Errorf("%s came to %.200s where %.200s was expected", what, said, want)
	}
	return nil
}
