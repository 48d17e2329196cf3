package store

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// What a process is told that a test starts: its store, and bytes that its files
// may have.
const (
	storeVariable = "EVENTBROKER_TEST_STORE"
	limitVariable = "EVENTBROKER_TEST_LIMIT"
)

func TestMain(m *testing.M) {
	i := slices.IndexFunc(stores, func(s store) bool { return s.name == os.Getenv(storeVariable) })
	if i < 0 {
		os.Exit(m.Run())
	}
	if bytes, err := strconv.ParseUint(os.Getenv(limitVariable), 10, 64); err == nil {
		_ = syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bytes, Max: bytes})
	}
	fmt.Fprintln(os.Stderr, appendForever(stores[i], os.Args[1]))
}

// play prepares a process that appends to a journal at path.
func play(t *testing.T, s store, path string, variables ...string) *exec.Cmd {
	binary, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(binary, path)
	cmd.Env = append(append(os.Environ(), storeVariable+"="+s.name), variables...)
	return cmd
}

// appendForever appends, and writes a byte for each call that returned.
func appendForever(s store, path string) error {
	j, err := s.open(path)
	if err != nil {
		return err
	}
	if err := j.CreateTopic("t", engine.TopicOptions{}); err != nil {
		return err
	}
	for offset := int64(0); ; offset++ {
		_, writeErr := os.Stdout.Write([]byte{'.'})
		if err := errors.Join(writeErr, j.Append("t", offset, message, 0)); err != nil {
			return err
		}
	}
}

// killed returns how many messages are missing after a kill whose call had
// returned.
func killed(t *testing.T, s store) int {
	path := filepath.Join(t.TempDir(), "journal")
	cmd := play(t, s, path)
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	output := bufio.NewReader(pipe)
	began, err := io.CopyN(io.Discard, output, 1+rand.Int64N(400))
	require.NoError(t, err)
	require.NoError(t, cmd.Process.Kill())
	rest, err := io.Copy(io.Discard, output)
	require.NoError(t, err)
	_ = cmd.Wait()

	j, err := s.open(path)
	require.NoError(t, err)
	kept, err := j.Load()
	require.NoError(t, err)
	require.NoError(t, j.Close())
	return max(0, int(began+rest)-1-len(kept[0].Payloads)) // a byte is written before each call
}

// PS-15 in its default mode: bbolt keeps what returned, Pebble does not unless it
// waits for a sync, be it one that does nothing.
func TestKill(t *testing.T) {
	for _, s := range stores {
		t.Run(s.name, func(t *testing.T) {
			lost := 0
			for range 5 {
				lost += killed(t, s)
			}
			t.Log(fmt.Sprint(lost, " messages lost that had returned, in 5 kills"))
			require.Equal(t, s.name == "pebble-nosync", lost > 0)
		})
	}
}

// A full disk is an error of bbolt's, after which the process goes on. Pebble
// ends the process, by a panic or by its logger.
func TestDiskFull(t *testing.T) {
	for _, s := range stores {
		t.Run(s.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "journal")
			var said strings.Builder
			cmd := play(t, s, path, limitVariable+"=65536")
			cmd.Stderr = &said
			err := cmd.Run()
			t.Log(strings.SplitN(said.String(), "\n", 2)[0])
			require.Equal(t, strings.HasPrefix(s.name, "bbolt"), err == nil)
		})
	}
}
