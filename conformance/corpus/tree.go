package corpus

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// Bounds of a file: with aliases refused, they bound the work on it too.
const (
	maxFile  = 1 << 20 // bytes
	maxDepth = 32      // lists and maps within each other; a subscription is 12 deep
)

// tree reads the one document of a file and refuses whatever two YAML readers
// may understand in two ways.
func (r *reader) tree(data []byte) *yaml.Node {
	if err := checkBytes(data); err != nil {
		r.fail(0, "%s", err)
		return nil
	}
	documents := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	switch err := documents.Decode(&document); {
	case errors.Is(err, io.EOF):
		r.fail(1, "the file is empty")
		return nil
	case err != nil:
		r.failYAML(err)
		return nil
	}
	switch err := documents.Decode(&second); {
	case err == nil:
		r.fail(second.Line, "a second document: a file is one document")
	case !errors.Is(err, io.EOF):
		r.failYAML(err)
	}
	r.checkNode(document.Content[0], 1, runeLines(data))
	if len(r.problems) > 0 {
		return nil
	}
	return document.Content[0]
}

func checkBytes(data []byte) error {
	switch {
	case !utf8.Valid(data):
		return errors.New("the file is not UTF-8")
	case bytes.ContainsAny(data, "\u0085\u2028\u2029"):
		return errors.New("a line separator of Unicode: write it as an escape, \\u2028")
	}
	return nil
}

var (
	yamlLine = regexp.MustCompile(`^yaml: line (\d+): `)

	// yaml.v3 counts lines from 0 in the messages of its parser, from 1 in
	// those of its scanner.
	yamlParser = regexp.MustCompile(`^did not find expected (node|'-'|key|<|',' or)`)
)

// failYAML moves the line that yaml.v3 puts into its message to where ours is.
func (r *reader) failYAML(err error) {
	text, line := err.Error(), 0
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
	}
	if yamlParser.MatchString(text) {
		line++
	}
	r.fail(line, "not YAML: %s", strings.TrimPrefix(text, "yaml: "))
}

// checkNode refuses anchors, tags, deep nesting and keys that are twice there.
// It never follows an alias, and has nothing to say of one, since its anchor
// is refused.
func (r *reader) checkNode(n *yaml.Node, depth int, lines [][]rune) {
	switch {
	case n.Anchor != "":
		r.fail(n.Line, "anchor &%.40s: write the value out where *%.40s stands", n.Anchor, n.Anchor)
	case n.Style&yaml.TaggedStyle != 0:
		r.fail(n.Line, "tag %.40s: values have no tags", n.Tag)
	case n.Kind == yaml.ScalarNode && n.Style == 0 && begins(lines, n) == '!':
		r.fail(n.Line, "tag !: values have no tags")
	case depth > maxDepth:
		r.fail(n.Line, "nested deeper than %d", maxDepth)
		return
	}
	if n.Kind == yaml.MappingNode {
		r.checkKeys(n)
	}
	for _, child := range n.Content {
		r.checkNode(child, depth+1, lines)
	}
}

// begins is the character at which a node begins. A plain scalar with the tag
// "!" is a string, and shows in nothing else of yaml.v3's.
func begins(lines [][]rune, n *yaml.Node) rune {
	if n.Line > len(lines) || n.Column > len(lines[n.Line-1]) {
		return 0
	}
	return lines[n.Line-1][n.Column-1]
}

// runeLines are the lines in characters, by which yaml.v3 counts columns.
func runeLines(data []byte) [][]rune {
	var lines [][]rune
	for line := range bytes.Lines(data) {
		lines = append(lines, []rune(string(line)))
	}
	return lines
}

func (r *reader) checkKeys(mapping *yaml.Node) {
	seen := map[string]bool{}
	for i := 0; i < len(mapping.Content); i += 2 {
		key := mapping.Content[i]
		switch {
		case key.Kind == yaml.ScalarNode && key.Value == "<<":
			r.fail(key.Line, "merge key <<: write the values out")
		case key.Kind == yaml.ScalarNode && seen[key.Value]:
			r.fail(key.Line, "duplicate key %.40q", key.Value)
		case key.Kind != yaml.ScalarNode && key.Kind != yaml.AliasNode:
			r.fail(key.Line, "a key has to be a string")
		}
		seen[key.Value] = true
	}
}
