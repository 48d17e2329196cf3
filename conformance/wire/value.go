// Package wire is the vocabulary of the adapter protocol: the values that cross
// it and their JSON form.
//
// A value is one of: nil, bool, int64, *big.Int (only outside signed 64 bits),
// string (valid UTF-8), Bytes (not UTF-8, or said as {hex: …}), []any and
// map[string]any of values. Nothing else, above all no float.
package wire

// Bytes is a string that need not be UTF-8. In JSON and YAML it is {"hex": "ff00"}.
type Bytes []byte
