package adaptertest

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"
)

// Hello is what the stubs say, if they say anything; Error is the type that
// stands for invalid_argument in it.
const (
	Error = "StubError"
	Hello = `{"hello":{"protocol":1,"surface":"stub","systems":["event","message","pubsub","assign"],` + rest
	rest  = `"features":["null_strings","raw_bytes","wide_integers","batch","redeliver","status"],"errors":{"invalid_argument":"StubError","timed_out":"StubTimeout"},"serial":true,"mood":0.5}}` + "\n"
)

// recording is a hello without serial.
var recording = strings.Replace(Hello, `"serial":true,`, "", 1)

// remake forgets between lists of calls what there was.
func remake(r request) string { return strings.ReplaceAll(timed("[1,1]")(r), "false", "true") }

const (
	isTrue  = `{"ok":true}`
	isError = `{"error":"StubError","message":"no"}`
)

var stubs = map[string]stub{
	"faithful": {hello: Hello, answer: faithful},
	"message":  {hello: `{"hello":{"protocol":1,"surface":"stub","systems":["message"],` + rest, answer: faithful},
	"pubsub":   {hello: `{"hello":{"protocol":1,"surface":"stub","systems":["pubsub"],` + rest, answer: faithful},
	"assign":   {hello: `{"hello":{"protocol":1,"surface":"stub","systems":["assign"],` + rest, answer: faithful},

	// Nothing behind them.
	"true":   {hello: Hello, answer: all(isTrue)},
	"error":  {hello: Hello, answer: refuse},
	"errors": {hello: Hello, answer: all(isError)},                                                          // its constructor returns
	"excuse": {hello: strings.Replace(Hello, `"errors":{`, `"errors":{"":"StubError",`, 1), answer: refuse}, // declares its error for no error

	// Faults in a case.
	"dies":   {hello: Hello, answer: die},
	"ten":    {hello: Hello, answer: ten},
	"mute":   {hello: Hello, answer: func(request) string { return "" }},
	"sleeps": {hello: Hello, afterHello: func() { time.Sleep(time.Hour) }},
	"orphan": {hello: Hello, answer: orphan},
	"closes": {hello: Hello, answer: func(request) string { _ = os.Stdout.Close(); time.Sleep(time.Hour); return "" }},
	"half":   {hello: Hello, answer: func(request) string { fmt.Print(`{"id":1,"res`); os.Exit(7); return "" }},

	// Lines of every kind.
	"flood":      {hello: Hello, answer: flood},
	"long":       {hello: Hello, answer: func(r request) string { return all(`{"ok":"` + strings.Repeat("x", 5<<20) + `"}`)(r) }},
	"endless":    {hello: Hello, answer: endless},
	"garbage":    {hello: Hello, answer: func(request) string { return "lorem ipsum\n" }},
	"blank":      {hello: Hello, answer: func(request) string { return "\n" }},
	"stray":      {hello: Hello, answer: func(r request) string { return "debug: " + all(isTrue)(r) }},
	"twice":      {hello: Hello, answer: func(r request) string { return all(isTrue)(r) + all(isTrue)(r) }},
	"wrong-id":   {hello: Hello, answer: func(r request) string { r.ID++; return all(isTrue)(r) }},
	"no-id":      {hello: Hello, answer: func(request) string { return `{"results":[[]]}` + "\n" }},
	"no-results": {hello: Hello, answer: func(r request) string { return fmt.Sprintf(`{"id":%d}`+"\n", r.ID) }},

	// Faithful but for one thing.
	"float-id":  {hello: Hello, answer: func(r request) string { r.ID = int64(float64(r.ID)); return faithful(r) }},
	"latin":     {hello: Hello, answer: func(r request) string { return strings.ReplaceAll(faithful(r), "é", "Ã©") }},
	"text":      {hello: Hello, answer: func(r request) string { return strings.ReplaceAll(faithful(r), `{"hex":`, `{"bytes":`) }},
	"nothing":   {hello: Hello, answer: func(r request) string { return strings.ReplaceAll(faithful(r), `null`, `""`) }},
	"backwards": {hello: Hello, answer: backwards},

	// Faithful but for what is not handed on.
	"no-rules":   {hello: Hello, answer: func(r request) string { return faithful(r.without(`,\[\{"do":.*?\}\]\]`, `,[]]`)) }},
	"no-options": {hello: Hello, answer: func(r request) string { return faithful(r.without(`,\{"(policy|filter|retain)":.*\}\]`, `]`)) }},

	// Faithful, and to be asked for times.
	"records":   {hello: recording, answer: timed("[1,1]")},
	"untimed":   {hello: recording, answer: faithful},
	"overlaps":  {hello: recording, answer: timed("[1,5]")},
	"forgetful": {hello: recording, answer: func(r request) string { r.Before = nil; return timed("[1,1]")(r) }},
	"remade":    {hello: recording, answer: remake},

	// Hellos.
	"silent":      {},
	"prints":      {hello: "Welcome!\n"},
	"exits":       {atStart: func() { fmt.Fprintln(os.Stderr, "no library"); os.Exit(1) }},
	"protocol-2":  {hello: `{"hello":{"protocol":2,"surface":"stub"}}` + "\n"},
	"no-errors":   {hello: `{"hello":{"protocol":1,"surface":"stub","systems":["event"]}}` + "\n"},
	"misspelt":    {hello: `{"hello":{"protocol":1,"surface":"stub","systems":["events"],"features":["null_string"],"errors":{"invalid_argument":"E"}}}` + "\n"},
	"own-go":      {hello: own(ownSystems, ownFeatures, "broker.ErrInvalidArgument"), answer: all(isTrue)},
	"own-systems": {hello: own(`"other","message"`, ownFeatures, "broker.ErrInvalidArgument"), answer: all(isTrue)},
	"own-feature": {hello: own(ownSystems, `"raw_bytes"`, "broker.ErrInvalidArgument"), answer: all(isTrue)},
	"own-error":   {hello: own(ownSystems, ownFeatures, "broker.ErrOther"), answer: all(isTrue)},
	"own-other":   {hello: own(`"other"`, ``, "broker.ErrOther"), answer: all(isTrue)},

	// Ends.
	"lingers":   {hello: Hello, answer: all(isTrue), atEnd: func() { time.Sleep(time.Hour) }},
	"status-3":  {hello: Hello, answer: all(isTrue), atEnd: func() { os.Exit(3) }},
	"last-word": {hello: Hello, answer: all(isTrue), atEnd: func() { fmt.Println("bye") }},
}

// What the surface go has.
const (
	ownSystems  = `"event","message","pubsub","assign"`
	ownFeatures = `"raw_bytes","batch","redeliver","status"`
)

// own is a hello of the surface go.
func own(systems, features, invalid string) string {
	return fmt.Sprintf(`{"hello":{"protocol":1,"surface":"go","systems":[%s],"features":[%s],`+
		`"errors":{"invalid_argument":"%s","timed_out":"broker.ErrTimedOut"}}}`+"\n",
		systems, features, invalid)
}

// all gives every call the same result.
func all(result string) func(request) string {
	return func(r request) string {
		threads := make([]string, len(r.Threads))
		for i, calls := range r.Threads {
			threads[i] = "[" + strings.TrimSuffix(strings.Repeat(result+",", len(calls)), ",") + "]"
		}
		return fmt.Sprintf(`{"id":%d,"results":[%s]}`+"\n", r.ID, strings.Join(threads, ","))
	}
}

// refuse refuses to make a broker at all.
func refuse(r request) string {
	return fmt.Sprintf(`{"id":%d,"new":%s,"results":[]}`+"\n", r.ID, isError)
}

// die ends the process over the cases 2, 3 and 4, each in another way.
func die(r request) string {
	switch r.ID {
	case 2:
		fmt.Fprintln(os.Stderr, "about to die")
		segfault()
	case 3:
		os.Exit(0)
	case 4:
		os.Exit(255)
	}
	return all(isTrue)(r)
}

// segfault has sh take this process's place, for Go would catch the signal.
func segfault() {
	panic(syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -SEGV $$"}, nil))
}

// ten answers ten cases and is gone.
func ten(r request) string {
	if r.count > 10 {
		os.Exit(0)
	}
	return all(isTrue)(r)
}

// without is the request with something in its calls replaced.
func (r request) without(pattern, by string) request {
	expression := regexp.MustCompile(pattern)
	for _, calls := range r.Threads {
		for i, call := range calls {
			calls[i] = expression.ReplaceAll(call, []byte(by))
		}
	}
	return r
}

// held are cases that backwards has not answered yet.
var held []request

// backwards answers three cases that were sent ahead in the wrong order.
func backwards(r request) string {
	if r.ID < 100 || r.ID > 102 {
		return faithful(r)
	}
	held = append(held, r)
	if len(held) < 3 {
		return ""
	}
	return faithful(held[2]) + faithful(held[1]) + faithful(held[0])
}

// orphan dies and leaves a child behind that holds all its streams.
func orphan(request) string {
	child := exec.Command("sleep", "3600")
	child.Stdin, child.Stdout, child.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := child.Start(); err != nil {
		panic(err)
	}
	fmt.Fprintln(os.Stderr, child.Process.Pid)
	os.Exit(9)
	return ""
}

func flood(r request) string {
	line := strings.Repeat("e", 1023) + "\n"
	for range 10 << 10 {
		fmt.Fprint(os.Stderr, line)
	}
	fmt.Fprintln(os.Stderr, "the end")
	return all(isTrue)(r)
}

// endless writes 300 MiB and no newline.
func endless(request) string {
	block := strings.Repeat("x", 1<<20)
	for range 300 {
		fmt.Print(block)
	}
	return ""
}
