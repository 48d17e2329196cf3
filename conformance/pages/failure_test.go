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
	app := builtApp(t)
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
				checkFailure(t, app, e.Fails, found[i].text)
			})
		}
	}
	assert.NotZero(t, failures)
}

// script is a command that runs it in a folder of its own.
func script(t *testing.T, text string) call {
	c := command(t, "bash", "-c", "source \"$ROOT/conformance/pages/testdata/failures.sh\"\n"+text)
	c.Dir = t.TempDir()
	c.Env = append(c.Env, "ROOT="+root(t), "LIB="+libraryFolder(t))
	return c
}

// builtApp is a program that several scripts need.
func builtApp(t *testing.T) string {
	c := script(t, `program | cpp -L"$LIB" -leventbroker`)
	require.NoError(t, c.quietly())
	return filepath.Join(c.Dir, "app")
}

func checkFailure(t *testing.T, app, text, quoted string) {
	c := script(t, text)
	c.Env = append(c.Env, "APP="+app)
	out, err := c.CombinedOutput()
	require.Error(t, err, "the script did not fail, but said:\n%s", out)
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") } // CMake fills lines up
	pattern := strings.ReplaceAll(regexp.QuoteMeta(words(quoted)), "…", ".*")
	if !regexp.MustCompile(pattern).MatchString(words(string(out))) {
		t.Errorf("the page quotes\n%s\nbut the script said\n%s", quoted, out)
	}
}
