package disk_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker/pubsub/disk"
	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// A script is a sequence of calls that a seed stands for.
type script struct {
	memory *memory // after the calls so far
	rng    *rand.Rand
	calls  int
}

func newScript(seed uint64) *script {
	return &script{memory: newMemory(), rng: rand.New(rand.NewPCG(seed, seed))}
}

// step makes the next call on the memory and returns it.
func (s *script) step() call {
	c := s.memory.next(s.rng.IntN)
	check(c.make(s.memory))
	s.calls++
	return c
}

// agrees steps on to what was kept, which is what the acknowledged calls have
// made, or that and one call more: the one that did not return any more.
func (s *script) agrees(acknowledged int, kept []engine.KeptTopic) string {
	for s.calls < acknowledged {
		s.step()
	}
	diff := s.diff(kept)
	if diff == "" {
		return ""
	}
	s.step()
	if s.diff(kept) == "" {
		return ""
	}
	return diff
}

func (s *script) diff(kept []engine.KeptTopic) string {
	return difference(must(s.memory.Load()), kept)
}

func init() {
	roles["caller"] = func(args []string) {
		seed, done, last := must(strconv.ParseUint(args[1], 10, 64)), must(strconv.Atoi(args[2])), must(strconv.Atoi(args[3]))
		say := func() { must(os.Stdout.Write([]byte{'.'})) }
		s := newScript(seed)
		for s.calls < done {
			s.step()
		}
		say()
		j := must(disk.Open(args[0], disk.Options{Sync: args[4] == "true"}))
		must(j.Load())
		say()
		for s.calls < last {
			check(s.step().make(j))
			say()
		}
		check(j.Close())
	}
}

// caller makes the calls of a script on a journal, those that were not done yet,
// and writes a byte before it opens it, one after that, and one after each call.
func caller(t testing.TB, path string, seed uint64, done, last int, sync bool) *process {
	p := start(t, play(t, "caller", path, fmt.Sprint(seed), fmt.Sprint(done), fmt.Sprint(last), fmt.Sprint(sync)))
	return &p
}

// rounds is how often a test tries at random: a few times, or as often as the
// environment says.
func rounds(t testing.TB, few int) int {
	if many, set := os.LookupEnv("EVENTBROKER_ROUNDS"); set {
		n, err := strconv.Atoi(many)
		require.NoError(t, err)
		return n
	}
	return few
}

// killAfter kills the process when it has written so many bytes, which is at any
// moment of what it does next, and returns how many it did write.
func killAfter(t testing.TB, p *process, bytes int) int {
	read, err := io.CopyN(io.Discard, p.output, int64(bytes))
	require.NoError(t, err)
	require.NoError(t, p.Process.Kill())
	rest, err := io.Copy(io.Discard, p.output)
	require.NoError(t, err)
	_ = p.Wait()
	return int(read + rest)
}

// PS-15: a process killed at any moment has lost nothing that returned, has not
// kept half of anything, and left a file that opens.
func TestKill(t *testing.T) {
	rng := rand.New(rand.NewPCG(rand.Uint64(), 0))
	var path string
	var seed uint64
	var s *script
	for round := range rounds(t, 12) {
		if round%6 == 0 { // a new file, so that some die while they make it
			path, seed = newPath(t), rng.Uint64()
			s = newScript(seed)
		}
		before := s.calls
		p := caller(t, path, seed, s.calls, 1_000_000, round%4 == 3)
		written := killAfter(t, p, 1+rng.IntN(2)*rng.IntN(400))
		j := open(t, path, disk.Options{})
		kept, err := j.Load()
		require.NoError(t, err)
		require.NoError(t, j.Close())
		require.Empty(t, s.agrees(before+max(0, written-2), kept), "seed %d, %d calls before, %d bytes written", seed, before, written)
	}
}
