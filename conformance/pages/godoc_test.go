package pages_test

import (
	"go/ast"
	"go/doc"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is written as a link in the documentation of a package is one: a name in
// brackets that leads nowhere would be shown with them.
func TestGoDoc_Links(t *testing.T) {
	links := 0
	for _, folder := range packages {
		shown := documented(t, folder)
		assert.True(t, strings.HasPrefix(shown.Doc, "Package "+shown.Name+" "), "%s says what it is", folder)
		for _, text := range texts(shown) {
			for _, part := range parts(shown.Parser().Parse(text).Content) {
				switch part := part.(type) {
				case *comment.DocLink:
					links++
				case comment.Plain:
					assert.NotRegexp(t, bracketed, string(part), folder)
				}
			}
		}
	}
	assert.NotZero(t, links)
}

var bracketed = regexp.MustCompile(`\[\*?[A-Za-z]+(\.[A-Za-z]+)*\]`)

// documented is a package as go doc has it.
func documented(t *testing.T, folder string) *doc.Package {
	names, err := filepath.Glob(filepath.Join(root(t), folder, "*.go"))
	require.NoError(t, err)
	set := token.NewFileSet()
	var files []*ast.File
	for _, name := range names {
		if !strings.HasSuffix(name, "_test.go") {
			file, err := parser.ParseFile(set, name, nil, parser.ParseComments)
			require.NoError(t, err)
			files = append(files, file)
		}
	}
	shown, err := doc.NewFromFiles(set, files, "github.com/eventbroker/eventbroker/"+folder)
	require.NoError(t, err)
	return shown
}

// texts are all that a package shows.
func texts(shown *doc.Package) []string {
	all := []string{shown.Doc}
	values := func(list []*doc.Value) {
		for _, value := range list {
			all = append(all, value.Doc)
		}
	}
	functions := func(list []*doc.Func) {
		for _, function := range list {
			all = append(all, function.Doc)
		}
	}
	values(shown.Consts)
	values(shown.Vars)
	functions(shown.Funcs)
	for _, shown := range shown.Types {
		all = append(all, shown.Doc)
		values(shown.Consts)
		functions(shown.Funcs)
		functions(shown.Methods)
	}
	return all
}

// parts are the words and links of paragraphs, headings and lists.
func parts(blocks []comment.Block) []comment.Text {
	var all []comment.Text
	for _, block := range blocks {
		switch block := block.(type) {
		case *comment.Paragraph:
			all = append(all, block.Text...)
		case *comment.Heading:
			all = append(all, block.Text...)
		case *comment.List:
			for _, item := range block.Items {
				all = append(all, parts(item.Content)...)
			}
		}
	}
	return all
}
