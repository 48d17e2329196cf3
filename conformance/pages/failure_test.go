package pages_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a page quotes of a failure is what that failure says, where … stands for
// what is not alike everywhere. The scripts begin with testdata/failures.sh.
func TestFailures(t *testing.T) {
	t.Parallel()
	libraryFolder(t)
	failures := 0
	for page, entries := range list(t) {
		found := blocks(t, page)
		for i, e := range entries {
			if e.Fails == "" || i >= len(found) {
				continue
			}
			failures++
			t.Run(fmt.Sprintf("%s:%d", filepath.Base(page), found[i].line), func(t *testing.T) {
				t.Parallel()
				checkFailure(t, e.Fails, found[i].text)
			})
		}
	}
	assert.NotZero(t, failures)
}

func checkFailure(t *testing.T, script, quoted string) {
	c := command(t, "bash", "-c", "source \"$ROOT/conformance/pages/testdata/failures.sh\"\n"+script)
	c.Dir = t.TempDir()
	c.Env = append(c.Env, "ROOT="+root(t), "LIB="+libraryFolder(t))
	out, err := c.CombinedOutput()
	require.Error(t, err, "the script did not fail, but said:\n%s", out)
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") } // CMake fills lines up
	pattern := strings.ReplaceAll(regexp.QuoteMeta(words(quoted)), "…", ".*")
	if !regexp.MustCompile(pattern).MatchString(words(string(out))) {
		t.Errorf("the page quotes\n%s\nbut the script said\n%s", quoted, out)
	}
}
