package adapter

import (
	"bufio"
	"bytes"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What was read of a line without an end is all that can be held of it.
func TestRead_LineAboveTheLimitIsReadNoFurther(t *testing.T) {
	r, w, err := os.Pipe()
	require.NoError(t, err)
	written := make(chan int, 1)
	go func() { written <- flood(w) }()

	p := &process{stdout: r, reader: bufio.NewReaderSize(r, 64<<10)}
	_, err = p.read(time.Now().Add(time.Minute))
	require.NoError(t, r.Close())

	var broke *Break
	require.ErrorAs(t, err, &broke)
	assert.LessOrEqual(t, <-written, MaxLine+1<<20) // with what the pipe and the reader hold
}

// flood writes four times the limit and no newline, or as much as is taken.
func flood(w *os.File) (written int) {
	block := bytes.Repeat([]byte("x"), 64<<10)
	for written < 4*MaxLine {
		n, err := w.Write(block)
		written += n
		if err != nil {
			return written
		}
	}
	return written
}
