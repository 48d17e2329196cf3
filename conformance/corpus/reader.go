package corpus

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// A Problem is a fault of a corpus, at the place where to mend it.
type Problem struct {
	File string
	Line int // 0 when it is the file as a whole
	Text string
}

func (p *Problem) Error() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
}

// A reader reads one file and collects its problems.
type reader struct {
	file     string
	problems []error
	expanded int // bytes written out for `repeat`

	// features the case being read turned out to need, with the line
	needed map[string]int

	fails bool // the call being read must fail
}

// maxProblems bounds what is said about one file.
const maxProblems = 50

func (r *reader) fail(line int, format string, args ...any) {
	if len(r.problems) == maxProblems {
		format, args = "and so on: there are more problems", nil
	}
	if len(r.problems) > maxProblems {
		return
	}
	r.problems = append(r.problems, &Problem{r.file, line, fmt.Sprintf(format, args...)})
}

// fields gives the values of a mapping by key. A key that is none of the known
// ones is a problem.
func (r *reader) fields(n *yaml.Node, known ...string) map[string]*yaml.Node {
	fields := map[string]*yaml.Node{}
	if n.Kind != yaml.MappingNode {
		r.fail(n.Line, "%s is no map of %s", describe(n), strings.Join(known, ", "))
		return fields
	}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if !slices.Contains(known, key.Value) {
			r.fail(key.Line, "unknown key %.40q: there are %s", key.Value, strings.Join(known, ", "))
		}
		fields[key.Value] = n.Content[i+1]
	}
	return fields
}

// items gives the elements of a list that is not empty.
func (r *reader) items(n *yaml.Node, what string) []*yaml.Node {
	switch {
	case n.Kind != yaml.SequenceNode:
		r.fail(n.Line, "%s: list expected, not %s", what, describe(n))
	case len(n.Content) == 0:
		r.fail(n.Line, "%s: an empty list", what)
	}
	if n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

// describe names what stands in the file, short enough for a message.
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a map"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Style != 0:
		return fmt.Sprintf("the string %.40q", n.Value)
	case n.Value == "":
		return "a blank"
	}
	return fmt.Sprintf("%.40s", n.Value)
}
