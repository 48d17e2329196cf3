package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The adapter that the README shows has nothing to mend.
func TestReadme_AdapterIsWell(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	_, code, found := strings.Cut(string(readme), "```python\n")
	require.True(t, found)
	code, _, _ = strings.Cut(code, "```")

	folder := t.TempDir()
	broker, err := os.ReadFile("testdata/mybroker.py")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(folder, "mybroker.py"), broker, 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "my_adapter.py"), []byte(code), 0o600))

	exit, out, _ := conform(t, "doctor", "--adapter", "mine=python3 -B "+quote(filepath.Join(folder, "my_adapter.py")))
	assert.Equal(t, runner.ExitOK, exit, out)
}
