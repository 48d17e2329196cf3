package cases_test

import (
	"io/fs"
	"os"
	"testing"

	"github.com/eventbroker/eventbroker/cases"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCorpusIsSoundAndCoversTheContract(t *testing.T) {
	_, err := corpus.Lint(cases.FS, nil, os.DirFS(".."))
	require.NoError(t, err)
}

// A new folder is easily forgotten in the line that embeds.
func TestEveryFileIsEmbedded(t *testing.T) {
	for _, system := range surface.Systems {
		require.NoError(t, fs.WalkDir(os.DirFS("."), system.Name, func(name string, _ fs.DirEntry, err error) error {
			require.NoError(t, err)
			_, err = fs.Stat(cases.FS, name)
			assert.NoError(t, err)
			return nil
		}))
	}
}
