package disk_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.etcd.io/bbolt"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/pubsub/disk"
	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// A path at which no file can be opened is an invalid argument that says why.
func TestOpen_Path(t *testing.T) {
	folder := t.TempDir()
	file, pipe, loop := filepath.Join(folder, "file"), filepath.Join(folder, "pipe"), filepath.Join(folder, "loop")
	require.NoError(t, os.WriteFile(file, []byte("text"), 0o600))
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	require.NoError(t, os.Symlink(loop, loop))
	for _, c := range []struct{ path, reason string }{
		{"", "is empty"},
		{folder, "is a folder"},
		{pipe, "is not a regular file"},
		{"/dev/null", "is not a regular file"},
		{filepath.Join(folder, "none", "file"), "is in a folder that does not exist"},
		{filepath.Join(file, "file"), "cannot be opened: not a directory"},
		{loop, "cannot be opened: too many levels of symbolic links"},
		{filepath.Join(folder, strings.Repeat("x", 256)), "cannot be opened: file name too long"},
		{"a\x00b", "cannot be opened: invalid argument"},
		{"/proc/journal", "is in a folder that does not exist"}, // nothing can be made there
	} {
		_, err := disk.Open(c.path, disk.Options{})
		var argument *broker.ArgumentError
		if assert.ErrorAs(t, err, &argument, "%q", c.path) {
			assert.Equal(t, "path", argument.Argument)
			assert.True(t, strings.HasSuffix(argument.Reason, c.reason), "%q: %s", c.path, argument.Reason)
		}
	}
}

func init() {
	roles["opener"] = func(args []string) {
		check(os.Chdir(args[0]))
		if os.Geteuid() == 0 { // to whom everything is permitted
			check(syscall.Setuid(65534))
		}
		_, err := disk.Open(args[1], disk.Options{})
		fmt.Print(err)
	}
}

// Who may not write is told so, of a file as of a folder.
func TestOpen_Permission(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, open(t, filepath.Join(folder, "journal"), disk.Options{}).Close())
	require.NoError(t, os.Chmod(filepath.Join(folder, "journal"), 0o400))
	require.NoError(t, os.Chmod(folder, 0o555))
	defer func() { require.NoError(t, os.Chmod(folder, 0o700)) }()
	for _, name := range []string{"journal", "new"} {
		output, err := play(t, "opener", folder, name).Output()
		require.NoError(t, err)
		assert.Equal(t, `invalid argument: path: "`+name+`" cannot be opened: permission denied`, string(output))
	}
}

func TestOpen_InUse(t *testing.T) {
	path := newPath(t)
	j := open(t, path, disk.Options{})
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(path, link))
	for _, name := range []string{path, link} {
		_, err := disk.Open(name, disk.Options{})
		require.ErrorIs(t, err, broker.ErrInUse)
		require.EqualError(t, err, "in use: "+path)
	}
	require.NoError(t, j.Close())
	require.NoError(t, open(t, path, disk.Options{}).Close(), "after it was closed")
}

// So does another process, until it dies.
func TestOpen_InUseElsewhere(t *testing.T) {
	path := newPath(t)
	p := caller(t, path, 1, 0, 1_000_000, false)
	for range 3 { // the third is that of a call, so it is open
		_, err := p.output.ReadByte()
		require.NoError(t, err)
	}
	_, err := disk.Open(path, disk.Options{})
	require.ErrorIs(t, err, broker.ErrInUse)
	killAfter(t, p, 0)
	require.NoError(t, open(t, path, disk.Options{}).Close())
}

// However many open a path at which there is no file yet, they have it one after
// the other, and none makes it anew.
func TestOpen_Race(t *testing.T) {
	const many = 8
	for range rounds(t, 6) {
		path := newPath(t)
		var wait sync.WaitGroup
		for range many {
			wait.Go(func() {
				j, err := disk.Open(path, disk.Options{})
				for errors.Is(err, broker.ErrInUse) {
					j, err = disk.Open(path, disk.Options{})
				}
				if !assert.NoError(t, err) {
					return
				}
				kept, err := j.Load()
				assert.NoError(t, err)
				assert.NoError(t, j.CreateTopic(fmt.Sprint("topic-", len(kept)), engine.TopicOptions{}))
				assert.NoError(t, j.Close())
			})
		}
		wait.Wait()
		j := open(t, path, disk.Options{})
		kept, err := j.Load()
		require.NoError(t, err)
		require.Len(t, kept, many)
		require.NoError(t, j.Close())
	}
}

// An empty file becomes a journal, as does what one left that died while it made
// one.
func TestOpen_New(t *testing.T) {
	for _, c := range []struct{ why, name, content string }{
		{"an empty file", "journal", ""},
		{"torn in the making", "journal.making", "half a pa"},
	} {
		path := newPath(t)
		require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(path), c.name), []byte(c.content), 0o600))
		j := open(t, path, disk.Options{Sync: true})
		require.NoError(t, j.CreateTopic("t", engine.TopicOptions{}), c.why)
		j, kept := reopen(t, j, path, disk.Options{})
		same(t, []engine.KeptTopic{{Name: "t"}}, kept)
		require.NoError(t, j.Close())
		require.NoFileExists(t, path+".making")
	}
}

// PS-15: a file that is not one of ours is refused, and left as it is.
func TestOpen_NotOurs(t *testing.T) {
	for why, content := range map[string][]byte{
		"a text":             []byte("not a journal\n"),
		"one byte":           {0},
		"zeros":              make([]byte, 1<<16),
		"another's":          boltFile(t, bbolt.Options{}, "theirs", "key"),
		"without free pages": boltFile(t, bbolt.Options{NoFreelistSync: true}, "theirs", "key"),
		"another page size":  boltFile(t, bbolt.Options{PageSize: 8192}, "theirs", "key"),
		"an empty one":       boltFile(t, bbolt.Options{}),
		"a later layout":     boltFile(t, bbolt.Options{}, "format", "topics", "messages", "cursors", "letters"),
	} {
		path := newPath(t)
		require.NoError(t, os.WriteFile(path, content, 0o600))
		for _, sync := range []bool{false, true} {
			_, err := disk.Open(path, disk.Options{Sync: sync})
			require.ErrorIs(t, err, broker.ErrDamaged, why)
			require.ErrorContains(t, err, path, why)
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, content, after, why)
		}
	}
}

// boltFile returns a file of bbolt's with buckets, each of which has a key.
func boltFile(t *testing.T, options bbolt.Options, buckets ...string) []byte {
	path := newPath(t)
	db, err := bbolt.Open(path, 0o600, &options)
	require.NoError(t, err)
	require.NoError(t, db.Update(func(tx *bbolt.Tx) error {
		for _, name := range buckets {
			require.NoError(t, must(tx.CreateBucket([]byte(name))).Put([]byte("version"), []byte("eventbroker pubsub 2")))
		}
		return nil
	}))
	require.NoError(t, db.Close())
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return content
}
