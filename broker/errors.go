package broker

import "errors"

// Errors that hold in all four systems. Test for them with [errors.Is].
var (
	// ErrInvalidArgument says that an argument is null, malformed or out of
	// its range, or names a topic that does not exist. The error is an
	// [*ArgumentError], which says which argument and why; nothing was changed.
	ErrInvalidArgument = errors.New("invalid argument")

	// ErrClosed says that the broker was closed.
	ErrClosed = errors.New("broker is closed")

	// ErrTimedOut says that a call waited as long as it may, or would have had
	// to wait where it must not; nothing was changed.
	ErrTimedOut = errors.New("timed out")

	// ErrInUse says that the path is open elsewhere, in this process or another.
	ErrInUse = errors.New("in use")

	// ErrDamaged says that a file is not one of the broker's, or is damaged. It
	// was left as it is.
	ErrDamaged = errors.New("damaged")

	// ErrStorage says that the system refused to write or sync a file, other
	// than for want of room; the text says what it said.
	ErrStorage = errors.New("storage failed")

	// ErrDiskFull says that there is no room on the disk; nothing was changed.
	ErrDiskFull = errors.New("disk full")
)

// An ArgumentError names the argument that a call refused. Reach it with
// [errors.As]; [errors.Is] finds [ErrInvalidArgument] in it.
type ArgumentError struct {
	// Argument is the parameter's name in snake case, "max_records" say,
	// alike in every language.
	Argument string
	// Reason says what was wrong with its value, as a clause that follows the
	// name: "65 is outside 1 through 64".
	Reason string
}

func (e *ArgumentError) Error() string {
	return "invalid argument: " + e.Argument + ": " + e.Reason
}

// Unwrap makes every ArgumentError an [ErrInvalidArgument].
func (e *ArgumentError) Unwrap() error { return ErrInvalidArgument }
