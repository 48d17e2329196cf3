// Package mutation makes small faults in the brokers' source and has the corpus
// look for them: what it does not find, no case states.
//
// A mutant is one edit of one expression or statement. It is built by an overlay,
// so that the checkout stays as it is, and judged by the sequential cases of its
// system alone: through the Go adapter, by names and by handles, and, where that
// finds nothing, through the C adapter with the library, which also asks for the
// size of what it gets.
//
// Left alone is what such cases cannot see by their nature: locks, the functions
// that close and those named String, which are for the texts of errors, panics,
// and the results beside an error or behind the call of a function named fail.
package mutation

import (
	"fmt"
	"strings"
)

// A Mutant is one edit of one file.
type Mutant struct {
	File     string // from the root of the checkout, with slashes
	Function string
	Line     int
	Source   string // the line as it is, trimmed
	Before   string
	After    string
	Nth      int // among edits that are alike on lines that are alike in the function

	start, end int // bytes of the file that After replaces
}

// ID names a mutant in a way that outlives changes elsewhere in the file.
func (m Mutant) ID() string {
	id := fmt.Sprintf("%s %s: %s => %s in: %s", m.File, m.Function, oneLine(m.Before), oneLine(m.After), m.Source)
	if m.Nth > 0 {
		id += fmt.Sprintf(" (%d)", m.Nth+1)
	}
	return id
}

func (m Mutant) String() string {
	return fmt.Sprintf("%s:%d %s: %s => %s", m.File, m.Line, m.Function, oneLine(m.Before), oneLine(m.After))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// apply returns the file with the edit made.
func (m Mutant) apply(source []byte) []byte {
	var b []byte
	b = append(b, source[:m.start]...)
	b = append(b, m.After...)
	return append(b, source[m.end:]...)
}
