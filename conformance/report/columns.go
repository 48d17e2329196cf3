package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/wire"
)

// A row shows an element of two lists, or what two maps have under one key.
type row struct {
	want, got string
	differ    bool
}

// rowsOf gives nil where the values are not both lists or both maps.
func rowsOf(want, got any) []row {
	switch want := want.(type) {
	case []any:
		if got, ok := got.([]any); ok {
			return rowsOfLists(want, got)
		}
	case map[string]any:
		if got, ok := got.(map[string]any); ok {
			return rowsOfMaps(want, got)
		}
	}
	return nil
}

const missing = "(nothing)"

func rowsOfLists(want, got []any) []row {
	rows := make([]row, max(len(want), len(got)))
	for i := range rows {
		rows[i] = row{missing, missing, i >= len(want) || i >= len(got) || !wire.Equal(want[i], got[i])}
		if i < len(want) {
			rows[i].want = wire.Format(want[i])
		}
		if i < len(got) {
			rows[i].got = wire.Format(got[i])
		}
	}
	return rows
}

func rowsOfMaps(want, got map[string]any) []row {
	all := maps.Clone(want)
	maps.Copy(all, got)
	var rows []row
	for _, key := range slices.SortedFunc(maps.Keys(all), wire.CompareKeys) {
		left, ok1 := want[key]
		right, ok2 := got[key]
		r := row{missing, missing, ok1 != ok2 || !wire.Equal(left, right)}
		if ok1 {
			r.want = entry(key, left)
		}
		if ok2 {
			r.got = entry(key, right)
		}
		rows = append(rows, r)
	}
	return rows
}

func entry(key string, value any) string { return wire.Format(key) + ": " + wire.Format(value) }

func writeColumns(b *strings.Builder, rows []row) {
	width := len("expected")
	for _, r := range rows {
		width = max(width, len([]rune(r.want)))
	}
	fmt.Fprintf(b, "         %-*s   %s\n", width, "expected", "actual")
	for i, r := range rows {
		fmt.Fprintf(b, "  %s  %-*s   %s\n", marker(r.differ, i), width, r.want, r.got)
	}
}
