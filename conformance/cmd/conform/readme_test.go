package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/surface"
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

// The page about adapters has the whole of the one that it explains, in order.
func TestAdapters_PageHasTheWholeAdapter(t *testing.T) {
	page, err := os.ReadFile("../../ADAPTERS.md")
	require.NoError(t, err)
	want, err := os.ReadFile("../../adapters/node/adapter.mjs")
	require.NoError(t, err)
	var parts []string
	for _, block := range regexp.MustCompile("(?s)```js\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		parts = append(parts, block[1])
	}
	assert.Equal(t, string(want), strings.Join(parts, "\n"))
	assert.LessOrEqual(t, strings.Count(string(want), "\n"), 100, "lines")
}

// The tables of operations in the README are those of the kit.
func TestReadme_Operations(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	readme := string(data)
	for _, system := range surface.Systems {
		for _, part := range []string{"The operations of `" + system.Name + "`", operations(system)} {
			if !strings.Contains(readme, part) { // assert would print the whole page
				t.Errorf("conformance/README.md lacks this:\n%s", part)
			}
		}
	}
}

func operations(system surface.System) string {
	var rows strings.Builder
	made := " a broker "
	if system.Name == "assign" {
		made = " "
	}
	fmt.Fprintf(&rows, "| `new` | %s |%s|\n", arguments(system.New, system.Options), made)
	for _, o := range system.Operations {
		fmt.Fprintf(&rows, "| `%s` | %s | %s |\n", o.Name, arguments(o.Params, o.Options), o.Returns)
	}
	return rows.String()
}

func arguments(params, options []surface.Param) string {
	var parts []string
	if len(params) > 0 {
		parts = append(parts, names(params))
	}
	switch len(options) {
	case 0:
	case 1:
		parts = append(parts, "option "+names(options))
	default:
		parts = append(parts, "options "+names(options))
	}
	return cmp.Or(strings.Join(parts, "; "), "nothing")
}

func names(params []surface.Param) string {
	var all []string
	for _, p := range params {
		all = append(all, p.Name)
	}
	return strings.Join(all, ", ")
}

// The README and the command's help have the same exit codes.
func TestReadme_ExitCodes(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	require.NoError(t, err)
	rows := regexp.MustCompile(`(?m)^  (\d)  (.*)$`).FindAllStringSubmatch(runLong, -1)
	require.Len(t, rows, 6)
	for _, row := range rows {
		assert.Contains(t, string(readme), fmt.Sprintf("| %s | %s |\n", row[1], row[2]))
	}
}
