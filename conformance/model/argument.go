package model

import (
	"fmt"
	"math/big"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// InvalidArgument is the contract's one error: the argument and what was wrong
// with it. The call that returned it changed nothing.
type InvalidArgument struct {
	Argument string
	Reason   string
}

func (e *InvalidArgument) Error() string {
	return "invalid argument: " + e.Argument + ": " + e.Reason
}

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
