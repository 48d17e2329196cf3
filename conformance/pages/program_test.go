package pages_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A program is a block that is run, made whole by its entry.
type program struct {
	name    string // of its file, without what language it is
	where   string // page and line
	text    string
	prints  string
	remarks bool // what it prints stands in its remarks
}

// programs are all of a language, by the list.
func programs(t *testing.T, language string) []program {
	var all []program
	for page, entries := range list(t) {
		found := blocks(t, page)
		if len(found) != len(entries) {
			continue // TestList tells of it
		}
		for i, e := range entries {
			if b := found[i]; b.language == language && len(e.ways()) == 0 {
				p := program{fmt.Sprintf("%s%d", language, len(all)), fmt.Sprintf("%s:%d", page, b.line), wrapped(t, b, e), e.Prints, e.Remarks}
				if i+1 < len(found) && entries[i+1].Output {
					p.prints = found[i+1].text
				}
				all = append(all, p)
			}
		}
	}
	require.NotEmpty(t, all)
	return all
}

var place = regexp.MustCompile(`(?m)^([ \t]*)(?://|#) BLOCK\n`)

// wrapped puts a block into the program that its entry names, at the remark BLOCK
// and as far from the left.
func wrapped(t *testing.T, b block, e entry) string {
	if e.Wrap == "" {
		return b.text
	}
	text := read(t, "conformance/pages/testdata/"+e.Wrap)
	require.Len(t, place.FindAllString(text, -1), 1, e.Wrap)
	return place.ReplaceAllStringFunc(text, func(line string) string {
		indent := place.FindStringSubmatch(line)[1]
		return indent + strings.ReplaceAll(strings.TrimSuffix(b.text, "\n"), "\n", "\n"+indent) + "\n"
	})
}

func (p program) check(t *testing.T, c call) {
	printed := c.prints(t)
	if !p.remarks {
		assert.Equal(t, p.prints, printed, p.where)
		return
	}
	require.NotEmpty(t, printed, p.where)
	for line := range strings.Lines(printed) {
		assert.Contains(t, p.text, "# "+line, p.where)
	}
}

// compiled builds each of the programs with the compiler, and runs it.
func compiled(t *testing.T, programs []program, compiler string, flags ...string) {
	folder := libraryFolder(t)
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			source := filepath.Join(t.TempDir(), "main."+strings.TrimRight(p.name, "0123456789"))
			require.NoError(t, os.WriteFile(source, []byte(p.text), 0o600))
			c := command(t, compiler, append(flags, source, "-o", source+".out", "-Icabi", "-Ibindings/cpp/include",
				"-L"+folder, "-leventbroker", "-Wl,-rpath,"+folder, "-pthread", "-Wall", "-Wextra", "-Wpedantic", "-Werror")...)
			require.NoError(t, c.quietly(), p.where)
			p.check(t, command(t, source+".out"))
		})
	}
}

func TestPrograms_C(t *testing.T) {
	t.Parallel()
	compiled(t, programs(t, "c"), "cc", "-std=c99")
}

func TestPrograms_Cpp(t *testing.T) {
	t.Parallel()
	compiled(t, programs(t, "cpp"), "c++", "-std=c++17")
}

func TestPrograms_Python(t *testing.T) {
	t.Parallel()
	libraryFolder(t)
	for _, p := range programs(t, "python") {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			c := command(t, "python3", "-W", "error", "-")
			c.Stdin = strings.NewReader(p.text)
			p.check(t, c)
		})
	}
}

// The Go programs lie in the module as far as the compiler can tell, in folders
// that are not there, and are built at once.
func TestPrograms_Go(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	all := programs(t, "go")
	replace := map[string]string{} // path => the file that stands for it
	for _, p := range all {
		file := filepath.Join(folder, p.name+".txt")
		require.NoError(t, os.WriteFile(file, []byte(p.text), 0o600))
		replace[filepath.Join(root(t), "conformance/pages/programs", p.name, "main.go")] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(folder+"/overlay.json", overlay, 0o600))
	require.NoError(t, command(t, "go", "build", "-overlay", folder+"/overlay.json", "-o", folder+"/",
		"./conformance/pages/programs/...").quietly())
	for _, p := range all {
		p.check(t, command(t, filepath.Join(folder, p.name)))
	}
}
