package disk_test

import (
	"bufio"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// roles are what a process does that a test starts to be killed, traced or
// limited: this binary once more, told by its environment.
var roles = map[string]func(args []string){}

const roleVariable = "EVENTBROKER_TEST_ROLE"

func TestMain(m *testing.M) {
	if role, ok := roles[os.Getenv(roleVariable)]; ok {
		role(os.Args[1:])
		return
	}
	os.Exit(m.Run())
}

// play prepares a process in a role.
func play(t testing.TB, role string, args ...string) *exec.Cmd {
	binary, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), roleVariable+"="+role)
	cmd.Stderr = os.Stderr
	return cmd
}

// must and check are for roles, which have no test to fail.
func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// A process that was started, whose output is read byte by byte.
type process struct {
	*exec.Cmd
	output *bufio.Reader
}

func start(t testing.TB, cmd *exec.Cmd) process {
	pipe, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	return process{cmd, bufio.NewReader(pipe)}
}
