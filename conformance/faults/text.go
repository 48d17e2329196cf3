package faults

import (
	"strings"

	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// ChangeText changes how a string arrives.
func ChangeText(c *Call, name string, change func(string) string) {
	switch s := c.Args[name].(type) {
	case string:
		c.Args[name] = change(s)
	case wire.Bytes:
		c.Args[name] = wire.Bytes(change(string(s)))
	}
}

// InTexts changes how these strings arrive, in any call.
func InTexts(change func(string) string, names ...string) func(*Call) {
	return func(c *Call) {
		for _, name := range names {
			ChangeText(c, name, change)
		}
	}
}

// BeforeNUL is how C reads a string.
func BeforeNUL(s string) string {
	before, _, _ := strings.Cut(s, "\x00")
	return before
}

// Unchecked takes a bad name of one operation for some good one.
func Unchecked[R any, B model.System](op, param, caughtBy string) Fault[R, B] {
	return Fault[R, B]{
		Name: Kebab(op) + "-does-not-check-the-" + param,
		What: "A malformed " + param + " of " + op + " is taken as it is.",
		Case: caughtBy,
		Hears: func(c *Call) {
			if c.Op == op {
				ChangeText(c, param, func(name string) string {
					if model.IsIdentifier(name) {
						return name
					}
					return "unchecked"
				})
			}
		},
	}
}

// NullAccepted takes null for a word.
func NullAccepted[R any, B model.System](op, param, caughtBy string) Fault[R, B] {
	return Fault[R, B]{
		Name: Kebab(op) + "-accepts-a-null-" + param,
		What: "The null " + param + " of " + op + " is taken for the word null.",
		Case: caughtBy,
		Hears: func(c *Call) {
			if value, takes := c.Args[param]; c.Op == op && takes && value == nil {
				c.Args[param] = "null"
			}
		},
	}
}

// Kebab is a name of the wire as the names of faults have it.
func Kebab(name string) string { return strings.ReplaceAll(name, "_", "-") }
