package pages_test

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The public names of the headers, as far as lines tell: ours are formatted, a
// member is indented by four, and what is in a namespace detail is nobody's, but
// for what public classes inherit of it.
func TestNames_Cpp(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root(t), "bindings/cpp/include/eventbroker/*.hpp"))
	require.NoError(t, err)
	found := headerReader{bases: map[string]string{}}
	for _, file := range files {
		name, _ := filepath.Rel(root(t), file)
		found.read(read(t, name))
		assert.Empty(t, found.namespaces, name)
		assert.Empty(t, found.class, name)
	}
	names := found.offered()
	for _, name := range []string{"EventBroker::publish", "EventBroker::close", "PubSub::drain", "MessageBroker::Options",
		"closed_error", "Handler", "Policy", "assign::Subscription::decode", "assign::range_assign"} {
		assert.Contains(t, names, name, "the headers were not understood")
	}
	checkNames(t, "bindings/cpp/README.md", names, named(section(t, "bindings/cpp/README.md", "Every call")))
}

// A headerReader keeps the names of what it has read and is not private.
type headerReader struct {
	namespaces []string // in which it stands
	class      string   // in which it stands
	public     bool
	names      []string
	bases      map[string]string // class => the class that it is publicly made of
}

var (
	namespace = regexp.MustCompile(`^namespace ([\w:]+) \{$`)
	class     = regexp.MustCompile(`^(class|struct|enum class) (?:\[\[.*\]\] )?(\w+)(?: : public ([\w:]+).*)? \{`)
	access    = regexp.MustCompile(`^  (public|protected|private):$`)
	member    = regexp.MustCompile(`^    (?:struct (\w+) \{|(?:[^/=( ][^=(]*[ *&])?(\w+)\()`)
	free      = regexp.MustCompile(`^(?:(?:\[\[nodiscard\]\] )?inline [^=(]* (\w+)\(|using (\w+) =)`)
)

func (r *headerReader) read(text string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if m := namespace.FindStringSubmatch(line); m != nil {
			r.namespaces = append(r.namespaces, m[1])
		} else if strings.HasPrefix(line, "} // namespace ") {
			r.namespaces = r.namespaces[:len(r.namespaces)-1]
		} else {
			r.declaration(line)
		}
	}
}

func (r *headerReader) declaration(line string) {
	if m := class.FindStringSubmatch(line); m != nil {
		r.class, r.public = r.within(m[2]), m[1] != "class"
		r.names = append(r.names, r.class)
		if m[3] != "" {
			r.bases[r.class] = r.base(m[3])
		}
	} else if strings.HasPrefix(line, "};") {
		r.class = ""
	} else if m := access.FindStringSubmatch(line); m != nil {
		r.public = m[1] == "public"
	} else if m := member.FindStringSubmatch(line); r.class != "" && r.public && m != nil {
		r.member(m[1] + m[2])
	} else if m := free.FindStringSubmatch(line); r.class == "" && m != nil && !strings.Contains(line, "operator") {
		r.names = append(r.names, r.within(m[1]+m[2]))
	}
}

// member keeps the name, unless it is that of a constructor or of an operator.
func (r *headerReader) member(name string) {
	if own := r.class[strings.LastIndex(r.class, ":")+1:]; name != own && name != "operator" {
		r.names = append(r.names, r.class+"::"+name)
	}
}

// within puts the namespace below eventbroker in front of a name.
func (r *headerReader) within(name string) string {
	_, below, is := strings.Cut(strings.Join(r.namespaces, "::"), "eventbroker::")
	if !is {
		return name
	}
	return below + "::" + name
}

// base is the full name of a base class, which stands in the same namespace
// unless it says which.
func (r *headerReader) base(name string) string {
	if strings.Contains(name, "::") {
		return name
	}
	return r.within(name)
}

// offered are the names that are not detail's, those inherited included.
func (r *headerReader) offered() []string {
	names := r.names
	for class := range r.bases {
		for base := r.bases[class]; base != ""; base = r.bases[base] {
			for _, name := range r.names {
				if inherited, is := strings.CutPrefix(name, base+"::"); is {
					names = append(names, class+"::"+inherited)
				}
			}
		}
	}
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasPrefix(name, "detail::") })
}
