package program

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/eventbroker/eventbroker/conformance/surface"
)

//go:embed *.tmpl
var pages embed.FS

// newPage is the template in the file, with what every language has a use for.
func newPage(file string, own template.FuncMap) *template.Template {
	return template.Must(template.New(file).Funcs(template.FuncMap{
		"quote":   ascii,
		"comment": comment,
		"join":    strings.Join,
		"number":  func(i int) int { return i + 1 },
	}).Funcs(own).ParseFS(pages, file))
}

// comment is a text on one line, which ends no comment and goes on no line.
func comment(s string) string {
	return strings.TrimRight(strings.ReplaceAll(strings.Join(strings.Fields(s), " "), "*/", "* /"), `\`)
}

// ascii is a string literal of C, C++, Go and Python: three octal digits end
// where they end, whatever comes behind them.
func ascii(s string) string {
	return `"` + escape(s, func(b byte) string {
		if b == '"' || b == '\\' {
			return `\` + string(rune(b))
		}
		return fmt.Sprintf(`\%03o`, b)
	}) + `"`
}

// camel is the name of Go's for one of the table's.
func camel(name string) string {
	words := strings.Split(name, "_")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
		if w == "id" {
			words[i] = "ID"
		}
	}
	return strings.Join(words, "")
}

// elements are the literals of a list, of the elements' type.
func elements(v any, of surface.Type, literal func(any, surface.Type) string) []string {
	var list []string
	for _, element := range v.([]any) {
		list = append(list, literal(element, of))
	}
	return list
}

// entries are a map's keys and the literals of its values, in the keys' order.
func entries(v any, of surface.Type, literal func(any, surface.Type) string, form string) []string {
	var list []string
	for key, value := range v.(map[string]any) {
		list = append(list, fmt.Sprintf(form, literal(key, surface.String), literal(value, of)))
	}
	slices.Sort(list)
	return list
}

// named are the literals of a tuple's elements, which have names where a language
// has a struct for it.
func named(v any, t *surface.Tuple, literal func(any, surface.Type) string, form func(name, value string) string) []string {
	var list []string
	for i, element := range v.([]any) {
		list = append(list, form(t.Fields[i].Name, literal(element, t.Fields[i].Type)))
	}
	return list
}

// fields are the literals of a struct's fields, in the table's order.
func fields(v any, t *surface.Struct, literal func(any, surface.Type) string, form func(name, value string) string) []string {
	var list []string
	for _, f := range t.Fields {
		list = append(list, form(f.Name, literal(v.(map[string]any)[f.Name], f.Type)))
	}
	return list
}

// unnamed is a value whose place says which it is.
func unnamed(_, value string) string { return value }

// word is the place of a choice among its values, or how many there are for one
// that is none of them: then it is the implementation's to refuse.
func word(v any, c *surface.Choice) int {
	if i := slices.Index(c.Values, v); i >= 0 {
		return i
	}
	return len(c.Values)
}
