package corpus

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"gopkg.in/yaml.v3"
)

// ReadFile reads the cases of one file. Its error joins a [*Problem] for each
// fault of the file.
func ReadFile(fsys fs.FS, name string) ([]Case, error) {
	data, err := readFile(fsys, name)
	if err != nil {
		return nil, err
	}
	return parse(name, data)
}

func parse(name string, data []byte) ([]Case, error) {
	r := &reader{file: name}
	document := r.tree(data)
	if document == nil {
		return nil, errors.Join(r.problems...)
	}
	cases := r.document(document)
	if len(r.problems) > 0 {
		return nil, errors.Join(r.problems...)
	}
	return cases, nil
}

func (r *reader) document(n *yaml.Node) []Case {
	fields := r.fields(n, "system", "cases")
	if !r.required(n, fields, "system", "cases") {
		return nil
	}
	system, ok := r.system(fields["system"])
	if !ok {
		return nil
	}
	var cases []Case
	for _, node := range r.items(fields["cases"], "cases") {
		cases = append(cases, r.readCase(node, system))
	}
	return cases
}

func (r *reader) system(n *yaml.Node) (surface.System, bool) {
	name := r.name(n)
	i := slices.IndexFunc(surface.Systems, func(s surface.System) bool { return s.Name == name })
	if i < 0 {
		r.fail(n.Line, "there is no system %s", describe(n))
		return surface.System{}, false
	}
	return surface.Systems[i], true
}

// keysOfCase are the keys of a case, of either kind.
var keysOfCase = []string{"id", "spec", "why", "needs", "new", "new_raises", "steps", "before", "threads", "rounds", "check"}

func (r *reader) readCase(n *yaml.Node, system surface.System) Case {
	r.needed = map[string]int{}
	fields := r.fields(n, keysOfCase...)
	c := Case{System: system.Name, File: r.file, Line: n.Line}
	if !r.required(n, fields, "id", "spec", "why") {
		return c
	}
	r.header(&c, fields)
	r.constructor(&c, n, fields, system)
	switch {
	case c.NewRaises != "":
		r.absent(fields, "a constructor that fails", "steps", "before", "threads", "rounds", "check")
	case fields["threads"] != nil:
		r.absent(fields, "a case with threads", "steps")
		r.concurrent(&c, n, fields, system)
	default:
		r.absent(fields, "a case without threads", "before", "rounds", "check")
		r.sequential(&c, n, fields, system)
	}
	r.checkNeeds(c, fields["needs"])
	return c
}

// sequential reads the steps. One of them has to return: an implementation
// that fails whatever it is asked must not pass.
func (r *reader) sequential(c *Case, n *yaml.Node, fields map[string]*yaml.Node, system surface.System) {
	if !r.required(n, fields, "steps") {
		return
	}
	c.Steps = r.steps(fields["steps"], "steps", system)
	if len(c.Steps) > 0 && !slices.ContainsFunc(c.Steps, returns) {
		r.fail(n.Line, "no step returns: what always fails would pass this case")
	}
}

func returns(s Step) bool { return s.Raises == "" }

// required reports whether all of the keys are there.
func (r *reader) required(n *yaml.Node, fields map[string]*yaml.Node, keys ...string) bool {
	if n.Kind != yaml.MappingNode {
		return false // and fields has said so
	}
	missing := 0
	for _, key := range keys {
		if fields[key] == nil {
			r.fail(n.Line, "%s is missing", key)
			missing++
		}
	}
	return missing == 0
}
