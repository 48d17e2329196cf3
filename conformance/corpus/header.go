package corpus

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"gopkg.in/yaml.v3"
)

// What names look like.
var (
	idForm     = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	clauseForm = regexp.MustCompile(`^[A-Z]{2}-[0-9]{2}$`)
)

// header reads what is said about a case, as opposed to what it does.
func (r *reader) header(c *Case, fields map[string]*yaml.Node) {
	c.ID = r.name(fields["id"])
	if c.ID != "" && !idForm.MatchString(c.ID) {
		r.fail(fields["id"].Line, "id %q: lower-case letters, digits and single dashes expected", c.ID)
	}
	c.Why = r.name(fields["why"])
	c.Spec = r.names(fields["spec"], "spec")
	for _, clause := range c.Spec {
		if !clauseForm.MatchString(clause) {
			r.fail(fields["spec"].Line, "spec: %q is not the number of a clause, like EB-07", clause)
		}
	}
	if needs := fields["needs"]; needs != nil {
		c.Needs = r.names(needs, "needs")
	}
}

// name reads a string of one line that is not empty.
func (r *reader) name(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode {
		r.fail(n.Line, "string expected, not %s", describe(n))
		return ""
	}
	s, _ := r.text(n).(string)
	switch {
	case s == "" && n.Style != 0:
		r.fail(n.Line, "an empty string")
	case strings.ContainsFunc(s, unicode.IsControl):
		r.fail(n.Line, "one line without control characters expected, not %s", describe(n))
	}
	return s
}

// names reads a list of strings, none of them twice.
func (r *reader) names(n *yaml.Node, what string) []string {
	var list []string
	for _, item := range r.items(n, what) {
		name := r.name(item)
		if slices.Contains(list, name) {
			r.fail(item.Line, "%s: %s is there twice", what, name)
		}
		list = append(list, name)
	}
	return list
}

// checkNeeds compares what a case says it needs with what it does need: with
// too little a surface would fail what it cannot say, with too much it would
// be spared what it can.
func (r *reader) checkNeeds(c Case, needs *yaml.Node) {
	for _, feature := range c.Needs {
		switch _, used := r.needed[feature]; {
		case !slices.Contains(surface.Features, feature):
			r.fail(needs.Line, "needs: there is no feature %s, but %s", feature, strings.Join(surface.Features, ", "))
		case !used:
			r.fail(needs.Line, "needs: nothing in this case needs %s", feature)
		}
	}
	for _, feature := range surface.Features {
		if line, used := r.needed[feature]; used && !slices.Contains(c.Needs, feature) {
			r.fail(line, "%s: the case has to say needs: [%s]", needful[feature], feature)
		}
	}
}

// needful says what needs a feature.
var needful = map[string]string{
	surface.NullStrings:  "null for a string",
	surface.WideIntegers: "an integer outside signed 64 bits",
	surface.RawBytes:     "a string that is not UTF-8",
	surface.Batch:        "an operation on many records",
	surface.Redeliver:    "the operation redeliver",
	surface.Status:       "the operation status",
}
