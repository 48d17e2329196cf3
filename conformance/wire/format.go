package wire

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// longest is the number of bytes up to which Format shows a string whole.
const longest = 64

// keyOrder is the order in which the cases write the keys of a record, a
// delivery, a subscription, a rule and so on. Other keys follow, sorted.
var keyOrder = []string{
	"match", "times", "do", "ret", "group", "policy", "filter", "pass", "throw",
	"dispatcher", "workers", "max_attempts", "max_payload", "subscribed",
	"id", "version", "topic", "partition", "offset", "payload", "attempt", "attempts", "lost", "disconnected",
	"topics", "partitions", "user_data", "owned_partitions", "generation_id", "rack_id", "instance_id",
}

// Format writes a value on one line for people, as the cases do:
// [{topic: orders, partition: 0, offset: 0, payload: a}]. A long string shows
// as {repeat: x, times: 1024} or is cut, with its length behind it.
func Format(v any) string { return formatter{formatString, formatBytes}.format(v) }

// Literal writes a value as Format does, but nothing is cut: a case that has it
// has just this value.
func Literal(v any) string { return formatter{literalString, literalBytes}.format(v) }

// A formatter has the two ways in which a value may be too long to show.
type formatter struct {
	string func(string) string
	bytes  func(Bytes) string
}

func (f formatter) format(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return f.string(v)
	case Bytes:
		return f.bytes(v)
	case []any:
		return f.list(v)
	case map[string]any:
		return f.object(v)
	}
	return fmt.Sprint(v) // a bool or an integer
}

func (f formatter) list(list []any) string {
	parts := make([]string, len(list))
	for i, v := range list {
		parts[i] = f.format(v)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

// object has its keys as they stand: no key can be spelled out.
func (f formatter) object(object map[string]any) string {
	keys := slices.SortedFunc(maps.Keys(object), CompareKeys)
	for i, key := range keys {
		keys[i] = quote(key) + ": " + f.format(object[key])
	}
	return "{" + strings.Join(keys, ", ") + "}"
}

// CompareKeys orders the keys of a map as [Format] writes them.
func CompareKeys(a, b string) int {
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

func rank(key string) int {
	if i := slices.Index(keyOrder, key); i >= 0 {
		return i
	}
	return len(keyOrder)
}

func formatBytes(b Bytes) string {
	if len(b) > longest/2 {
		return fmt.Sprintf("{hex: %s…} (%d bytes)", hex.EncodeToString(b[:longest/2]), len(b))
	}
	return literalBytes(b)
}

func literalBytes(b Bytes) string { return "{hex: " + quote(hex.EncodeToString(b)) + "}" }

func literalString(s string) string {
	if len(s) > longest {
		if unit := period(s); len(unit) <= longest {
			return fmt.Sprintf("{repeat: %s, times: %d}", quote(unit), len(s)/len(unit))
		}
	}
	return quote(s)
}

func formatString(s string) string {
	if len(s) <= longest || len(period(s)) <= longest {
		return literalString(s)
	}
	end := longest
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return fmt.Sprintf("%s… (%d bytes)", quote(s[:end]), len(s))
}

// period is the shortest string of whole characters that, repeated, makes s.
func period(s string) string {
	n := strings.Index((s + s)[1:], s) + 1
	return s[:n]
}

// bare is what needs no quotes in a flow sequence, if no reader takes it for
// anything but a string.
var bare = regexp.MustCompile(`^[\pL\pN_][\pL\pN_.-]*$`)

// quote leaves a string as it is where the cases would, or else writes it in
// double quotes with YAML's escapes.
func quote(s string) string {
	if v, err := ParsePlain(s); err == nil && v == any(s) && bare.MatchString(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		writeRune(&b, r)
	}
	b.WriteByte('"')
	return b.String()
}

// writeRune escapes what cannot be seen, and combining marks, which look like a
// part of another character. It differs from package strconv in \xff, which in
// YAML is a character, and not a byte.
func writeRune(b *strings.Builder, r rune) {
	switch {
	case r == '"' || r == '\\':
		b.WriteByte('\\')
		b.WriteRune(r)
	case strconv.IsPrint(r) && !unicode.IsMark(r):
		b.WriteRune(r)
	case r == '\n':
		b.WriteString(`\n`)
	case r > 0xFFFF:
		fmt.Fprintf(b, `\U%08X`, r)
	default:
		fmt.Fprintf(b, `\u%04x`, r)
	}
}
