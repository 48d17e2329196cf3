package disk_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/pubsub/disk"
	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// A victim is a file with what it keeps, and what it kept one call before: what
// is left when its last write is torn.
type victim struct {
	content      []byte
	now, earlier []engine.KeptTopic
}

// newVictim makes one by a script of so many calls.
func newVictim(t testing.TB, seed uint64, calls int) victim {
	path := newPath(t)
	j, s := open(t, path, disk.Options{}), newScript(seed)
	var v victim
	for s.calls < calls {
		v.earlier = must(s.memory.Load())
		require.NoError(t, s.step().make(j))
	}
	require.NoError(t, j.Close())
	v.content, v.now = must(os.ReadFile(path)), must(s.memory.Load())
	return v
}

// survives opens a damaged copy of the file. It is refused and left as it is, or
// it gives everything back but for what the last call made, and can be used.
func (v victim) survives(path string, damaged []byte) error {
	if err := os.WriteFile(path, damaged, 0o600); err != nil {
		return err
	}
	j, err := disk.Open(path, disk.Options{})
	if err != nil {
		return refused(err, path, damaged)
	}
	kept, err := j.Load()
	if err != nil {
		return refused(errors.Join(err, j.Close()), path, damaged)
	}
	if difference(v.now, kept) != "" && difference(v.earlier, kept) != "" {
		return errors.Join(errors.New("it gave back something else:\n"+difference(v.now, kept)), j.Close())
	}
	return errors.Join(j.CreateTopic("another", engine.TopicOptions{}), j.Close())
}

func refused(err error, path string, damaged []byte) error {
	if !errors.Is(err, broker.ErrDamaged) {
		return err
	}
	if after, readErr := os.ReadFile(path); readErr != nil || !slices.Equal(damaged, after) {
		return errors.New("it was refused, but changed")
	}
	return nil
}

// PS-15: a file that was cut off anywhere is refused, or has lost what its last
// call made and no more.
func TestDamage_CutOff(t *testing.T) {
	v, path := newVictim(t, 1, 60), newPath(t)
	lengths := []int{1, 79, 80, 81}
	for page := 4096; page < len(v.content); page += 4096 {
		lengths = append(lengths, page-1, page, page+1)
	}
	for range rounds(t, 30) {
		lengths = append(lengths, 1+rand.IntN(len(v.content)-1))
	}
	for _, length := range lengths {
		require.NoError(t, v.survives(path, v.content[:length]), "the first %d bytes", length)
	}
}

// PS-15: no bit that flips makes a journal give back what was never kept, or do
// without what was, but for the last call's.
func TestDamage_BitFlips(t *testing.T) {
	rng, path := rand.New(rand.NewPCG(rand.Uint64(), 0)), newPath(t)
	flip := func(v victim, at int) {
		damaged, bit := slices.Clone(v.content), rng.IntN(8)
		damaged[at] ^= 1 << bit
		require.NoError(t, v.survives(path, damaged), "bit %d of byte %d of %d", bit, at, len(damaged))
	}
	for _, v := range []victim{newVictim(t, 3, 100), newVictim(t, 4, 1000)} {
		for range rounds(t, 60) {
			flip(v, rng.IntN(len(v.content)))
		}
	}
	for small, at := newVictim(t, 2, 12), 0; at < len(small.content); at++ {
		if at%4096 < 48 { // the page's header, and those of its first records
			flip(small, at)
		}
	}
}

// Damage of a coarser kind: bytes, words and whole pages overwritten, swapped,
// or filled with another's.
func TestDamage_Overwritten(t *testing.T) {
	rng, path := rand.New(rand.NewPCG(rand.Uint64(), 0)), newPath(t)
	v := newVictim(t, 5, 300)
	pages := len(v.content) / 4096
	page := func(content []byte) []byte { at := 4096 * rng.IntN(pages); return content[at : at+4096] }
	for kind, damage := range map[string]func(content []byte){
		"a page of zeros":   func(c []byte) { clear(page(c)) },
		"a page of ones":    func(c []byte) { copy(page(c), slices.Repeat([]byte{0xFF}, 4096)) },
		"a page twice":      func(c []byte) { copy(page(c), page(v.content)) },
		"half a page twice": func(c []byte) { copy(page(c)[:2048], page(v.content)) },
		"a word":            func(c []byte) { copy(page(c)[8*rng.IntN(8):][:8], fmt.Appendf(nil, "%08x", rng.Uint32())) },
		"a small number":    func(c []byte) { page(c)[4*rng.IntN(20)] = byte(rng.IntN(pages)) },
	} {
		for range rounds(t, 20) {
			damaged := slices.Clone(v.content)
			damage(damaged)
			require.NoError(t, v.survives(path, damaged), kind)
		}
	}
}

// A file that another program cuts off while it is open is an error, and no
// fault that ends the process; then the lock is let go.
func TestDamage_WhileOpen(t *testing.T) {
	path := newPath(t)
	j, s := open(t, path, disk.Options{}), newScript(7)
	for range 500 {
		require.NoError(t, s.step().make(j))
	}
	require.NoError(t, os.Truncate(path, 8192))
	err := j.CreateTopic("t", engine.TopicOptions{})
	require.ErrorIs(t, err, broker.ErrDamaged)
	require.Equal(t, err, j.CreateTopic("t", engine.TopicOptions{}), "and for ever")
	_, err = j.Load()
	require.ErrorIs(t, err, broker.ErrDamaged)
	require.NoError(t, j.Close())
	_, err = disk.Open(path, disk.Options{})
	require.ErrorIs(t, err, broker.ErrDamaged)
}
