package mutation

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// SCORE.md is what `conform mutate --score` writes: its shares follow from its
// figures, and its survivors are those that are listed.
func TestPage_IsTheOneThatIsThere(t *testing.T) {
	written, err := os.ReadFile("SCORE.md")
	require.NoError(t, err)
	list, err := ReadEquivalents("equivalent.yaml")
	require.NoError(t, err)
	assert.Equal(t, Page(scoresOf(t, string(written)), list), string(written), "run `build/bin/conform mutate --score conformance/mutation/SCORE.md`")
}

// A system's row counts as many equivalent mutants as are listed for it, and no
// other survivors.
func TestPage_CountsWhatIsListed(t *testing.T) {
	written, err := os.ReadFile("SCORE.md")
	require.NoError(t, err)
	list, err := ReadEquivalents("equivalent.yaml")
	require.NoError(t, err)
	listed := map[string]int{}
	for _, e := range list {
		listed[strings.Split(e.Mutant, "/")[1]]++
	}
	for _, s := range scoresOf(t, string(written)) {
		assert.Equal(t, listed[s.System], s.Fates[Survived], s.System)
		assert.Equal(t, listed[s.System], s.Equivalent, s.System)
	}
}

var rowForm = regexp.MustCompile(`(?m)^\| (event|message|assign) \| \d+ \| (\d+) \| (\d+) \| (\d+) \| (\d+) \(`)

// scoresOf reads the figures of a page that are counted.
func scoresOf(t *testing.T, page string) (scores []Score) {
	for _, row := range rowForm.FindAllStringSubmatch(page, -1) {
		count := func(i int) int {
			n, err := strconv.Atoi(row[i])
			require.NoError(t, err)
			return n
		}
		scores = append(scores, Score{System: row[1], Equivalent: count(5),
			Fates: map[Fate]int{Killed: count(2), TimedOut: count(3), Survived: count(4)}})
	}
	require.Len(t, scores, 3)
	return scores
}
