package mutation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/adapter"
)

// A build makes what a surface consists of with a mutant in place.
type build struct {
	surface string
	args    func(overlay, dir string) []string // of the command that builds into dir
	program func(root, dir string) string      // the adapter
	flags   string                             // that it takes
}

// builds are the surfaces that look for a mutant. Go is the quickest to build
// and finds nearly all; by handles it reaches what is remembered of a member; C
// also reaches what only a buffer of a fixed size does.
var builds = []build{
	{surface: "go", args: buildGo, program: builtGo},
	{surface: "go-handles", args: buildGo, program: builtGo, flags: "--handles"},
	{
		surface: "c",
		args: func(overlay, dir string) []string {
			return []string{"cabi/build.sh", dir, "-overlay", overlay}
		},
		program: func(root, _ string) string { return filepath.Join(root, "build", "bin", "adapter-c") },
	},
}

func buildGo(overlay, dir string) []string {
	return []string{"go", "build", "-overlay", overlay, "-ldflags=-s -w", "-o", builtGo("", dir), "./conformance/adapters/go"}
}

func builtGo(_, dir string) string { return filepath.Join(dir, "adapter") }

// mutatedFile is what the mutated source is called, by which an error of the
// compiler about it is told from others.
const mutatedFile = "mutated.go"

// overlay writes the mutated source, and what puts it in place of the original.
func (j *Judge) overlay(m Mutant, dir string) (string, error) {
	file := filepath.Join(j.Root, filepath.FromSlash(m.File))
	source, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	mutated, overlay := filepath.Join(dir, mutatedFile), filepath.Join(dir, "overlay.json")
	replace, err := json.Marshal(map[string]any{"Replace": map[string]string{file: mutated}})
	return overlay, errors.Join(err, os.WriteFile(mutated, m.apply(source), 0o600), os.WriteFile(overlay, replace, 0o600))
}

// run builds. It reports false where the mutant does not compile.
func (b build) run(ctx context.Context, root, overlay, dir string) (bool, error) {
	args := b.args(overlay, dir)
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	var failed *exec.ExitError
	if errors.As(err, &failed) && strings.Contains(string(out), mutatedFile+":") {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%w\n%s", err, out)
	}
	return true, nil
}

// command starts the adapter with the library in dir. A mutant may ask for
// memory without end.
func (b build) command(root, dir string) adapter.Command {
	command := adapter.Shell("ulimit -v 8000000; exec '" + b.program(root, dir) + "' " + b.flags)
	command.Env = append(os.Environ(), "LD_LIBRARY_PATH="+dir)
	return command
}
