package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

// A Surface is an implementation to be judged.
type Surface struct {
	Name  string
	Start func(context.Context) (Adapter, error)

	// Record starts an adapter whose library counts the calls that overlap, for
	// concurrent cases; nil is Start.
	Record func(context.Context) (Adapter, error)

	// Own is what the kit has written down of one of the project's own
	// surfaces; nil for a third party's, whose hello is believed.
	Own *surface.Surface
}

// Process is the surface that a command's process is the adapter of. The
// timeout is for the hello, each case and the exit.
func Process(name string, c adapter.Command, timeout time.Duration) Surface {
	return Surface{Name: name, Start: func(ctx context.Context) (Adapter, error) {
		a, err := adapter.Start(ctx, c, timeout)
		if err != nil {
			return nil, err // not a nil *adapter.Adapter in an interface
		}
		return a, nil
	}}
}

// recorder is the surface for concurrent cases.
func (s Surface) recorder() Surface {
	if s.Record != nil {
		s.Start = s.Record
	}
	return s
}

// check refuses a hello that says less than the kit has written down.
func (s Surface) check(hello adapter.Hello) error {
	if s.Own == nil {
		return nil
	}
	if hello.Surface != s.Name {
		return fmt.Errorf("its hello is that of the surface %q", hello.Surface)
	}
	if hello.Serial && !s.Own.Serial {
		return errors.New("its hello says serial, and its threads have to make calls at once")
	}
	if missing := without(s.Own.Systems, hello.Systems); missing != nil {
		return fmt.Errorf("its hello lacks the systems %q", missing)
	}
	if missing := without(s.Own.Features, hello.Features); missing != nil {
		return fmt.Errorf("its hello lacks the features %q", missing)
	}
	for kind, native := range s.Own.Errors {
		if hello.Errors[kind] != native {
			return fmt.Errorf("its hello says %q for %s, where %q is due", hello.Errors[kind], kind, native)
		}
	}
	return nil
}

func without(want, have []string) (missing []string) {
	for _, name := range want {
		if !slices.Contains(have, name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// errors gives kind of error => the native type that has to be seen.
func (s Surface) errors(hello adapter.Hello) map[string]string {
	if s.Own != nil {
		return s.Own.Errors
	}
	return hello.Errors
}

// lacks names what a surface would need for the case, "" when it has it all.
func lacks(hello adapter.Hello, c *corpus.Case) string {
	if !slices.Contains(hello.Systems, c.System) {
		return c.System
	}
	for _, feature := range c.Needs {
		if !slices.Contains(hello.Features, feature) {
			return feature
		}
	}
	return ""
}
