// Package model is the reference: what each system must answer, written from
// the contract alone. It is sequential, slow and plain on purpose, so that it
// can be checked against the contract by reading. It imports no broker and no
// broker imports it.
//
// Arguments and results are the values of package wire.
package model

import "fmt"

// A System is one broker of the model.
type System interface {
	// Call performs one operation. Its error is an [*InvalidArgument] or a
	// [*TimedOut] where the contract demands one; any other error says that the
	// call itself is no call of the system: an unknown operation, a missing
	// argument.
	Call(op string, args []any) (any, error)

	// String shows the whole state, a line a fact, for reports of failures.
	fmt.Stringer
}

// New makes a broker of the named system.
func New(system string, args []any, options map[string]any) (System, error) {
	switch system {
	case "event":
		return made(NewEvent(args, options))
	case "message":
		return made(NewMessage(args, options))
	case "pubsub":
		return made(NewPubSub(args, options))
	case "assign":
		return made(NewAssign(args, options))
	}
	return nil, fmt.Errorf("there is no model of the system %q", system)
}

// made keeps the nil of a constructor that failed from becoming a System.
func made[S System](system S, err error) (System, error) {
	if err != nil {
		return nil, err
	}
	return system, nil
}
