package disk_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// An event is something that a process asked of the kernel and got.
type event struct {
	kind   kind
	offset int64  // of a write; the new size, of a truncate
	data   []byte // of a write
}

type kind string

const (
	say      kind = "say" // a byte on standard output: a call returned
	write    kind = "write"
	truncate kind = "truncate"
	flush    kind = "flush"   // of the file: everything before is on the disk
	rename   kind = "rename"  // the file gets its name
	publish  kind = "publish" // a flush of the folder: that name is on the disk
)

// trace runs the command, and returns what it did with the journal in the
// folder and when it said something. It reads the system calls themselves, so
// nothing is assumed about what bbolt writes and when it waits for the disk.
//
// What refuse wants refused, which may be nil, fails with an EIO.
func trace(t testing.TB, cmd *exec.Cmd, folder string, refuse func(event) bool) []event {
	runtime.LockOSThread() // the kernel takes a tracer for a thread
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Ptrace: true}
	err := cmd.Start()
	if err != nil {
		t.Skip("tracing is not permitted here: ", err)
	}
	tr := tracer{
		folder: folder, main: cmd.Process.Pid, refuse: refuse,
		pending: map[int]*event{}, refused: map[int]bool{},
	}
	var status syscall.WaitStatus
	_, err = syscall.Wait4(tr.main, &status, 0, nil)
	require.NoError(t, err)
	require.NoError(t, syscall.PtraceSetOptions(tr.main, syscall.PTRACE_O_TRACECLONE|syscall.PTRACE_O_TRACESYSGOOD))
	require.NoError(t, syscall.PtraceSyscall(tr.main, 0))
	for {
		thread, err := syscall.Wait4(-1, &status, syscall.WALL, nil)
		require.NoError(t, err)
		if status.Exited() || status.Signaled() {
			if thread != tr.main {
				continue
			}
			require.Zero(t, status.ExitStatus())
			return tr.events
		}
		require.NoError(t, resume(thread, tr.stopped(thread, status.StopSignal())))
	}
}

func resume(thread int, signal syscall.Signal) error {
	err := syscall.PtraceSyscall(thread, int(signal))
	if err == syscall.ESRCH { // it was killed by the end of its process
		return nil
	}
	return err
}

type tracer struct {
	folder  string
	main    int
	refuse  func(event) bool
	pending map[int]*event // thread => what it is asking
	refused map[int]bool   // thread => whether that is refused
	events  []event
}

// stopped takes a thread's stop, and returns the signal to go on with.
func (tr *tracer) stopped(thread int, signal syscall.Signal) syscall.Signal {
	switch signal {
	case syscall.SIGTRAP | 0x80:
		tr.systemCall(thread)
		return 0
	case syscall.SIGTRAP, syscall.SIGSTOP: // a thread was made, or begins
		return 0
	}
	return signal
}

// callInfo is the kernel's struct ptrace_syscall_info.
type callInfo struct {
	op     uint8 // 1 at the entry, 2 at the exit
	_      [3]byte
	_      uint32
	_, _   uint64
	number uint64 // at the entry; at the exit, what is returned
	args   [6]uint64
}

// systemCall takes a call at its entry, where the data is, and at its exit,
// where it is done.
func (tr *tracer) systemCall(thread int) {
	const ptraceGetSyscallInfo = 0x420e
	var info callInfo
	_, _, errno := syscall.Syscall6(syscall.SYS_PTRACE, ptraceGetSyscallInfo, uintptr(thread), unsafe.Sizeof(info),
		uintptr(unsafe.Pointer(&info)), 0, 0)
	if errno == syscall.ESRCH { // as in resume
		return
	}
	if errno != 0 {
		panic(errno)
	}
	switch {
	case info.op == 1:
		tr.pending[thread] = tr.asked(thread, info)
		if e := tr.pending[thread]; e != nil && tr.refuse != nil && tr.refuse(*e) {
			tr.refused[thread] = true
			setRegister(thread, func(r *syscall.PtraceRegs) { r.Orig_rax = ^uint64(0) }) // a call that there is not
		}
	case info.op == 2 && tr.refused[thread]:
		setRegister(thread, func(r *syscall.PtraceRegs) { r.Rax = ^uint64(syscall.EIO) + 1 })
		tr.pending[thread], tr.refused[thread] = nil, false
	case info.op == 2 && tr.pending[thread] != nil && int64(info.number) >= 0:
		tr.events = append(tr.events, *tr.pending[thread])
		delete(tr.pending, thread)
	}
}

// asked returns what a thread is asking, nil where that is nothing of ours.
func (tr *tracer) asked(thread int, info callInfo) *event {
	file, _ := os.Readlink(fmt.Sprintf("/proc/%d/fd/%d", tr.main, int32(info.args[0])))
	journal := strings.HasPrefix(file, filepath.Join(tr.folder, "journal"))
	switch info.number {
	case syscall.SYS_WRITE:
		if info.args[0] == 1 {
			return &event{kind: say}
		}
		if journal {
			panic("written where its offset is not known")
		}
	case syscall.SYS_PWRITE64:
		if journal {
			return &event{kind: write, offset: int64(info.args[3]), data: peek(thread, info.args[1], info.args[2])}
		}
	case syscall.SYS_FTRUNCATE:
		if journal {
			return &event{kind: truncate, offset: int64(info.args[1])}
		}
	case syscall.SYS_FSYNC, syscall.SYS_FDATASYNC:
		if journal {
			return &event{kind: flush}
		}
		if file == tr.folder {
			return &event{kind: publish}
		}
	case syscall.SYS_RENAME, syscall.SYS_RENAMEAT:
		return &event{kind: rename}
	}
	return nil
}

func setRegister(thread int, set func(*syscall.PtraceRegs)) {
	var registers syscall.PtraceRegs
	check(syscall.PtraceGetRegs(thread, &registers))
	set(&registers)
	check(syscall.PtraceSetRegs(thread, &registers))
}

func peek(thread int, address, size uint64) []byte {
	data := make([]byte, size)
	if n := must(syscall.PtracePeekData(thread, uintptr(address), data)); n != len(data) {
		panic("not all of what is written could be read")
	}
	return data
}
