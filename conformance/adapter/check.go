package adapter

import (
	"context"
	"fmt"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// A check is one case that says more of the adapter than of what it drives.
type check struct {
	about   string
	feature string // that the hello must have, or else there is nothing to check
	id      int64
	refused bool // the constructor must fail
	new     []any
	calls   []expected
	mend    string
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

func (c check) request() Request {
	r := Request{ID: c.id, System: "event", New: c.new}
	if !c.refused {
		calls := make([]corpus.Call, len(c.calls))
		for i, e := range c.calls {
			calls[i] = e.call
		}
		r.Threads = [][]corpus.Call{calls}
	}
	return r
}

func (c check) run(ctx context.Context, a *Adapter) error {
	response, err := a.Do(ctx, c.request())
	if err != nil {
		return err
	}
	return c.judge(response, a.hello.Errors[surface.InvalidArgument])
}

// judge compares the response with the check; native is the declared type.
func (c check) judge(response Response, native string) error {
	var got Result
	if response.New != nil {
		got = *response.New
	}
	if c.refused {
		return compare("the constructor", invalid, got, native)
	}
	if response.New != nil {
		return fmt.Errorf("the constructor failed with %s: %s", got.Error, got.Message)
	}
	for i, e := range c.calls {
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
