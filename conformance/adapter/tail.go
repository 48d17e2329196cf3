package adapter

import (
	"bytes"
	"io"
	"sync"
)

// tailSize bounds what is kept of an adapter's standard error.
const tailSize = 8 << 10

// A tail takes any amount and keeps the end of it, so that an adapter that
// floods its standard error neither blocks nor fills memory.
type tail struct {
	mu   sync.Mutex // guards kept
	kept []byte
	done chan struct{} // closed at the end of the stream
}

// drain reads r to its end in the background.
func drain(r io.Reader) *tail {
	t := &tail{done: make(chan struct{})}
	go func() {
		defer close(t.done)
		_, _ = io.Copy(t, r) // ends with the process, or with the reader's deadline
	}()
	return t
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - tailSize; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	return len(p), nil
}

// clear forgets what was kept.
func (t *tail) clear() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = t.kept[:0]
}

// text is what was kept, from the first whole line.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	kept := t.kept
	if len(kept) == tailSize {
		if i := bytes.IndexByte(kept, '\n'); i >= 0 {
			kept = kept[i+1:]
		}
	}
	return string(bytes.ToValidUTF8(kept, []byte("�")))
}
