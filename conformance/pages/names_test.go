package pages_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var quoted = regexp.MustCompile("`([\\w.:]+)`")

// named are the names in the first column of a text's tables.
func named(text string) []string {
	var names []string
	for line := range strings.Lines(text) {
		if cell, is := strings.CutPrefix(line, "| "); is {
			cell, _, _ = strings.Cut(cell, " | ")
			for _, name := range quoted.FindAllStringSubmatch(cell, -1) {
				names = append(names, name[1])
			}
		}
	}
	return names
}

// section is what stands under a heading of a page, up to the next one.
func section(t *testing.T, page, heading string) string {
	_, text, found := strings.Cut(read(t, page), "\n## "+heading+"\n")
	require.True(t, found, "%s has no heading %s", page, heading)
	text, _, _ = strings.Cut(text, "\n## ")
	return text
}

// checkNames holds a page's tables to what there is.
func checkNames(t *testing.T, page string, exported, named []string) {
	require.NotEmpty(t, exported)
	for _, name := range exported {
		if !slices.Contains(named, name) {
			t.Errorf("%s has no row of %s", page, name)
		}
	}
	for _, name := range named {
		if !slices.Contains(exported, name) {
			t.Errorf("%s has a row of %s, which does not exist", page, name)
		}
	}
}

// packages are those for programs, by the headings of their page.
var packages = []string{"broker", "broker/event", "broker/message", "broker/pubsub", "broker/pubsub/disk", "broker/assign"}

func TestNames_Go(t *testing.T) {
	for _, name := range packages {
		checkNames(t, "broker/README.md under "+name, exportedGo(t, name), named(section(t, "broker/README.md", name)))
	}
}

// exportedGo are the exported names of a package, a method with its type in front.
func exportedGo(t *testing.T, folder string) []string {
	files, err := filepath.Glob(filepath.Join(root(t), folder, "*.go"))
	require.NoError(t, err)
	var names []string
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		for _, declared := range parsed.Decls {
			names = append(names, declaredBy(declared)...)
		}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return slices.ContainsFunc(strings.Split(name, "."), func(part string) bool { return !ast.IsExported(part) })
	})
}

func declaredBy(declared ast.Decl) []string {
	var names []string
	switch d := declared.(type) {
	case *ast.FuncDecl:
		return []string{receiver(d) + d.Name.Name}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, s.Name.Name)
			case *ast.ValueSpec:
				for _, name := range s.Names {
					names = append(names, name.Name)
				}
			}
		}
	}
	return names
}

// receiver is the type of a method and a point, nothing for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	of := d.Recv.List[0].Type
	if pointer, is := of.(*ast.StarExpr); is {
		of = pointer.X
	}
	return of.(*ast.Ident).Name + "."
}

func TestNames_C(t *testing.T) {
	var exported []string
	for _, line := range strings.Fields(read(t, "cabi/symbols.txt")) {
		if name, _, is := strings.Cut(line, "@@"); is {
			exported = append(exported, name)
		}
	}
	functions := slices.DeleteFunc(named(read(t, "cabi/README.md")), func(name string) bool { return !strings.HasPrefix(name, "eb_") })
	checkNames(t, "cabi/README.md", exported, functions)
}
