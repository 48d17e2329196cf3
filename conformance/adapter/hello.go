package adapter

import (
	"encoding/json"
	"unicode/utf8"

	"github.com/eventbroker/eventbroker/conformance/surface"
)

// Protocol is the version of the protocol that the kit speaks.
const Protocol = 1

const helloLine = `{"hello":{"protocol":1}}`

// A Hello is what an adapter says of itself. Fields that are not known are
// passed over.
type Hello struct {
	Protocol       int               `json:"protocol"`
	Surface        string            `json:"surface"`
	Implementation string            `json:"implementation"`
	Runtime        string            `json:"runtime"`
	Systems        []string          `json:"systems"`
	Features       []string          `json:"features"`
	Errors         map[string]string `json:"errors"` // kind of error => the native type's full name
	Serial         bool              `json:"serial"` // it makes calls one after the other, also those to be recorded
}

func parseHello(line []byte) (Hello, error) {
	var hello Hello
	outer, err := object(line)
	if err != nil {
		return hello, broken(line, "its first line is %w", err)
	}
	raw, ok := outer["hello"]
	if !ok {
		return hello, broken(line, `its first line has no "hello"`)
	}
	if err := json.Unmarshal(raw, &hello); err != nil {
		return hello, broken(line, "its hello cannot be read: %v", err)
	}
	if fault := hello.fault(); fault != "" {
		return hello, broken(line, "its hello %s", fault)
	}
	return hello, nil
}

func (h Hello) fault() string {
	switch {
	case h.Protocol != Protocol:
		return "does not say protocol 1, the only one the kit speaks"
	case h.Surface == "":
		return "does not name its surface"
	case len(h.Systems) == 0:
		return "names no systems"
	case h.Errors[surface.InvalidArgument] == "":
		return "does not say in errors which type stands for " + surface.InvalidArgument
	}
	return ""
}

// object reads a line that must be a JSON object. Keys are compared as they
// are written, which decoding into a struct would not do.
func object(line []byte) (map[string]json.RawMessage, error) {
	if !utf8.Valid(line) {
		return nil, errNotUTF8
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return nil, errNotJSON
	}
	if fields == nil { // null
		return nil, errNotJSON
	}
	return fields, nil
}
