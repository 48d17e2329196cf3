package model

import (
	"fmt"
	"math/big"
	"strconv"
	"unicode/utf8"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// InvalidArgument is the contract's error for bad arguments: the argument and what was wrong
// with it. The call that returned it changed nothing.
type InvalidArgument struct {
	Argument string
	Reason   string
}

func (e *InvalidArgument) Error() string {
	return "invalid argument: " + e.Argument + ": " + e.Reason
}

// TimedOut is the error of a call that would have to wait for what never comes
// (PS-13). It changed nothing.
type TimedOut struct{ Reason string }

func (e *TimedOut) Error() string { return "timed out: " + e.Reason }

// A Range is the integers from Min through Max.
type Range struct{ Min, Max int64 }

func (r Range) contains(n int64) bool { return r.Min <= n && n <= r.Max }

// integer reads an integer and judges it. One outside signed 64 bits is
// outside every range.
func integer(name string, value any, in Range) (int64, error) {
	switch n := value.(type) {
	case int64:
		if in.contains(n) {
			return n, nil
		}
	case *big.Int:
	default:
		return 0, fmt.Errorf("%s: %T is not an integer", name, value)
	}
	return 0, &InvalidArgument{name, fmt.Sprintf("%v is outside %d through %d", value, in.Min, in.Max)}
}

// text reads a string, which need not be UTF-8. Null is an invalid argument.
func text(name string, value any) (string, error) {
	switch s := value.(type) {
	case string:
		return s, nil
	case wire.Bytes:
		return string(s), nil
	case nil:
		return "", &InvalidArgument{name, "is null"}
	}
	return "", fmt.Errorf("%s: %T is not a string", name, value)
}

// identifier reads a name.
func identifier(name string, value any, is func(string) bool) (string, error) {
	s, err := text(name, value)
	if err == nil && !is(s) {
		err = &InvalidArgument{name, strconv.Quote(s) + " is not 1 to 64 of A-Z a-z 0-9 _ -"}
	}
	return s, err
}

// payload reads a payload; the limit is in bytes.
func payload(name string, value any, limit int64, is func(string, int64) bool) (string, error) {
	s, err := text(name, value)
	if err == nil && !is(s, limit) {
		err = &InvalidArgument{name, fmt.Sprintf("%d bytes are not UTF-8 of at most %d bytes", len(s), limit)}
	}
	return s, err
}

// defaultMaxPayload is the limit in bytes without the option max_payload.
const defaultMaxPayload = 1024

// maxPayload reads the one option that constructors have.
func maxPayload(options map[string]any, in Range) (int64, error) {
	for name := range options {
		if name != "max_payload" {
			return 0, fmt.Errorf("new: there is no option %q", name)
		}
	}
	if value, given := options["max_payload"]; given {
		return integer("max_payload", value, in)
	}
	return defaultMaxPayload, nil
}

// textValue is a string as the wire has it.
func textValue(s string) any {
	if utf8.ValidString(s) {
		return s
	}
	return wire.Bytes(s)
}

// arguments are those of an operation by name, and its parameters in order.
func arguments(system surface.System, op string, args []any) (map[string]any, []surface.Param, error) {
	operation, known := system.Find(op)
	if !known {
		return nil, nil, fmt.Errorf("there is no operation %q", op)
	}
	values, err := named(operation.Params, args)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", op, err)
	}
	return values, operation.Params, nil
}

// named pairs arguments with the parameters they stand for.
func named(params []surface.Param, args []any) (map[string]any, error) {
	if len(args) != len(params) {
		return nil, fmt.Errorf("%d arguments where %d are due", len(args), len(params))
	}
	values := map[string]any{}
	for i, param := range params {
		values[param.Name] = args[i]
	}
	return values, nil
}
