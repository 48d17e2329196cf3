package main

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is installed, or named by the environment, is not what was just built:
// a fault in the checkout would go unseen.
func TestTargets_OwnSurfacesJudgeTheCheckout(t *testing.T) {
	for _, name := range []string{"EVENTBROKER_LIBRARY", "LD_LIBRARY_PATH", "PYTHONPATH"} {
		t.Setenv(name, "/elsewhere")
	}
	root := checkoutOfExecutable()
	want := filepath.Join(root, "build/lib/libeventbroker.so.1") + "\n" +
		filepath.Join(root, "build/lib") + ":/elsewhere\n" +
		filepath.Join(root, "bindings/python/src") + ":/elsewhere\n"

	list, err := (&targets{timeout: defaultTimeout}).list()
	require.NoError(t, err)
	for _, target := range list {
		show := exec.Command("printenv", "EVENTBROKER_LIBRARY", "LD_LIBRARY_PATH", "PYTHONPATH")
		show.Env = target.command.Env
		out, err := show.Output()
		require.NoError(t, err)
		assert.Equal(t, want, string(out), target.name)
		show = exec.Command("printenv", "EVENTBROKER_LIBRARY")
		show.Env = target.record.Env
		out, err = show.Output()
		require.NoError(t, err)
		assert.Equal(t, filepath.Join(root, "build/lib-ebtest/libeventbroker.so.1")+"\n", string(out), target.name)
	}

	for name, want := range map[string]string{"": "/a", "/b:/c": "/a:/b:/c"} {
		assert.Equal(t, want, inFront("/a", name))
	}
}

// An adapter from outside is run as it would be without the kit.
func TestTargets_AdaptersHaveTheCallersEnvironment(t *testing.T) {
	list, err := (&targets{adapters: []string{"mine=true"}, timeout: defaultTimeout}).list()
	require.NoError(t, err)
	assert.Nil(t, list[0].command.Env)
}
