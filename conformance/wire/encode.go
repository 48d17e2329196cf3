package wire

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"
)

// Encode writes a value in its JSON form: keys sorted, nothing escaped that
// need not be, no newline. [Decode] gives the same value back. A Go value that
// is none of the vocabulary is an error.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	if err := encode(&b, v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func encode(b *bytes.Buffer, v any) error {
	switch v := v.(type) {
	case nil:
		b.WriteString("null")
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case int64:
		b.WriteString(strconv.FormatInt(v, 10))
	case *big.Int:
		b.WriteString(v.String())
	case string:
		return encodeString(b, v)
	case Bytes:
		b.WriteString(`{"hex":"` + hex.EncodeToString(v) + `"}`)
	case []any:
		return encodeList(b, v)
	case map[string]any:
		return encodeMap(b, v)
	default:
		return fmt.Errorf("%T is no value of the wire", v)
	}
	return nil
}

func encodeString(b *bytes.Buffer, s string) error {
	if !utf8.ValidString(s) {
		return fmt.Errorf("string %.40q is not UTF-8: it has to be Bytes", s)
	}
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return err
	}
	b.Truncate(b.Len() - 1) // the newline
	return nil
}

func encodeList(b *bytes.Buffer, list []any) error {
	b.WriteByte('[')
	for i, v := range list {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := encode(b, v); err != nil {
			return err
		}
	}
	b.WriteByte(']')
	return nil
}

func encodeMap(b *bytes.Buffer, object map[string]any) error {
	if _, ok := object["hex"].(string); ok && len(object) == 1 {
		return fmt.Errorf("a map with the one key hex would be read back as Bytes")
	}
	b.WriteByte('{')
	for i, key := range slices.Sorted(maps.Keys(object)) {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := encodeString(b, key); err != nil {
			return err
		}
		b.WriteByte(':')
		if err := encode(b, object[key]); err != nil {
			return err
		}
	}
	b.WriteByte('}')
	return nil
}
