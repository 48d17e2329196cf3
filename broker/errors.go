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
