package corpus_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const refusedFolder = "../testdata/refused"

// TestReadFile_Refused reads files with one fault each. They begin with what
// is to be said about them, behind the name of the file and without the end of
// the sentence perhaps: "# refused:9: duplicate key".
func TestReadFile_Refused(t *testing.T) {
	names, err := filepath.Glob(refusedFolder + "/*")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		name = filepath.Base(name)
		t.Run(name, func(t *testing.T) {
			fsys := os.DirFS(refusedFolder)
			expected := refusals(t, fsys, name)
			cases, err := corpus.ReadFile(fsys, name)
			assert.Empty(t, cases)
			require.Error(t, err)
			said := strings.Split(err.Error(), "\n")
			require.Len(t, said, len(expected), err)
			for i, problem := range expected {
				assert.True(t, strings.HasPrefix(said[i], name+problem), "%s\nis not what is expected:\n%s%s", said[i], name, problem)
			}
		})
	}
}

func refusals(t *testing.T, fsys fs.FS, name string) []string {
	data, err := fs.ReadFile(fsys, name)
	require.NoError(t, err)
	var expected []string
	for line := range bytes.Lines(data) {
		problem, ok := bytes.CutPrefix(line, []byte("# refused"))
		if !ok {
			break
		}
		expected = append(expected, strings.TrimSuffix(string(problem), "\n"))
	}
	require.NotEmpty(t, expected, "the file does not say why it is refused")
	return expected
}
