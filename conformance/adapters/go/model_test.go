package main

import (
	"errors"
	"testing"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/fuzz"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
	"github.com/stretchr/testify/require"
)

// The broker and the reference model answer random calls alike, valid or not.
// So a call that fails changes nothing either: one that did would show in what
// follows. `conform fuzz` has many more of them, through the wire.
func TestSystems_AgreeWithTheModel(t *testing.T) {
	for _, o := range []offer{plain, byHandles} {
		self, _ := surface.Find(o.surface)
		for _, system := range self.Systems {
			t.Run(o.surface+" "+system, func(t *testing.T) {
				for n := range uint64(50) {
					if c, said := fuzz.Retell(fuzz.NewTrace(1, system, n).Case(nil), self.Features); said {
						o.follow(t, c)
					}
				}
			})
		}
	}
}

func (o offer) follow(t *testing.T, c corpus.Case) {
	t.Helper()
	args := c.New
	if c.Options != nil {
		args = append(args, c.Options)
	}
	s, err := o.construct(c.System, args)
	require.Equal(t, c.NewRaises, kindOf(t, err), "new %s: %v", wire.Format(args), err)
	if err != nil {
		return
	}
	for _, step := range c.Steps {
		got, err := came(s, step.Call.Op, step.Call.Args)
		if step.Raises != kindOf(t, err) || err == nil && !wire.Equal(got, step.Returns) {
			t.Fatalf("%s %s\nbroker: %s %v\nmodel:  %s %s\n%s", step.Call.Op, wire.Format(step.Call.Args),
				wire.Format(got), err, wire.Format(step.Returns), step.Raises, corpus.Format(&c))
		}
	}
	if s.close != nil {
		require.NoError(t, s.close())
	}
}

// kindOf is about an argument, the only kind there is where nobody waits.
func kindOf(t *testing.T, err error) string {
	t.Helper()
	switch {
	case err == nil:
		return ""
	case errors.Is(err, broker.ErrInvalidArgument):
		return surface.InvalidArgument
	}
	t.Fatalf("%T: %v", err, err)
	return ""
}

// came is what a call comes to, as a value of package wire.
func came(s system, op string, args []any) (any, error) {
	value, err := s.prepare(op, args)()
	if err != nil {
		return nil, err
	}
	return fromGo(value), nil
}
