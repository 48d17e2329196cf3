package wire

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// maxDepth bounds how deep lists and maps nest. A list of records is 2 deep.
const maxDepth = 64

// Decode reads one value from its JSON form and refuses whatever could be read
// in two ways: fractions and exponents, duplicate keys, invalid UTF-8, halves
// of surrogate pairs, anything behind the value. A map with the one key "hex"
// becomes [Bytes].
func Decode(data []byte) (any, error) {
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, err
	}
	if !utf8.Valid(data) {
		return nil, errors.New("not UTF-8")
	}
	if err := checkSurrogates(data); err != nil {
		return nil, err
	}
	d := decoder{json.NewDecoder(bytes.NewReader(data))}
	d.UseNumber()
	return d.value(0)
}

// A decoder walks the tokens of JSON that is known to be well-formed.
type decoder struct{ *json.Decoder }

func (d decoder) value(depth int) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Number:
		return parseNumber(token.String())
	case json.Delim:
		switch {
		case depth == maxDepth:
			return nil, fmt.Errorf("nested deeper than %d", maxDepth)
		case token == '[':
			return d.list(depth + 1)
		}
		return d.object(depth + 1)
	}
	return token, nil // nil, a bool or a string
}

func parseNumber(s string) (any, error) {
	n, err := parseInteger(s)
	if err != nil {
		return nil, fmt.Errorf("integer expected, not %.40s", s)
	}
	return n, nil
}

func (d decoder) list(depth int) (any, error) {
	list := []any{}
	for d.More() {
		v, err := d.value(depth)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.Token()
	return list, err
}

func (d decoder) object(depth int) (any, error) {
	object := map[string]any{}
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, err
		}
		key := token.(string) // nothing else is well-formed
		if _, ok := object[key]; ok {
			return nil, fmt.Errorf("duplicate key %q", key)
		}
		if object[key], err = d.value(depth); err != nil {
			return nil, err
		}
	}
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	return bytesOrMap(object)
}

// bytesOrMap turns {"hex": "ff00"} into the bytes it stands for.
func bytesOrMap(object map[string]any) (any, error) {
	digits, ok := object["hex"].(string)
	if !ok || len(object) != 1 {
		return object, nil
	}
	b, err := hex.DecodeString(digits)
	if err != nil {
		return nil, fmt.Errorf("hex: %w", err)
	}
	return Bytes(b), nil
}

// checkSurrogates refuses an escaped half of a surrogate pair, which package
// json would quietly replace.
func checkSurrogates(data []byte) error {
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' { // stands only in strings
			continue
		}
		i++
		if data[i] != 'u' {
			continue
		}
		n := surrogates(data[i-1:])
		if n == 0 {
			return fmt.Errorf("byte %d: half of a surrogate pair", i-1)
		}
		i += n - 2
	}
	return nil
}

// surrogates says how many bytes the escape at the beginning of data takes:
// 6, 12 for a pair, 0 for half a pair.
func surrogates(data []byte) int {
	switch first := escaped(data); {
	case first < 0xD800 || first > 0xDFFF:
		return 6
	case first > 0xDBFF || len(data) < 12 || data[6] != '\\' || data[7] != 'u':
		return 0
	}
	if second := escaped(data[6:]); second < 0xDC00 || second > 0xDFFF {
		return 0
	}
	return 12
}

// escaped is the code unit of the escape \uXXXX at the beginning of data.
func escaped(data []byte) uint16 {
	var unit [2]byte
	_, _ = hex.Decode(unit[:], data[2:6]) // well-formed, so four digits
	return uint16(unit[0])<<8 | uint16(unit[1])
}
