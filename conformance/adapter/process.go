package adapter

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// MaxLine is the longest line an adapter may write, in bytes. The largest legal
// poll result is about 400 KiB as JSON.
const MaxLine = 64 << 20

// grace is how long a process that has closed its output, and the streams of
// one that has ended, are waited for. Only a broken adapter uses it up, and on a
// busy machine a second may pass between a process's last byte and its end.
var grace = 10 * time.Second // a test takes less

// A Command says how an adapter is started.
type Command struct {
	Args []string
	Dir  string   // working directory; "" is the caller's
	Env  []string // nil is the caller's
}

// Shell is the command that sh runs when given the line.
func Shell(line string) Command { return Command{Args: []string{"sh", "-c", line}} }

func (c Command) String() string {
	if len(c.Args) == 3 && c.Args[0] == "sh" && c.Args[1] == "-c" {
		return c.Args[2]
	}
	return strings.Join(c.Args, " ")
}

// A process is a child in a process group of its own and its three streams.
// It belongs to one goroutine; only kill may be called from another.
type process struct {
	cmd    *exec.Cmd
	stdin  *os.File
	stdout *os.File
	stderr *os.File
	reader *bufio.Reader
	tail   *tail
	exited chan struct{} // closed when the child has been waited for
}

func start(c Command) (*process, error) {
	cmd := exec.Command(c.Args[0], c.Args[1:]...)
	cmd.Dir, cmd.Env = c.Dir, c.Env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	p := &process{cmd: cmd, exited: make(chan struct{})}
	if err := p.spawn(); err != nil {
		return nil, &Break{Reason: fmt.Sprintf("cannot be started: %v", err)}
	}
	p.reader = bufio.NewReaderSize(p.stdout, 64<<10)
	p.tail = drain(p.stderr)
	go p.reap()
	return p, nil
}

// spawn makes the pipes itself, for os.Pipe has deadlines and exec.Cmd's have
// not, and starts the child on their far ends.
func (p *process) spawn() error {
	var near, far [3]*os.File
	defer func() { closeAll(far[:]) }()
	for i := range near {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(near[:])
			return err
		}
		near[i], far[i] = r, w
	}
	near[0], far[0] = far[0], near[0] // of standard input we hold the end to write to
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = far[0], far[1], far[2]
	if err := p.cmd.Start(); err != nil {
		closeAll(near[:])
		return err
	}
	p.stdin, p.stdout, p.stderr = near[0], near[1], near[2]
	return nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}

// reap waits for the child, then ends what it left behind in its group, which
// would otherwise hold the pipes open.
func (p *process) reap() {
	_ = p.cmd.Wait() // the state says all there is to know
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	close(p.exited)
}

// kill kills the whole group, unless the child is gone: its number may be
// another's by then.
func (p *process) kill() {
	select {
	case <-p.exited:
	default:
		_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
	}
}

// write writes a line.
func (p *process) write(line []byte, deadline time.Time) error {
	_ = p.stdin.SetWriteDeadline(deadline)
	_, err := p.stdin.Write(append(line, '\n'))
	return err
}

// read reads a line, without its newline. The error is io.EOF, perhaps after
// part of a line, os.ErrDeadlineExceeded, or a Break for a line above MaxLine,
// of which no more than that is ever held.
func (p *process) read(deadline time.Time) ([]byte, error) {
	_ = p.stdout.SetReadDeadline(deadline)
	var line []byte
	for {
		part, err := p.reader.ReadSlice('\n')
		if len(line)+len(part) > MaxLine {
			return nil, broken(line, "its response is too large: a line above %d MiB", MaxLine>>20)
		}
		line = append(line, part...)
		switch {
		case err == nil:
			return line[:len(line)-1], nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return line, err
		}
	}
}

// end gives the child until the deadline to exit, kills what is left, and says
// how it ended. It may be called again.
func (p *process) end(deadline time.Time) (how string, err error) {
	select {
	case <-p.exited:
	case <-time.After(time.Until(deadline)):
		err = os.ErrDeadlineExceeded
		p.kill()
		<-p.exited
	}
	p.release()
	return describe(p.cmd.ProcessState), err
}

// release closes the streams once standard error has been read to its end,
// which a child that left the group may keep from coming.
func (p *process) release() {
	_ = p.stderr.SetReadDeadline(time.Now().Add(grace))
	<-p.tail.done
	closeAll([]*os.File{p.stdin, p.stdout, p.stderr})
}

func describe(state *os.ProcessState) string {
	status, ok := state.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return fmt.Sprintf("killed by signal %d (%v)", int(status.Signal()), status.Signal())
	}
	return fmt.Sprintf("exited with status %d", state.ExitCode())
}
