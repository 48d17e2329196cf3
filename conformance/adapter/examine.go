package adapter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/eventbroker/eventbroker/conformance/surface"
)

// A Finding is what came of one check of an adapter.
type Finding struct {
	About string
	Fault string // "" when all is well
	Mend  string // what to do about the fault

	Stderr string // the end of its standard error, where the fault ended it
}

// Examine looks for the faults that new adapters have. The first finding is
// about the hello, without which there are no others. An adapter that is lost
// over one check is started again for the next.
func Examine(ctx context.Context, c Command, timeout time.Duration) []Finding {
	x := &examination{command: c, timeout: timeout}
	defer func() { _ = x.close(ctx) }() // a bad end has been found out by then
	if f := x.check(ctx, "hello", "answer the first line with a hello as the protocol describes it, at once and flushed",
		func() error { return nil }); f.Fault != "" {
		return []Finding{f}
	}
	hello := x.adapter.Hello()
	findings := []Finding{{About: fmt.Sprintf("hello from %s, which has %v and %v", hello.Surface, hello.Systems, hello.Features)}}
	findings = append(findings, knownNames(hello))
	if len(known(hello)) > 0 {
		findings = append(findings, x.checks(ctx, hello)...)
	}
	return append(findings, x.finish(ctx))
}

// knownNames finds names in a hello that the kit does not have. To a run they are no
// fault, since an adapter may be newer than the kit; misspelt, they would have
// cases passed over in silence.
func knownNames(hello Hello) Finding {
	f := Finding{About: "its systems and features are known"}
	var systems, strange []string
	for _, s := range surface.Systems {
		systems = append(systems, s.Name)
	}
	for _, name := range hello.Systems {
		if !slices.Contains(systems, name) {
			strange = append(strange, fmt.Sprintf("system %q", name))
		}
	}
	for _, name := range hello.Features {
		if !slices.Contains(surface.Features, name) {
			strange = append(strange, fmt.Sprintf("feature %q", name))
		}
	}
	if len(strange) > 0 {
		f.Fault = "the kit has no " + strings.Join(strange, ", no ")
		f.Mend = fmt.Sprintf("there are the systems %v and the features %v; cases for what is spelt otherwise do not run", systems, surface.Features)
	}
	return f
}

type examination struct {
	command Command
	timeout time.Duration
	adapter *Adapter // nil when none is running
}

func (x *examination) start(ctx context.Context) error {
	if x.adapter != nil {
		return nil
	}
	a, err := Start(ctx, x.command, x.timeout)
	if err == nil {
		x.adapter = a
	}
	return err
}

func (x *examination) checks(ctx context.Context, hello Hello) []Finding {
	var findings []Finding
	for _, c := range checks {
		if c.applies(hello) {
			findings = append(findings, x.check(ctx, c.about, c.mend, func() error { return c.run(ctx, x.adapter) }))
		}
	}
	if !hello.Serial {
		findings = append(findings, x.check(ctx, "threads run at once and say when",
			`make the calls of before, then those of each thread on a thread of its own, all at once; give every result of a thread `+
				`"at": [call, return] from one clock; or say "serial": true in the hello`,
			func() error { return x.adapter.recorded(ctx) }))
	}
	return append(findings, x.check(ctx, "cases may be sent ahead",
		"answer in the order of the lines, each with its own id; drop nothing that was read ahead",
		func() error { return x.adapter.pipelined(ctx) }))
}

// check runs one check on an adapter that is there.
func (x *examination) check(ctx context.Context, about, remedy string, run func() error) Finding {
	err := x.start(ctx)
	if err == nil {
		err = run()
	}
	if err == nil {
		return Finding{About: about}
	}
	f := Finding{About: about, Fault: err.Error(), Mend: mend(err, remedy)}
	var broke *Break
	if x.adapter == nil && errors.As(err, &broke) {
		f.Stderr = broke.Stderr
	}
	if x.adapter != nil && x.adapter.gone {
		f.Stderr = x.adapter.Stderr()
		x.adapter = nil
	}
	return f
}

// finish checks the end.
func (x *examination) finish(ctx context.Context) Finding {
	return x.check(ctx, "the end of its input ends it",
		"leave with status 0 when standard input ends, and write nothing more", func() error { return x.close(ctx) })
}

func (x *examination) close(ctx context.Context) error {
	if x.adapter == nil {
		return nil
	}
	return x.adapter.Close(ctx)
}

// mend chooses the advice: some faults say more than the check they came up in.
func mend(err error, otherwise string) string {
	var timeout *Timeout
	var crash *Crash
	switch {
	case errors.Is(err, errNotJSON):
		return "something else prints on standard output: send it to standard error"
	case errors.As(err, &timeout):
		return "read line by line and not to the end, and flush standard output after every answer"
	case errors.As(err, &crash):
		return "find out from its standard error why it ended; whatever a call throws has to be caught"
	}
	return otherwise
}

// ahead is how many cases pipelined sends before it reads an answer.
const ahead = 3

// pipelined sends several cases before it reads the first answer.
func (a *Adapter) pipelined(ctx context.Context) error {
	defer context.AfterFunc(ctx, a.process.kill)()
	deadline := time.Now().Add(a.timeout)
	system := known(a.hello)[0]
	for id := range int64(ahead) {
		line, err := smallest[system].request(100+id, system).encode()
		if err == nil {
			err = a.process.write(line, deadline)
		}
		if err != nil {
			return a.fault(err)
		}
	}
	for id := range int64(ahead) {
		line, err := a.process.read(deadline)
		if err != nil {
			return a.fault(err)
		}
		if _, err := smallest[system].request(100+id, system).parse(line); err != nil {
			a.discard()
			return err
		}
	}
	return nil
}
