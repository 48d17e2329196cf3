package pages_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A block is what stands between two fences of a page.
type block struct {
	page     string // from the root
	line     int    // of its first fence, from 1
	language string // of the fence, "" where it names none
	text     string
}

var fenced = regexp.MustCompile("(?ms)^```(\\w*)\n(.*?)^```$")

// root is the folder of the whole tree.
func root(t *testing.T) string {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	return root
}

// read gives a file of the tree, named from its root.
func read(t *testing.T, name string) string {
	data, err := os.ReadFile(filepath.Join(root(t), name))
	require.NoError(t, err)
	return string(data)
}

// pages are all of the tree, by their names from the root. That it opens every
// folder tells go test on which files the result depends.
func pages(t *testing.T) []string {
	var names []string
	require.NoError(t, fs.WalkDir(os.DirFS(root(t)), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && name != "." && (d.Name() == "build" || d.Name()[0] == '.') {
			return fs.SkipDir // what was built, and what tools keep
		}
		if strings.HasSuffix(name, ".md") {
			names = append(names, name)
		}
		return err
	}))
	return names
}

// blocks are those of a page, in its order.
func blocks(t *testing.T, page string) []block {
	text := read(t, page)
	var found []block
	for _, at := range fenced.FindAllStringSubmatchIndex(text, -1) {
		line := 1 + strings.Count(text[:at[0]], "\n")
		found = append(found, block{page, line, text[at[2]:at[3]], text[at[4]:at[5]]})
	}
	require.Equal(t, strings.Count(text, "```"), 2*len(found), "%s has a fence that is not at the beginning of its line", page)
	return found
}
