package program

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eventbroker/eventbroker/cases"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every case of the corpus can be written in every language, or there is a
// reason that the case itself gives.
func TestWrite_WholeCorpus(t *testing.T) {
	for _, c := range load(t) {
		for _, name := range Languages() {
			s, _ := surface.Find(name)
			text, err := Write(&c, name)
			if sayable(&c, s) != nil {
				assert.Error(t, err, c.ID)
				continue
			}
			require.NoError(t, err, c.ID)
			assert.Contains(t, text, c.ID)
		}
	}
}

func TestWrite_RefusesWhatNoProgramCanBe(t *testing.T) {
	_, err := Write(&corpus.Case{ID: "x", System: "event", Threads: [][]corpus.Call{{}}}, "go")
	assert.ErrorContains(t, err, "x is about threads that run at once")
	_, err = Write(&corpus.Case{ID: "x", System: "event", Needs: []string{surface.NullStrings}}, "go")
	assert.ErrorContains(t, err, "x needs null_strings, which go does not have")
	_, err = Write(&corpus.Case{ID: "x", System: "event"}, "cobol")
	assert.ErrorContains(t, err, `no language "cobol"`)
	_, err = Write(&corpus.Case{ID: "x", System: "event"}, "go-handles")
	assert.ErrorContains(t, err, `no language "go-handles"`, "a program makes its calls by names")
}

// A program prints of each call what the case says, and of a case that is wrong
// in its last step a difference there.
func TestPrograms(t *testing.T) {
	root, library := checkout(t)
	for name, every := range map[string]int{"python": 6, "go": 40, "c": 30, "cpp": 60} {
		t.Run(name, func(t *testing.T) {
			sample := sampleOf(t, name, every)
			var texts []string
			for _, c := range sample {
				text, err := Write(&c, name)
				require.NoError(t, err)
				texts = append(texts, text)
			}
			run := map[string]func(*testing.T, string, string, []string) string{"go": runGo, "c": runC, "cpp": runCPP, "python": runPython}[name]
			outputs := strings.Split(run(t, root, library, texts), "\f\n")[1:]
			require.Len(t, outputs, len(sample))
			for i := range sample {
				if want := outputOf(&sample[i], name); want != calls(outputs[i]) { // assert would print all
					t.Errorf("%s in %s\n%s\nwhere this was expected:\n%s", sample[i].ID, name, outputs[i], want)
				}
			}
		})
	}
}

func load(t *testing.T) []corpus.Case {
	list, err := corpus.Load(cases.FS)
	require.NoError(t, err)
	return list
}

// sampleOf is one in so many of the cases that the language can say, and the first
// that makes each of the calls, and behind each system's first the same with a wrong answer to its last step.
func sampleOf(t *testing.T, name string, every int) (sample []corpus.Case) {
	self, _ := surface.Find(name)
	wrong, made := map[string]bool{}, map[string]bool{}
	for i, c := range load(t) {
		if sayable(&c, self) != nil || !newCall(&c, made) && i%every != 0 {
			continue
		}
		sample = append(sample, c)
		if n := len(c.Steps) - 1; n >= 0 && !wrong[c.System] {
			wrong[c.System] = true
			c.ID += "-wrong"
			c.Steps = append(c.Steps[:n:n], c.Steps[n])
			c.Steps[n].Raises = surface.TimedOut
			sample = append(sample, c)
		}
	}
	require.Len(t, wrong, len(surface.Systems))
	return sample
}

// newCall reports whether the case makes a call that is not yet among those made,
// and one that answers, and adds it.
func newCall(c *corpus.Case, made map[string]bool) (is bool) {
	for _, s := range c.Steps {
		if call := c.System + " " + s.Call.Op; s.Raises == "" && !made[call] {
			made[call], is = true, true
		}
	}
	return is
}

// outputOf is what a program says of the case, without the messages of errors.
func outputOf(c *corpus.Case, name string) string {
	self, _ := surface.Find(name)
	p := &page{Case: c, language: languages[name]}
	p.System, _ = surface.FindSystem(c.System)
	p.fill(self)
	var b strings.Builder
	steps := p.Steps
	if p.New.Code != "" {
		steps = append([]step{p.New}, steps...)
	}
	for i, s := range steps {
		number := i + len(p.Steps) - len(steps) + 1
		if wrong := strings.HasSuffix(c.ID, "-wrong") && number == len(p.Steps); wrong {
			fmt.Fprintf(&b, "DIFF %4d  %s (expected %s)\n", number, s.Says, s.Wants)
			continue
		}
		fmt.Fprintf(&b, "ok   %4d  %s -> %s (expected %s)\n", number, s.Says, s.Wants, s.Wants)
	}
	return b.String()
}

// calls are the lines of calls; of one that differs without what came.
func calls(output string) string {
	var b strings.Builder
	for line := range strings.Lines(output) {
		switch {
		case strings.HasPrefix(line, "     "): // a message
		case strings.HasPrefix(line, "DIFF"):
			call, rest, _ := strings.Cut(line, " -> ")
			b.WriteString(call + rest[strings.LastIndex(rest, " (expected"):])
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}

// checkout is its root and the folder of the library, which is built where
// ci/conform has not built it.
func checkout(t *testing.T) (root, library string) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	library = filepath.Join(root, "build", "lib")
	if _, err := os.Stat(filepath.Join(library, "libeventbroker.so.1")); err != nil {
		library = t.TempDir()
		command(t, root, filepath.Join(root, "cabi", "build.sh"), library)
	}
	return root, library
}

// command runs one and gives its output.
func command(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command(args[0], args[1:]...)
	c.Dir = dir
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	require.NoError(t, err, "%s\n%.4000s", args[0], stderr.String())
	return string(out)
}

// write puts files into a new folder: name, with the number, => text.
func write(t *testing.T, pattern string, texts []string) (dir string, names []string) {
	dir = t.TempDir()
	for i, text := range texts {
		names = append(names, filepath.Join(dir, fmt.Sprintf(pattern, i)))
		require.NoError(t, os.WriteFile(names[i], []byte(text), 0o600))
	}
	return dir, names
}

// The programs of a language run in one process, one after the other, each
// behind a form feed: to start them one by one would take minutes.

func runPython(t *testing.T, root, library string, texts []string) string {
	dir, _ := write(t, "%d.py", texts)
	driver := filepath.Join(dir, "all.py")
	require.NoError(t, os.WriteFile(driver, []byte(fmt.Sprintf(`import runpy
for i in range(%d):
    print("\f")
    try:
        runpy.run_path(f"%s/{i}.py", run_name="__main__")
    except SystemExit:
        pass
`, len(texts), dir)), 0o600))
	return command(t, root, "env", "PYTHONPATH="+filepath.Join(root, "bindings", "python", "src"),
		"EVENTBROKER_LIBRARY="+filepath.Join(library, "libeventbroker.so.1"), "python3", driver)
}

// runGo gives each program a package of its own in an overlay of the checkout.
func runGo(t *testing.T, root, _ string, texts []string) string {
	overlay := map[string]string{}
	place := filepath.Join(root, "conformance", "program", "overlay")
	var imports, calls strings.Builder
	for i, text := range texts {
		text = strings.NewReplacer("\npackage main\n", fmt.Sprintf("\npackage p%d\n", i), "\nfunc main() {", "\nfunc Main() {", "os.Exit(different)", "return").Replace(text)
		texts[i] = strings.Replace(text, "\t\"os\"\n", "", 1)
		fmt.Fprintf(&imports, "import \"github.com/eventbroker/eventbroker/conformance/program/overlay/p%d\"\n", i)
		fmt.Fprintf(&calls, "\tprintln(\"\\f\"); p%d.Main()\n", i)
	}
	dir, names := write(t, "%d.go", texts)
	for i, name := range names {
		overlay[filepath.Join(place, fmt.Sprintf("p%d", i), "main.go")] = name
	}
	driver := "package main\n" + imports.String() + "import \"fmt\"\nfunc main() {\n" + strings.ReplaceAll(calls.String(), "println", "fmt.Println") + "}\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "main.go"), []byte(driver), 0o600))
	overlay[filepath.Join(place, "main.go")] = filepath.Join(dir, "main.go")
	data, err := json.Marshal(map[string]any{"Replace": overlay})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "overlay.json"), data, 0o600))
	command(t, root, "go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", filepath.Join(dir, "all"), "./conformance/program/overlay")
	return command(t, root, filepath.Join(dir, "all"))
}

func runC(t *testing.T, root, library string, texts []string) string {
	var declared, calls strings.Builder
	for i, text := range texts {
		texts[i] = strings.Replace(text, "\nint main(void)", fmt.Sprintf("\nint case_%d(void)", i), 1)
		fmt.Fprintf(&declared, "int case_%d(void);\n", i)
		fmt.Fprintf(&calls, "    puts(\"\\f\");\n    case_%d();\n", i)
	}
	driver := "#include <stdio.h>\n" + declared.String() + "int main(void) {\n" + calls.String() + "    return 0;\n}\n"
	dir, names := write(t, "%d.c", append(texts, driver))
	args := append([]string{"cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-mcmodel=large", "-I" + filepath.Join(root, "cabi"), "-o", "all"}, names...)
	command(t, dir, append(args, "-L"+library, "-Wl,-rpath,"+library, "-leventbroker")...)
	return command(t, dir, "./all")
}

// runCPP has one translation unit, a namespace a program: the headers, which
// take longest, are read once.
func runCPP(t *testing.T, root, library string, texts []string) string {
	var driver, calls strings.Builder
	seen := map[string]bool{}
	for _, text := range texts {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "#include") && !seen[line] {
				seen[line] = true
				driver.WriteString(line)
			}
		}
	}
	for i, text := range texts {
		texts[i] = strings.Replace(text, "\nint main()", "\nint run()", 1)
		fmt.Fprintf(&driver, "namespace case_%d {\n#include \"%d.cpp\"\n}\n", i, i)
		fmt.Fprintf(&calls, "    std::puts(\"\\f\");\n    case_%d::run();\n", i)
	}
	fmt.Fprintf(&driver, "int main() {\n%s}\n", calls.String())
	dir, _ := write(t, "%d.cpp", texts)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "all.cpp"), []byte(driver.String()), 0o600))
	command(t, dir, "c++", "-std=c++17", "-Wall", "-Wextra", "-Werror", "-I"+filepath.Join(root, "cabi"), "-I"+filepath.Join(root, "bindings", "cpp", "include"),
		"-o", "all", "all.cpp", "-L"+library, "-Wl,-rpath,"+library, "-leventbroker", "-pthread")
	return command(t, dir, "./all")
}
