package main

import (
	"fmt"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// arguments have been checked against the kit's table, so that a call only has
// to take them by position.
type arguments []any

func (a arguments) text(i int) string { return a[i].(string) }
func (a arguments) int(i int) int     { return a[i].(int) }
func (a arguments) int64(i int) int64 { return a[i].(int64) }

// misuse is a call that cannot be made in Go at all.
type misuse string

func (m misuse) Error() string { return string(m) }

func convert(params []surface.Param, args []any) (arguments, error) {
	if len(args) != len(params) {
		return nil, misuse(fmt.Sprintf("%d arguments where there are %d", len(args), len(params)))
	}
	converted := make(arguments, len(args))
	for i, p := range params {
		if converted[i] = native(p.Type, args[i]); converted[i] == nil {
			return nil, misuse(fmt.Sprintf("%s: Go cannot say %s", p.Name, wire.Format(args[i])))
		}
	}
	return converted, nil
}

// native is a value as the Go type that stands for a type of the table; nil
// when there is none such.
func native(t surface.Type, value any) any {
	switch value := value.(type) {
	case string:
		if t == surface.Identifier || t == surface.Text {
			return value
		}
	case wire.Bytes:
		if t == surface.Identifier || t == surface.Text {
			return string(value)
		}
	case int64:
		if t == surface.Int64 {
			return value
		}
		if n := int(value); t == surface.Int32 && int64(n) == value {
			return n
		}
	}
	return nil
}
