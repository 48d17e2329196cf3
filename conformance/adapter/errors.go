package adapter

import (
	"errors"
	"fmt"
	"time"
)

var (
	errNotUTF8 = errors.New("not UTF-8")
	errNotJSON = errors.New("not a JSON object")
)

// A Crash says that the adapter ended, or closed its output, while it owed an answer.
type Crash struct {
	How string // "killed by signal 11 (segmentation fault)"
}

func (e *Crash) Error() string { return e.How }

// A Timeout says that no answer came in time. The adapter has been killed.
type Timeout struct {
	After time.Duration
}

func (e *Timeout) Error() string { return fmt.Sprintf("no answer within %v", e.After) }

// A Break says that the adapter cannot be spoken to: it could not be started,
// or what it wrote is not the protocol. Nothing it says is worth judging.
type Break struct {
	Reason string
	Line   string // what it wrote, cut to a length that can be shown; may be ""
	Stderr string // the end of its standard error, where the Break is all there is to see
	cause  error
}

func (e *Break) Error() string {
	if e.Line == "" {
		return e.Reason
	}
	return fmt.Sprintf("%s: %q", e.Reason, e.Line)
}

func (e *Break) Unwrap() error { return e.cause }

// broken makes a Break about a line. With %w in the format it wraps an error.
func broken(line []byte, format string, args ...any) *Break {
	err := fmt.Errorf(format, args...)
	return &Break{Reason: err.Error(), Line: excerpt(line), cause: errors.Unwrap(err)}
}

func excerpt(line []byte) string {
	const most = 200
	if len(line) <= most {
		return string(line)
	}
	return string(line[:most]) + "…"
}
