package mutation

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const small = `package small

type box struct{ n int }

func (b *box) grow(by int) {
	if by > b.n {
		b.n += by
	}
	mu.Lock()
}

func read() (int, error) { return 7, broker.ErrClosed }

func (b *box) Close() { b.n = 0 }

func (b *box) String() string { return "box " + b.name }

func (b *box) refuse() {
	b.fail("full")
	return
}
`

// folderOf writes one source file to the folder small of a new root.
func folderOf(t *testing.T, source string) (root string) {
	root = t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(root, "small"), 0o700))
	for _, name := range []string{"box.go", "box_test.go"} { // tests are not mutated
		require.NoError(t, os.WriteFile(filepath.Join(root, "small", name), []byte(source), 0o600))
	}
	return root
}

func found(t *testing.T, source string) []Mutant {
	mutants, err := Find(folderOf(t, source), "small")
	require.NoError(t, err)
	return mutants
}

func TestFindGivesTheMutantsInOrder(t *testing.T) {
	var got []string
	for _, m := range found(t, small) {
		got = append(got, m.String())
	}
	assert.Equal(t, []string{
		"small/box.go:6 box.grow: by > b.n => !(by > b.n)",
		"small/box.go:6 box.grow: > => >=",
		"small/box.go:6 box.grow: > => <=",
		"small/box.go:7 box.grow: b.n += by => if false { b.n += by }",
		"small/box.go:7 box.grow: += => -=",
		"small/box.go:19 box.refuse: b.fail(\"full\") => if false { b.fail(\"full\") }",
	}, got, "neither the lock, nor what stands before an error, nor Close, a text, or the return behind a failure")
}

func TestFindRefusesWhatIsNotGo(t *testing.T) {
	_, err := Find(folderOf(t, "package small; func"), "small")
	assert.ErrorContains(t, err, "small/box.go")
}

func TestEachMutantIsOneEdit(t *testing.T) {
	for _, m := range found(t, small) {
		got := string(m.apply([]byte(small)))
		assert.Equal(t, strings.Replace(small, m.Source, strings.Replace(m.Source, m.Before, m.After, 1), 1), got, "%v", m)
	}
}

func TestIDsAreDistinctAndOutliveChangesElsewhere(t *testing.T) {
	twice := strings.Replace(small, "mu.Lock()", "if by > b.n {\n}", 1)
	before, after := found(t, twice), found(t, strings.Replace(twice, "package small", "package small\n\nfunc other() {}", 1))
	ids := map[string]bool{}
	for i, m := range before {
		assert.Equal(t, m.ID(), after[i].ID())
		assert.NotEqual(t, m.Line, after[i].Line)
		assert.False(t, ids[m.ID()], "%s: twice", m.ID())
		ids[m.ID()] = true
	}
	assert.True(t, ids["small/box.go box.grow: > => >= in: if by > b.n { (2)"], "the second of two lines that are alike")
}

func TestScoreTellsListedSurvivorsFromOthers(t *testing.T) {
	mutants := found(t, small)
	require.Len(t, mutants, 6)
	fates := []Fate{Killed, TimedOut, Survived, Survived, Stillborn, Stillborn}
	var results []Result
	for i, m := range mutants {
		results = append(results, Result{Mutant: m, Fate: fates[i]})
	}
	listed := Equivalents{{mutants[0].ID(), "wrong: it was found"}, {mutants[2].ID(), "right"}}
	s := NewScore("small", results, listed)
	assert.Equal(t, []Mutant{mutants[3]}, s.Unknown)
	assert.Equal(t, []Mutant{mutants[0]}, s.Wrong)
	assert.Equal(t, 4, s.Judged(), "all that compile")
	assert.InDelta(t, 100*2.0/3, s.Percent(), 1e-9, "of those that are not equivalent")
	assert.InDelta(t, 25, s.Share(), 1e-9, "of all")
	var text strings.Builder
	s.Text(&text)
	assert.Contains(t, text.String(), "survived: small/box.go:7")
	assert.Contains(t, text.String(), "listed as equivalent, but found: small/box.go:6")
}

func TestReadEquivalentsRefusesAListThatIsWrong(t *testing.T) {
	tests := map[string]string{ // what the error says, by the list
		"- {mutant: 'a.go f: 1 => 2 in: 1', reason: b}\n- {mutant: 'a.go f: 1 => 2 in: 1', reason: c}": `"a.go f: 1 => 2 in: 1" is without a reason, or there twice`,
		"- {mutant: a, reason: b}":         `"a" is no mutant`,
		"- {mutant: a}":                    `"a" is without a reason`,
		"- {mutant: a, reason: b, why: c}": "field why not found",
		"a":                                "cannot unmarshal",
	}
	for list, says := range tests {
		file := filepath.Join(t.TempDir(), "equivalent.yaml")
		require.NoError(t, os.WriteFile(file, []byte(list), 0o600))
		_, err := ReadEquivalents(file)
		assert.ErrorContains(t, err, says, list)
		assert.ErrorContains(t, err, file)
	}
}

// A reason whose mutant is gone would excuse nothing, and nobody would notice.
func TestEveryListedMutantIsInTheSource(t *testing.T) {
	list, err := ReadEquivalents("equivalent.yaml")
	require.NoError(t, err)
	for _, folder := range []string{"broker/event", "broker/message", "broker/assign"} {
		mutants, err := Find("../..", folder)
		require.NoError(t, err)
		for _, m := range mutants {
			list = slices.DeleteFunc(list, func(e Equivalent) bool { return e.Mutant == m.ID() })
		}
	}
	assert.Empty(t, list)
}

// A control that goes wrong says why, in words.
func TestControlSaysWhatWentWrong(t *testing.T) {
	assert.NoError(t, Result{Fate: Survived}.due(Survived, nil))
	assert.EqualError(t, Result{Fate: TimedOut, By: "go: a-case"}.due(Survived, nil), "timed out, by go: a-case")
	assert.EqualError(t, Result{Fate: Survived}.due(Killed, nil), "survived")
	assert.EqualError(t, Result{}.due(Killed, errors.New("no gcc")), "could not be judged: no gcc")
}
