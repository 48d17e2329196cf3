// Package adapters_test runs the corpus on the project's own surfaces as a test
// of Go, for builds that have no other use for the command conform.
package adapters_test

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bazelbuild/rules_go/go/runfiles"
	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/report"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCorpus_Go(t *testing.T)     { judge(t, "go") }
func TestCorpus_C(t *testing.T)      { judge(t, "c") }
func TestCorpus_Python(t *testing.T) { judge(t, "python") }
func TestCorpus_CPP(t *testing.T)    { judge(t, "cpp") }

// ample is for an interpreter's start on a busy machine.
const ample = 10 * time.Minute

// judge takes the surface, and what it offers by handles.
func judge(t *testing.T, name string) {
	t.Run("calls", func(t *testing.T) { judgeSurface(t, name) })
	t.Run("handles", func(t *testing.T) { judgeSurface(t, name+"-handles") })
}

func judgeSurface(t *testing.T, name string) {
	own, ok := surface.Find(name)
	require.True(t, ok)
	files := openFiles(t)
	cases, err := corpus.Load(files.corpus())
	require.NoError(t, err)

	s := runner.Process(name, files.adapter(own, "LIBRARY", "build/lib/libeventbroker.so.1"), ample)
	s.Record = runner.Process(name, files.adapter(own, "COUNTING_LIBRARY", "build/lib-ebtest/libeventbroker.so.1"), ample).Start
	s.Own = &own
	run := report.Run{Reports: runner.Run(t.Context(), []runner.Surface{s}, cases, runner.Options{})}
	run.Next = func(surface string, c *corpus.Case) report.Next {
		return report.Next{Again: "conform run --surface " + surface + " " + c.ID}
	}
	run.Exit = runner.Exit(run.Reports, nil)

	var text strings.Builder
	require.NoError(t, report.Text(&text, run, false))
	assert.Equal(t, runner.ExitOK, run.Exit, text.String())
}

// files finds what was built. Under Bazel the variables ADAPTER, LIBRARY and
// COUNTING_LIBRARY name it; else it stands where ci/conform builds it.
type files struct {
	*runfiles.Runfiles
	t *testing.T
}

// repository is what the checkout is called among runfiles: WORKSPACE says so.
const repository = "eventbroker"

func openFiles(t *testing.T) files {
	if r, err := runfiles.New(); err == nil {
		return files{r, t}
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	folder := t.TempDir()
	require.NoError(t, os.Symlink(root, filepath.Join(folder, repository)))
	r, err := runfiles.New(runfiles.Directory(folder))
	require.NoError(t, err)
	return files{r, t}
}

// find gives the path of a file that a variable names, or of the file there is
// without Bazel.
func (f files) find(variable, built string) string {
	named := os.Getenv(variable)
	path, err := f.Rlocation(repository + "/" + cmp.Or(named, built))
	require.NoError(f.t, err)
	path, err = filepath.Abs(path)
	require.NoError(f.t, err)
	if _, err := os.Stat(path); err != nil {
		if named == "" {
			f.t.Skipf("%s has not been built: ci/conform builds it", built)
		}
		f.t.Fatal(err)
	}
	return path
}

func (f files) corpus() fs.FS {
	return os.DirFS(filepath.Dir(f.find("CONTRACT", "cases/CONTRACT.md")))
}

// adapter is the command of a surface, with the library that a variable names.
func (f files) adapter(own surface.Surface, variable, built string) adapter.Command {
	args := slices.Clone(own.Command)
	program := slices.IndexFunc(args, func(arg string) bool { return strings.Contains(arg, "/") })
	args[program] = f.find("ADAPTER", args[program])
	library := f.find(variable, built)
	return adapter.Command{Args: args, Env: append(os.Environ(),
		"EVENTBROKER_LIBRARY="+library, "LD_LIBRARY_PATH="+filepath.Dir(library))}
}
