package disk_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/pubsub/disk"
)

// A room is where a journal lies. It can be made tight, so that no file in it
// can grow, and wide again.
type room struct{ tight, wide func() }

func init() {
	roles["full"] = func(args []string) {
		kind, folder, sync := args[0], args[1], args[2] == "true"
		r := map[string]func(string) room{"file system": smallFileSystem, "file size": limitedSize}[kind](folder)
		fillUp(r, folder, disk.Options{Sync: sync})
		fmt.Print("done")
	}
}

// smallFileSystem mounts one where only this process sees it, whose end is an
// ENOSPC.
func smallFileSystem(folder string) room {
	filler := filepath.Join(folder, "filler")
	check(syscall.Mount("none", folder, "tmpfs", 0, "size=8m"))
	return room{
		tight: func() {
			var stat syscall.Statfs_t
			check(syscall.Statfs(folder, &stat))
			check(os.WriteFile(filler, make([]byte, stat.Bavail*uint64(stat.Bsize)), 0o600))
		},
		wide: func() { check(os.Remove(filler)) },
	}
}

// limitedSize limits that of this process's files, whose end is an EFBIG.
func limitedSize(folder string) room {
	limit := func(bytes uint64) {
		var l syscall.Rlimit
		check(syscall.Getrlimit(syscall.RLIMIT_FSIZE, &l))
		l.Cur = min(bytes, l.Max)
		check(syscall.Setrlimit(syscall.RLIMIT_FSIZE, &l))
	}
	return room{
		tight: func() {
			info, err := os.Stat(filepath.Join(folder, "journal"))
			if err != nil {
				limit(4096) // less than a new one has
				return
			}
			limit(uint64(info.Size()))
		},
		wide: func() { limit(^uint64(0)) },
	}
}

// fillUp fails to make a journal where there is no room. In one that it made
// before, calls fail for want of room and change nothing, and go on when there
// is room again.
func fillUp(r room, folder string, options disk.Options) {
	path := filepath.Join(folder, "journal")
	r.tight()
	if _, err := disk.Open(path, options); !errors.Is(err, broker.ErrDiskFull) {
		panic(fmt.Sprint("no room to make it, but: ", err))
	}
	if left := must(filepath.Glob(path + "*")); len(left) != 0 {
		panic(fmt.Sprint("left behind: ", left))
	}
	r.wide()
	j, s := must(disk.Open(path, options)), newScript(1)
	for range 3 {
		if _, failed := s.makeSome(j, func(made, _ int) bool { return made == 100 }); failed > 0 {
			panic("no room, but there is")
		}
		r.tight()
		made, _ := s.makeSome(j, func(_, failed int) bool { return failed == 20 })
		fmt.Println(made, "calls had room in pages that were free")
		check(j.Close())
		j = must(disk.Open(path, options))
		if diff := s.diff(must(j.Load())); diff != "" {
			panic("after calls that failed: " + diff)
		}
		r.wide()
	}
	check(j.Close())
}

// makeSome makes calls until so many succeeded or failed for want of room.
func (s *script) makeSome(j *disk.Journal, enough func(made, failed int) bool) (made, failed int) {
	for !enough(made, failed) {
		c := s.memory.next(s.rng.IntN)
		err := c.make(j)
		switch {
		case err == nil:
			check(c.make(s.memory))
			made++
		case errors.Is(err, broker.ErrDiskFull):
			failed++
		default:
			panic(err)
		}
	}
	return made, failed
}

func TestDiskFull(t *testing.T) {
	for _, sync := range []bool{false, true} {
		for _, kind := range []string{"file size", "file system"} {
			t.Run(fmt.Sprintf("%s, sync %v", kind, sync), func(t *testing.T) {
				cmd := play(t, "full", kind, t.TempDir(), fmt.Sprint(sync))
				if kind == "file system" {
					cmd.SysProcAttr = ownMounts()
				}
				output, err := cmd.Output()
				if errors.Is(err, syscall.EPERM) {
					t.Skip("mounting is not permitted here")
				}
				require.NoError(t, err)
				require.Contains(t, string(output), "done")
				t.Log(string(output))
			})
		}
	}
}

func ownMounts() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
}
