// Package adaptertest is for tests that need an adapter that misbehaves: the
// test's own executable, started again as a stub. Call [Main] from TestMain.
package adaptertest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"go.uber.org/goleak"
)

const (
	variable = "ADAPTERTEST_STUB"
	hurry    = "GORACE=atexit_sleep_ms=0" // a race-checked executable would wait a second at its end
)

// Main runs the tests, and afterwards looks for goroutines left behind, unless
// the process was started as a stub.
func Main(m *testing.M) {
	name := os.Getenv(variable)
	if name == "" {
		goleak.VerifyTestMain(m)
		return
	}
	stub, ok := stubs[name]
	if !ok {
		fmt.Fprintf(os.Stderr, "no stub %q\n", name)
		os.Exit(2)
	}
	serve(stub)
	os.Exit(0)
}

// Command starts the stub of that name.
func Command(name string) adapter.Command {
	executable, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return adapter.Command{Args: []string{executable}, Env: append(os.Environ(), variable+"="+name, hurry)}
}

// Line is Command as a line for sh.
func Line(name string) string {
	return hurry + " " + variable + "=" + name + " '" + Command(name).Args[0] + "'"
}

// A stub answers the hello and each case with lines, one or none or several.
type stub struct {
	atStart    func()
	hello      string
	afterHello func()
	answer     func(request) string
	atEnd      func()
}

// A request is a line from the runner.
type request struct {
	ID      int64               `json:"id"`
	Hello   json.RawMessage     `json:"hello"`
	System  string              `json:"system"`
	New     json.RawMessage     `json:"new"`
	Threads [][]json.RawMessage `json:"threads"`
	Record  bool                `json:"record"`
	Before  []json.RawMessage   `json:"before"`
	count   int                 // of the cases this process was given, from 1
}

func serve(s stub) {
	if s.atStart != nil {
		s.atStart()
	}
	lines := bufio.NewReader(os.Stdin)
	for count := 0; ; count++ {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		r := request{count: count}
		if err := json.Unmarshal(line, &r); err != nil {
			panic(err)
		}
		if r.Hello != nil {
			fmt.Print(s.hello)
			if s.afterHello != nil {
				s.afterHello()
			}
			continue
		}
		fmt.Print(s.answer(r))
	}
	if s.atEnd != nil {
		s.atEnd()
	}
}
