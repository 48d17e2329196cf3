package corpus_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// fileWith is a file of good cases with the given ids.
func fileWith(ids ...string) string {
	var b strings.Builder
	b.WriteString("system: event\ncases:\n")
	for _, id := range ids {
		b.WriteString("  - {id: " + id + ", spec: [EB-01], why: because, new: [0], new_raises: invalid_argument}\n")
	}
	return b.String()
}

func idsOf(cases []corpus.Case) []string {
	var ids []string
	for _, c := range cases {
		ids = append(ids, c.ID)
	}
	return ids
}

func TestLoad_ReadsATree(t *testing.T) {
	cases, err := corpus.Load(files(
		"event/b.yaml", fileWith("three", "two"),
		"event/a.yaml", fileWith("one"),
		"event/deeper/c.yaml", fileWith("four"),
		"CONTRACT.md", "# The contract",
		"cases.go", "package cases",
		"case.schema.json", "{}",
		".gitignore", "/build/",
		"retired.txt", "# none but this\nzero it proved nothing\n",
	))
	require.NoError(t, err)
	assert.Equal(t, []string{"one", "three", "two", "four"}, idsOf(cases))
	assert.Equal(t, "event/b.yaml", cases[2].File)
	assert.Equal(t, 4, cases[2].Line)
}

func TestLoad_Refused(t *testing.T) {
	good := fileWith("one")
	for problem, fsys := range map[string]map[string]string{
		"the corpus has no cases":                                                          {"CONTRACT.md": ""},
		"a.yml: not read as cases":                                                         {"a.yml": good, "b.yaml": good},
		"a.YAML: not read as cases":                                                        {"a.YAML": good, "b.yaml": good},
		"a.Yaml: not read as cases":                                                        {"a.Yaml": good, "b.yaml": good},
		"a.yaml.bak: not read as cases":                                                    {"a.yaml.bak": good, "b.yaml": good},
		".a.yaml: not read as cases":                                                       {".a.yaml": good, "b.yaml": good},
		"event/.old/a.yaml: not read as cases":                                             {"event/.old/a.yaml": good, "b.yaml": good},
		"b.yaml:3: id one is used before, a.yaml:3":                                        {"a.yaml": good, "b.yaml": good},
		"a.yaml:4: id one is used before, a.yaml:3":                                        {"a.yaml": fileWith("one", "one")},
		"a.yaml:3: id one is retired, retired.txt:2":                                       {"a.yaml": good, "retired.txt": "\none it was wrong\n"},
		"retired.txt:1: a retired id and the reason expected":                              {"a.yaml": good, "retired.txt": "two\n"},
		"a.yaml:1: the file is empty\nb.yaml:1: the file is empty":                         {"a.yaml": "", "b.yaml": "# nothing\n", "c.yaml": good},
		"a.yaml:2: unknown key \"x\": there are system, cases\na.yaml:1: cases is missing": {"a.yaml": "system: event\nx: y"},
	} {
		var list []string
		for name, content := range fsys {
			list = append(list, name, content)
		}
		cases, err := corpus.Load(files(list...))
		assert.Nil(t, cases)
		require.Error(t, err, problem)
		assert.True(t, strings.HasPrefix(err.Error(), problem), "%s\ndoes not begin with\n%s", err, problem)
	}
}

func TestLoad_FolderThatIsNotThere(t *testing.T) {
	_, err := corpus.Load(os.DirFS(filepath.Join(t.TempDir(), "missing")))
	assert.ErrorIs(t, err, os.ErrNotExist)
}

func TestLoad_SymbolicLinks(t *testing.T) {
	folder, elsewhere := t.TempDir(), t.TempDir()
	file := filepath.Join(elsewhere, "x.yaml")
	require.NoError(t, os.WriteFile(file, []byte(fileWith("one")), 0o644))
	require.NoError(t, os.Symlink(file, filepath.Join(folder, "linked.yaml")))
	cases, err := corpus.Load(os.DirFS(folder))
	require.NoError(t, err)
	assert.Equal(t, []string{"one"}, idsOf(cases))

	require.NoError(t, os.Symlink(elsewhere, filepath.Join(folder, "more")))
	_, err = corpus.Load(os.DirFS(folder))
	assert.ErrorContains(t, err, "more: a symbolic link that leads to no file is not followed")
}

// A pipe that nobody writes to would be waited for, and /dev/zero has no end.
func TestLoad_SpecialFiles(t *testing.T) {
	for _, name := range []string{"a.yaml", corpus.RetiredFile} {
		for what, place := range map[string]func(string) error{
			"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o644) },
			"device": func(path string) error { return os.Symlink("/dev/zero", path) },
		} {
			folder := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(folder, "b.yaml"), []byte(fileWith("one")), 0o644))
			require.NoError(t, place(filepath.Join(folder, name)))
			_, err := corpus.Load(os.DirFS(folder))
			assert.ErrorContains(t, err, name+": not a regular file", what)
		}
	}
}

// A file of a terabyte of holes is refused for its size, unread.
func TestLoad_FileWithoutMeasure(t *testing.T) {
	folder := t.TempDir()
	file, err := os.Create(filepath.Join(folder, "a.yaml"))
	require.NoError(t, err)
	require.NoError(t, file.Truncate(1<<40))
	require.NoError(t, file.Close())
	_, err = corpus.Load(os.DirFS(folder))
	assert.ErrorContains(t, err, "a.yaml: the file is larger than")
}

// FuzzReadFile: whatever stands in a file, it is read or refused, and a case
// that was read can be relied upon.
func FuzzReadFile(f *testing.F) {
	f.Add([]byte(fileWith("one")))
	f.Add([]byte("system: event\ncases:\n  - {id: a, spec: [EB-01], why: b, new: [1, {max_payload: 9}], steps: [{call: [publish, t, 0, {hex: ff}], returns: 0}]}\n"))
	f.Add([]byte("a: &a [*a, ! 1, !!binary x, {<<: *a}]\n---\n"))
	f.Add([]byte("? [a]\n: |\n  b\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		cases, err := corpus.ReadFile(files("x.yaml", string(data)), "x.yaml")
		if err != nil {
			assert.Empty(t, cases)
			return
		}
		for _, c := range cases {
			assert.NotEmpty(t, c.ID)
			assert.NotEmpty(t, c.Spec)
			assert.True(t, len(c.Steps) > 0 || len(c.Threads) > 1 || c.NewRaises != "")
		}
	})
}
