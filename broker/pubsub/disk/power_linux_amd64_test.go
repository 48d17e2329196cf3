package disk_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/pubsub/disk"
	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// A simulated disk has what was flushed. What was written since it may have or
// not: every sector of it by itself.
type simulatedDisk struct {
	flushed        []byte
	since          []event
	renamed, named bool // whether the file has its name, and whether the disk has that
	said           int  // bytes, by then
}

func (d *simulatedDisk) take(e event) {
	switch e.kind {
	case say:
		d.said++
	case rename:
		d.renamed = true
	case publish:
		d.named = d.renamed
	case flush:
		d.flushed = d.after(func() bool { return true }, func() bool { return true })
		d.since = nil
	default:
		d.since = append(d.since, e)
	}
}

const sector = 512

// after returns the file with those of the events, and of their sectors, that
// are wanted.
func (d *simulatedDisk) after(wantEvent, wantSector func() bool) []byte {
	file := slices.Clone(d.flushed)
	for _, e := range d.since {
		switch {
		case !wantEvent():
		case e.kind == truncate:
			file = resize(file, int(e.offset))
		default:
			for i, piece := range slices.Collect(slices.Chunk(e.data, sector)) {
				if at := int(e.offset) + i*sector; wantSector() {
					file = resize(file, max(len(file), at+len(piece)))
					copy(file[at:], piece)
				}
			}
		}
	}
	return file
}

func resize(file []byte, size int) []byte {
	return append(file[:min(len(file), size)], make([]byte, max(0, size-len(file)))...)
}

// crashes returns files as they may be found when the power has failed now:
// without what was not flushed, with all of it, and in between.
func (d *simulatedDisk) crashes(rng *rand.Rand, many int) [][]byte {
	if len(d.since) == 0 {
		return [][]byte{d.flushed}
	}
	always, never := func() bool { return true }, func() bool { return false }
	coin := func() bool { return rng.IntN(2) == 0 }
	files := [][]byte{d.after(never, never), d.after(always, always)}
	for range many {
		most := func() bool { return rng.IntN(len(d.since)) > 0 }
		files = append(files, d.after(coin, always), d.after(always, coin), d.after(most, always), d.after(coin, coin))
	}
	for _, file := range files { // the new size is written by itself, too
		files = append(files, file[:min(len(file), len(d.flushed))])
	}
	return files
}

// lost simulates a loss of power after each event, and says what is missing.
func lost(t *testing.T, events []event, seed uint64, many int) error {
	var memories [][]engine.KeptTopic
	for s := newScript(seed); len(memories) < len(events); s.step() {
		memories = append(memories, must(s.memory.Load()))
	}
	path, rng := newPath(t), rand.New(rand.NewPCG(rand.Uint64(), 0))
	var d simulatedDisk
	for i, e := range events {
		d.take(e)
		returned := max(0, d.said-2) // of the calls; the second byte is said when it is open
		if d.said >= 2 && !d.named {
			return errors.New("it is open, but its name is not on the disk")
		}
		for _, file := range d.crashes(rng, many) {
			if !d.renamed {
				break
			}
			if err := holds(path, file, memories[returned:returned+2]); err != nil {
				return fmt.Errorf("event %d of %d, when %d calls had returned: %w", i, len(events), returned, err)
			}
		}
	}
	return nil
}

// holds returns an error unless the file keeps one of the two states.
func holds(path string, file []byte, states [][]engine.KeptTopic) error {
	if err := os.WriteFile(path, file, 0o600); err != nil {
		return err
	}
	j, err := disk.Open(path, disk.Options{})
	if err != nil {
		return err
	}
	kept, err := j.Load()
	if err == nil && difference(states[0], kept) != "" && difference(states[1], kept) != "" {
		err = errors.New("it keeps something else:\n" + difference(states[0], kept))
	}
	return errors.Join(err, j.Close())
}

// traceCaller traces a process that makes the calls of a script.
func traceCaller(t *testing.T, seed uint64, calls int, sync bool) []event {
	folder := t.TempDir()
	cmd := play(t, "caller", filepath.Join(folder, "journal"), fmt.Sprint(seed), "0", fmt.Sprint(calls), fmt.Sprint(sync))
	events := trace(t, cmd, folder, nil)
	said := 0
	for _, e := range events {
		if e.kind == say {
			said++
		}
	}
	require.Equal(t, calls+2, said)
	return events
}

// PS-15: with sync, what was kept survives loss of power at any moment, whatever
// the disk has done by then of what it was not told to finish.
func TestLossOfPower(t *testing.T) {
	for range rounds(t, 1) {
		seed := rand.Uint64()
		events := traceCaller(t, seed, 15, true)
		require.NoError(t, lost(t, events, seed, 1), "seed %d", seed)
	}
}

// The simulated disk does lose what was not flushed: without sync, and on a disk
// that does not wait for the pages before it writes the page that leads to them.
func TestLossOfPower_IsSeen(t *testing.T) {
	err := lost(t, traceCaller(t, 1, 40, false), 1, 1)
	require.Error(t, err)
	t.Log("without sync:", err)

	events, hasty := traceCaller(t, 1, 40, true), []event{}
	for i, e := range events {
		next := event{}
		if i+1 < len(events) {
			next = events[i+1]
		}
		if e.kind == flush && next.kind == write && next.offset < 2*4096 {
			continue
		}
		hasty = append(hasty, e)
	}
	require.Less(t, len(hasty), len(events)-30)
	err = lost(t, hasty, 1, 1)
	require.Error(t, err)
	t.Log("a hasty disk:", err)
}

func init() {
	roles["unlucky"] = func(args []string) {
		j, offset := must(disk.Open(args[0], disk.Options{Sync: true})), int64(0)
		check(j.CreateTopic("t", engine.TopicOptions{}))
		for range 20 {
			err := j.Append("t", offset, fmt.Sprint(offset), 0)
			fmt.Println(err)
			if err == nil {
				offset++
			}
		}
		check(j.Close())
	}
}

// unlucky traces a process that appends 20 times, and refuses what refuse wants.
// It returns what the process was told, a line an append, and what is kept.
func unlucky(t *testing.T, refuse func(event) bool) (told []string, kept []string) {
	folder := t.TempDir()
	path := filepath.Join(folder, "journal")
	cmd := play(t, "unlucky", path)
	output := must(os.Create(filepath.Join(folder, "output")))
	cmd.Stdout = output
	trace(t, cmd, folder, refuse)
	require.NoError(t, output.Close())
	told = strings.Split(strings.TrimSpace(string(must(os.ReadFile(output.Name())))), "\n")
	require.Len(t, told, 20)
	j := open(t, path, disk.Options{})
	topics, err := j.Load()
	require.NoError(t, err)
	require.NoError(t, j.Close())
	return told, topics[0].Payloads
}

// nth is true of the nth event of the kind.
func nth(k kind, n int) func(event) bool {
	return func(e event) bool {
		if e.kind == k {
			n--
		}
		return e.kind == k && n == 0
	}
}

// A write that fails has changed nothing, and the next call may succeed.
func TestFailedWrite(t *testing.T) {
	for n := 40; n < 46; n++ { // each write of a call
		told, kept := unlucky(t, nth(write, n))
		failed := slices.DeleteFunc(slices.Clone(told), func(line string) bool { return line == "<nil>" })
		require.Len(t, failed, 1)
		require.Regexp(t, "^"+broker.ErrStorage.Error()+": .*input/output error", failed[0])
		require.Len(t, kept, 19)
	}
}

// When the disk did not finish what was written, nobody knows what it has: then
// nothing more is taken that might be lost.
func TestFailedFlush(t *testing.T) {
	for n := 20; n < 22; n++ { // before the page that leads to the others, and after it
		told, kept := unlucky(t, nth(flush, n))
		made := slices.IndexFunc(told, func(line string) bool { return line != "<nil>" })
		for _, line := range told[made:] {
			require.Regexp(t, "^"+broker.ErrStorage.Error()+": .* until it is opened again: input/output error", line)
		}
		require.GreaterOrEqual(t, len(kept), made)
		require.LessOrEqual(t, len(kept), made+1)
	}
}
