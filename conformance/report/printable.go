package report

import (
	"fmt"
	"strings"
	"unicode"
)

// printable replaces what would move the cursor or be swallowed, so that an
// adapter cannot write on the terminal at will. Tabs stay.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r == '\t' || unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		fmt.Fprintf(&b, `\u{%x}`, r)
	}
	return b.String()
}
