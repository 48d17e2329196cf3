package program

import (
	"fmt"
	"slices"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// answer is a value of the type as every program prints it: nothing but ASCII,
// so that no language's way with text can hide a difference.
func answer(v any, t surface.Type) string {
	if v == nil {
		return "null"
	}
	switch t := t.(type) {
	case surface.Optional:
		return answer(v, t.Of)
	case surface.List:
		var parts []string
		for _, element := range v.([]any) {
			parts = append(parts, answer(element, t.Of))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case surface.Map:
		var parts []string
		for key, element := range v.(map[string]any) {
			parts = append(parts, quote(key)+": "+answer(element, t.Of))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case *surface.Struct:
		var parts []string
		for _, f := range t.Fields {
			parts = append(parts, f.Name+": "+answer(v.(map[string]any)[f.Name], f.Type))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	if s, ok := content(v); ok {
		return quote(s)
	}
	return fmt.Sprint(v)
}

// content gives the bytes of a string, however the case says it.
func content(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case wire.Bytes:
		return string(v), true
	}
	return "", false
}

func quote(s string) string {
	return `"` + escape(s, func(b byte) string { return fmt.Sprintf(`\x%02x`, b) }) + `"`
}

// escape leaves the bytes that a string literal of any language has as they are.
func escape(s string, odd func(byte) string) string {
	var b strings.Builder
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || strings.IndexByte(`"\?`, s[i]) >= 0 {
			b.WriteString(odd(s[i]))
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// period is a short string and how often it makes a long one, or 0 for one that
// is best written out.
func period(s string) (string, int) {
	if len(s) <= 64 {
		return "", 0
	}
	n := strings.Index((s + s)[1:], s) + 1
	if n > 16 {
		return "", 0
	}
	return s[:n], len(s) / n
}
