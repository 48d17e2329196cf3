package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
)

// A Proof is a clause with the cases that name it.
type Proof struct {
	Clause Clause
	Cases  []Case
}

// Lint loads a corpus and compares it with the contract. A case must not name
// a clause that does not exist. Where the corpus has a contract of its own,
// every clause also needs a case, or with a dagger a test; where it has none,
// the one given only says which clauses there are. The tests that the contract
// names are looked for in tree, unless that is nil.
func Lint(fsys, contract, tree fs.FS) ([]Proof, error) {
	cases, err := Load(fsys)
	if err != nil {
		return nil, err
	}
	_, err = fs.Stat(fsys, ContractFile)
	own := err == nil
	if own {
		contract = fsys
	}
	clauses, err := ReadContract(contract)
	if err != nil {
		return nil, err
	}
	proofs, err := prove(clauses, cases)
	if own {
		err = errors.Join(err, checkProofs(proofs, tree))
	}
	return proofs, err
}

// prove gives each clause its cases. The error names the cases that are about
// no clause.
func prove(clauses []Clause, cases []Case) ([]Proof, error) {
	proofs := make([]Proof, len(clauses))
	for i, clause := range clauses {
		proofs[i].Clause = clause
	}
	var problems []error
	for _, c := range cases {
		for _, id := range c.Spec {
			i := slices.IndexFunc(proofs, func(p Proof) bool { return p.Clause.ID == id })
			if i < 0 {
				problems = append(problems, &Problem{c.File, c.Line, fmt.Sprintf("case %s: the contract has no clause %s", c.ID, id)})
				continue
			}
			proofs[i].Cases = append(proofs[i].Cases, c)
		}
	}
	return proofs, errors.Join(problems...)
}

func checkProofs(proofs []Proof, tree fs.FS) error {
	var problems []error
	for _, p := range proofs {
		switch {
		case p.Clause.Dagger && len(p.Clause.Tests) == 0:
			problems = append(problems, p.problem(p.Clause.Line, "no test is named: the line %s is missing", provedBy))
		case !p.Clause.Dagger && len(p.Cases) == 0:
			problems = append(problems, p.problem(p.Clause.Line, "no case proves it"))
		}
		for _, test := range p.Clause.Tests {
			if err := findTest(tree, test); err != nil {
				problems = append(problems, p.problem(test.Line, "%s: %s", test, err))
			}
		}
	}
	return errors.Join(problems...)
}

func (p Proof) problem(line int, format string, args ...any) error {
	return &Problem{ContractFile, line, "clause " + p.Clause.ID + ": " + fmt.Sprintf(format, args...)}
}

// definition is how a test begins, by the extension of its file.
var definition = map[string]string{
	".go": `(?m)^func %s\(`,
	".py": `(?m)^\s*(?:async )?def %s\(`,
}

func findTest(tree fs.FS, test Test) error {
	form, ok := definition[path.Ext(test.File)]
	if !ok {
		return errors.New("tests are looked for in Go and Python only")
	}
	if tree == nil {
		return nil
	}
	source, err := fs.ReadFile(tree, test.File)
	if err != nil {
		return err
	}
	if !regexp.MustCompile(fmt.Sprintf(form, regexp.QuoteMeta(test.Name))).Match(source) {
		return errors.New("there is no such test")
	}
	return nil
}
