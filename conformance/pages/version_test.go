package pages_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The version stands in cabi/eventbroker.h, from which CMake reads it. These
// have it again.
func TestVersion(t *testing.T) {
	version := regexp.MustCompile(`(?m)^#define EB_VERSION "([^"]+)"$`).FindStringSubmatch(read(t, "cabi/eventbroker.h"))
	require.Len(t, version, 2)
	for name, line := range map[string]string{
		"bindings/python/src/eventbroker/__init__.py": `__version__ = "` + version[1] + `"`,
		"conformance/cmd/conform/main.go":             `const version = "` + version[1] + `"`,
		"CHANGELOG.md":                                "## [" + version[1] + "]",
	} {
		assert.True(t, regexp.MustCompile("(?m)^"+regexp.QuoteMeta(line)).MatchString(read(t, name)), "%s lacks %s", name, line)
	}
}
