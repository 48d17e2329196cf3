package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/spf13/pflag"
)

// targets are the flags that say what is judged.
type targets struct {
	own      []string
	adapters []string // NAME=COMMAND
	timeout  time.Duration
}

func (t *targets) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&t.own, "surface", nil, "one of the project's own surfaces, by `NAME`; may be repeated")
	flags.StringArrayVar(&t.adapters, "adapter", nil, "a `NAME=COMMAND`, the command being run by sh; may be repeated")
	flags.DurationVar(&t.timeout, "timeout", defaultTimeout, "how long a hello, a case and the exit may take each")
}

var nameForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]*$`)

// A target is one surface that was asked for and what starts its adapter.
type target struct {
	name    string
	command adapter.Command
	own     *surface.Surface // nil for an adapter from outside
	record  adapter.Command  // of an own surface: with the library that counts calls that overlap
}

// list gives the targets; all of the project's own surfaces when none was
// asked for.
func (t *targets) list() ([]target, error) {
	if t.timeout <= 0 {
		return nil, fmt.Errorf("--timeout: %v is not above 0", t.timeout)
	}
	for _, name := range t.own {
		if _, ok := surface.Find(name); !ok {
			return nil, fmt.Errorf("--surface: there is no %q; there are %s", name, strings.Join(ownNames(), ", "))
		}
	}
	var list []target
	for _, s := range surface.Surfaces {
		if slices.Contains(t.own, s.Name) || len(t.own)+len(t.adapters) == 0 {
			root := checkoutOfExecutable()
			command := adapter.Command{Args: s.Command, Dir: root, Env: ownEnvironment(root, "lib")}
			record := adapter.Command{Args: s.Command, Dir: root, Env: ownEnvironment(root, countingLibrary)}
			list = append(list, target{s.Name, command, &s, record})
		}
	}
	for _, text := range t.adapters {
		name, command, err := splitAdapter(text)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(t target) bool { return t.name == name }) {
			return nil, fmt.Errorf("--adapter: the name %q is in use already", name)
		}
		list = append(list, target{name: name, command: adapter.Shell(command)})
	}
	return list, nil
}

// countingLibrary is the folder under build of the library with the tag ebtest.
const countingLibrary = "lib-ebtest"

// missing says which file of an own surface's command has not been built.
func (t target) missing() error {
	if t.own == nil {
		return nil
	}
	for _, word := range t.command.Args {
		if !strings.Contains(word, "/") {
			continue
		}
		if _, err := os.Stat(filepath.Join(t.command.Dir, word)); err != nil {
			return fmt.Errorf("%s is missing in %s: run ci/conform, which builds it, and this program in the same checkout", word, t.command.Dir)
		}
	}
	return nil
}

// surface is the target as the runner takes it.
func (t target) surface(timeout time.Duration) runner.Surface {
	s := runner.Process(t.name, t.command, timeout)
	s.Own = t.own
	s.Start = t.built(s.Start)
	if t.own != nil {
		s.Record = t.built(runner.Process(t.name, t.record, timeout).Start)
	}
	return s
}

// built starts nothing that has not been built.
func (t target) built(start func(context.Context) (runner.Adapter, error)) func(context.Context) (runner.Adapter, error) {
	return func(ctx context.Context) (runner.Adapter, error) {
		if err := t.missing(); err != nil {
			return nil, err
		}
		return start(ctx)
	}
}

// checkoutOfExecutable is the root of the checkout whose build/bin this program
// stands in.
func checkoutOfExecutable() string {
	path, err := os.Executable()
	if err == nil {
		path, err = filepath.EvalSymlinks(path)
	}
	if err != nil {
		return "."
	}
	return filepath.Join(filepath.Dir(path), "..", "..")
}

// ownEnvironment has the own surfaces judge what stands in the checkout. A
// package that is installed, and a library that the caller's environment names,
// would be found first, and a fault here would go unseen.
func ownEnvironment(root, folder string) []string {
	library := filepath.Join(root, "build", folder)
	return append(os.Environ(),
		"EVENTBROKER_LIBRARY="+filepath.Join(library, "libeventbroker.so.1"),
		"LD_LIBRARY_PATH="+inFront(library, os.Getenv("LD_LIBRARY_PATH")),
		"PYTHONPATH="+inFront(filepath.Join(root, "bindings", "python", "src"), os.Getenv("PYTHONPATH")))
}

// inFront puts a folder before a list of them. An empty list stays out: it
// would stand for the working directory.
func inFront(folder, list string) string {
	if list == "" {
		return folder
	}
	return folder + string(filepath.ListSeparator) + list
}

func splitAdapter(text string) (name, command string, err error) {
	name, command, ok := strings.Cut(text, "=")
	switch {
	case !ok || strings.TrimSpace(command) == "":
		return "", "", fmt.Errorf("--adapter: %q is not NAME=COMMAND", text)
	case !nameForm.MatchString(name):
		return "", "", errors.New("--adapter: a name has letters, digits, _, . and - only")
	}
	return name, command, nil
}

func ownNames() []string {
	var names []string
	for _, s := range surface.Surfaces {
		names = append(names, s.Name)
	}
	return names
}

// names are those of all surfaces there are, asked for or not.
func (t *targets) names() []string {
	names := ownNames()
	for _, text := range t.adapters {
		name, _, _ := strings.Cut(text, "=")
		names = append(names, name)
	}
	return names
}

// given is the flag's text that names this adapter, "" for a surface of the
// project's own.
func (t *targets) given(name string) string {
	for _, text := range t.adapters {
		if strings.HasPrefix(text, name+"=") {
			return text
		}
	}
	return ""
}

// flag is the flag that chooses just this surface.
func (t *targets) flag(name string) string {
	if text := t.given(name); text != "" {
		return "--adapter " + quote(text)
	}
	return "--surface " + name
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./=:,@%+-]+$`)

// quote writes a word so that a shell reads it back.
func quote(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
