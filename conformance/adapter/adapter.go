// Package adapter speaks to a program that drives one implementation: a child
// process that reads and writes JSON, a line a case.
//
// What can go wrong has one of three types. A [Crash] and a [Timeout] happen in
// a case and are that case's verdict; a [Break] means that nothing the adapter
// says can be judged. After any of them the adapter is gone, with every process
// in its group.
package adapter

import (
	"context"
	"errors"
	"os"
	"time"
)

// An Adapter is a running adapter that has said hello. Use it from one
// goroutine, and Close it.
type Adapter struct {
	process *process
	hello   Hello
	timeout time.Duration
	gone    bool
}

// Start starts an adapter and waits for its hello. The timeout is for the
// hello, for each case, and for the exit at the end. A method whose ctx is done
// kills the adapter and returns ctx's error.
func Start(ctx context.Context, c Command, timeout time.Duration) (*Adapter, error) {
	p, err := start(c)
	if err != nil {
		return nil, err
	}
	a := &Adapter{process: p, timeout: timeout}
	line, err := a.exchange(ctx, []byte(helloLine))
	if err == nil {
		a.hello, err = parseHello(line)
	}
	if err != nil {
		return nil, a.helloFault(err)
	}
	return a, nil
}

// helloFault ends the adapter. Before its hello a crash or a timeout is no
// case's, and the end of its standard error is all there is to tell why.
func (a *Adapter) helloFault(err error) error {
	a.discard()
	var crash *Crash
	var timeout *Timeout
	var fault *Break
	switch {
	case errors.As(err, &crash):
		fault = &Break{Reason: "it " + crash.How + " before its hello"}
	case errors.As(err, &timeout):
		fault = &Break{Reason: "no hello within " + timeout.After.String()}
	case !errors.As(err, &fault):
		return err
	}
	fault.Stderr = a.Stderr()
	return fault
}

// Hello is what the adapter said of itself.
func (a *Adapter) Hello() Hello { return a.hello }

// Stderr is the end of what the adapter wrote to its standard error since the
// last case began.
func (a *Adapter) Stderr() string { return a.process.tail.text() }

// Do has one case carried out.
func (a *Adapter) Do(ctx context.Context, r Request) (Response, error) {
	line, err := r.encode()
	if err != nil {
		return Response{}, err
	}
	a.process.tail.clear()
	answer, err := a.exchange(ctx, line)
	if err != nil {
		return Response{}, err
	}
	response, err := r.parse(answer)
	if err != nil {
		a.discard()
	}
	return response, err
}

// exchange writes a line and reads one.
func (a *Adapter) exchange(ctx context.Context, line []byte) ([]byte, error) {
	defer context.AfterFunc(ctx, a.process.kill)()
	deadline := time.Now().Add(a.timeout)
	err := a.process.write(line, deadline)
	if err == nil {
		line, err = a.process.read(deadline)
	}
	if err == nil {
		return line, nil
	}
	fault := a.fault(err)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return nil, fault
}

// fault ends the adapter and says what an error of its streams comes from.
func (a *Adapter) fault(err error) error {
	var broke *Break
	switch {
	case errors.As(err, &broke):
		a.discard()
		return broke
	case errors.Is(err, os.ErrDeadlineExceeded):
		a.discard()
		return &Timeout{After: a.timeout}
	}
	how, late := a.end(time.Now().Add(grace)) // the end of its output, or nobody left to read
	if late != nil {
		how = "closed its standard output and stayed"
	}
	return &Crash{How: how}
}

// discard kills the adapter, however it would have ended.
func (a *Adapter) discard() { _, _ = a.end(time.Now()) }

func (a *Adapter) end(deadline time.Time) (string, error) {
	a.gone = true
	return a.process.end(deadline)
}

// Close tells the adapter that there is no more to do. One that does not exit
// with status 0 in time, or still has something to say, breaks the protocol.
// Closing one that is gone already does nothing.
func (a *Adapter) Close(ctx context.Context) error {
	if a.gone {
		return nil
	}
	defer context.AfterFunc(ctx, a.process.kill)()
	deadline := time.Now().Add(a.timeout)
	_ = a.process.stdin.Close()
	line, err := a.process.read(deadline)
	how, late := a.end(deadline)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case len(line) > 0 || err == nil:
		return broken(line, "it wrote to standard output after its last answer")
	case late != nil:
		return &Break{Reason: "it did not exit within " + a.timeout.String() + " of the end of its input"}
	case how != "exited with status 0":
		return &Break{Reason: "it " + how + " at the end of its input, where status 0 is due"}
	}
	return nil
}
