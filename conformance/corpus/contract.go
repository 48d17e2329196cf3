package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// ContractFile has the clauses, at the top of a corpus.
const ContractFile = "CONTRACT.md"

// A Clause is a numbered sentence of the contract. In the file it is a line
// that begins with its number, in bold or not:
//
//	**EB-15†** Every call is linearizable.
//	Proved by: broker/event/concurrent_test.go TestLinearizable, bindings/python/tests/test_event.py test_threads
//
// With a dagger it is proved by tests outside the corpus, which the line
// "Proved by:" names: a file from the top of the tree, and a test in it.
type Clause struct {
	ID     string
	Dagger bool
	Tests  []Test
	Line   int
}

// A Test is named by the contract as the proof of a clause.
type Test struct {
	File string
	Name string
	Line int // of the contract
}

func (t Test) String() string { return t.File + " " + t.Name }

var clauseLine = regexp.MustCompile(`^[-*#\s]*([A-Z]{2}-[0-9]{2})(†?)(?:[*:.\s]|$)`)

const provedBy = "Proved by:"

// ReadContract gives the clauses of the contract of a corpus, in their order.
func ReadContract(fsys fs.FS) ([]Clause, error) {
	data, err := readFile(fsys, ContractFile)
	if err != nil {
		return nil, err
	}
	r := &contractReader{seen: map[string]int{}}
	for i, text := range strings.Split(string(data), "\n") {
		r.read(i+1, text)
	}
	if len(r.clauses) == 0 {
		r.fail(0, "there is no clause: a line that begins with a number like EB-07")
	}
	return r.clauses, errors.Join(r.problems...)
}

type contractReader struct {
	clauses  []Clause
	seen     map[string]int // id => line
	problems []error
}

func (r *contractReader) fail(line int, format string, args ...any) {
	r.problems = append(r.problems, &Problem{ContractFile, line, fmt.Sprintf(format, args...)})
}

func (r *contractReader) read(line int, text string) {
	if m := clauseLine.FindStringSubmatch(text); m != nil {
		r.clause(Clause{ID: m[1], Dagger: m[2] != "", Line: line})
	}
	if names, ok := strings.CutPrefix(strings.TrimLeft(text, "*_ \t"), provedBy); ok {
		r.tests(line, names)
	}
}

func (r *contractReader) clause(c Clause) {
	if first, ok := r.seen[c.ID]; ok {
		r.fail(c.Line, "clause %s is there before, in line %d", c.ID, first)
	}
	r.seen[c.ID] = c.Line
	r.clauses = append(r.clauses, c)
}

func (r *contractReader) tests(line int, names string) {
	names = strings.NewReplacer("`", "", "*", "").Replace(names)
	names = strings.TrimSuffix(strings.TrimSpace(names), ".")
	for _, name := range strings.Split(names, ",") {
		words := strings.Fields(name)
		if len(words) != 2 || len(r.clauses) == 0 {
			r.fail(line, "%s behind a clause, a file and a test expected, several with commas between, not %q", provedBy, name)
			continue
		}
		last := &r.clauses[len(r.clauses)-1]
		last.Tests = append(last.Tests, Test{words[0], words[1], line})
	}
}
