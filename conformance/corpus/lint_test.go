package corpus_test

import (
	"testing"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// contract has a clause that fileWith's cases prove, and one that tests do.
const contract = `# The contract

**EB-01** The capacity. As in EB-02,
it is positive.

EB-02† Every call is linearizable.

Proved by: broker/a_test.go TestA, ` + "`py/test_b.py` `test_b`" + `.
`

var tree = files(
	"broker/a_test.go", "package broker\n\nfunc TestA(t *testing.T) {}\n",
	"py/test_b.py", "class TestB:\n    def test_b(self): pass\n",
)

func TestReadContract(t *testing.T) {
	clauses, err := corpus.ReadContract(files("CONTRACT.md", contract))
	require.NoError(t, err)
	assert.Empty(t, cmp.Diff([]corpus.Clause{
		{ID: "EB-01", Line: 3},
		{ID: "EB-02", Line: 6, Dagger: true, Tests: []corpus.Test{
			{File: "broker/a_test.go", Name: "TestA", Line: 8},
			{File: "py/test_b.py", Name: "test_b", Line: 8},
		}},
	}, clauses))
}

func TestReadContract_Refused(t *testing.T) {
	for text, problem := range map[string]string{
		"# Nothing\n":                         "CONTRACT.md: there is no clause",
		"EB-01 a\nEB-01 b\n":                  "CONTRACT.md:2: clause EB-01 is there before, in line 1",
		"Proved by: a_test.go TestA\nEB-01 a": "CONTRACT.md:1: Proved by: behind a clause",
		"EB-01 a\nProved by: TestA\n":         "CONTRACT.md:2: Proved by: behind a clause, a file and a test expected",
		"EB-01 a\nProved by:\n":               "CONTRACT.md:2: Proved by:",
	} {
		_, err := corpus.ReadContract(files("CONTRACT.md", text))
		assert.ErrorContains(t, err, problem)
	}
}

func TestLint(t *testing.T) {
	proofs, err := corpus.Lint(files("CONTRACT.md", contract, "a.yaml", fileWith("one", "two")), nil, tree)
	require.NoError(t, err)
	require.Len(t, proofs, 2)
	assert.Equal(t, []string{"one", "two"}, idsOf(proofs[0].Cases))
	assert.Empty(t, proofs[1].Cases)
}

func TestLint_Refused(t *testing.T) {
	cases := fileWith("one")
	for _, row := range []struct{ problem, contract string }{
		{"a.yaml:3: case one: the contract has no clause EB-01", "EB-02† a\nProved by: broker/a_test.go TestA\n"},
		{"CONTRACT.md:2: clause EB-02: no case proves it", "EB-01 a\nEB-02 b\n"},
		{"CONTRACT.md:2: clause EB-02: no test is named", "EB-01 a\nEB-02† b\n"},
		{"CONTRACT.md:2: clause EB-01: broker/a_test.go Test: there is no such test", "EB-01 a\nProved by: broker/a_test.go Test\n"},
		{"CONTRACT.md:2: clause EB-01: broker/b_test.go TestA: open broker/b_test.go", "EB-01 a\nProved by: broker/b_test.go TestA\n"},
		{"CONTRACT.md:2: clause EB-01: a.sh x: tests are looked for in Go and Python only", "EB-01 a\nProved by: a.sh x\n"},
	} {
		_, err := corpus.Lint(files("CONTRACT.md", row.contract, "a.yaml", cases), nil, tree)
		assert.ErrorContains(t, err, row.problem)
	}
}

// A corpus elsewhere need not cover a contract that is not its own.
func TestLint_AgainstAnotherContract(t *testing.T) {
	other := files("CONTRACT.md", "EB-01 a\nEB-02 b\nEB-03† c\n")
	proofs, err := corpus.Lint(files("a.yaml", fileWith("one")), other, nil)
	require.NoError(t, err)
	assert.Len(t, proofs, 3)

	_, err = corpus.Lint(files("a.yaml", fileWith("one")), files("CONTRACT.md", "EB-02 b\n"), nil)
	assert.ErrorContains(t, err, "a.yaml:3: case one: the contract has no clause EB-01")
}

// Without a tree the tests must be named, but are not looked for.
func TestLint_WithoutTree(t *testing.T) {
	_, err := corpus.Lint(files("CONTRACT.md", contract, "a.yaml", fileWith("one")), nil, nil)
	assert.NoError(t, err)
}
