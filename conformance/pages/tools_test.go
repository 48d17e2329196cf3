package pages_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// scratch is a folder of this run, for what several tests use.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "pages"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(scratch)
	os.Exit(code)
}

// once builds something for all tests of this run, which fail if that does.
type once struct {
	sync.Once
	err error
}

func (o *once) do(t *testing.T, build func() error) {
	o.Do(func() {
		o.err = errors.New("another test failed to build it")
		o.err = build()
	})
	require.NoError(t, o.err)
}

var library, kit once

// libraryFolder has the library, built from the tree as it is.
func libraryFolder(t *testing.T) string {
	folder := filepath.Join(scratch, "lib")
	library.do(t, func() error { return command(t, filepath.Join(root(t), "cabi/build.sh"), folder).quietly() })
	return folder
}

// kitFolder has the commands that pages call build/bin.
func kitFolder(t *testing.T) string {
	folder := filepath.Join(scratch, "bin") + "/"
	kit.do(t, func() error { return command(t, "go", "build", "-o", folder, "./conformance/cmd/conform").quietly() })
	return folder
}

// A call is a command, which is ended when it takes longer than a build from
// nothing does on a machine that has others to do.
type call struct{ *exec.Cmd }

// command is called in the root, on the bindings in place and the library of the
// tree.
func command(t *testing.T, name string, args ...string) call {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Minute)
	t.Cleanup(cancel)
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = root(t)
	c.Env = append(os.Environ(),
		"EVENTBROKER_LIBRARY="+filepath.Join(scratch, "lib", "libeventbroker.so.1"),
		"PYTHONPATH="+filepath.Join(c.Dir, "bindings/python/src"),
		"PYTHONDONTWRITEBYTECODE=1")
	return call{c}
}

// quietly fails with all that was said.
func (c call) quietly() error {
	if out, err := c.CombinedOutput(); err != nil {
		return errors.New(strings.Join(c.Args, " ") + ": " + err.Error() + "\n" + string(out))
	}
	return nil
}

// prints gives what a command that ends well prints.
func (c call) prints(t *testing.T) string {
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	require.NoError(t, c.Run(), "%s\n%s%s", strings.Join(c.Args, " "), &stdout, &stderr)
	return stdout.String()
}
