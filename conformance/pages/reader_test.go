package pages_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/eventbroker/eventbroker/cases"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Cases and parts of cases are such as the kit takes.
func TestReaders_Cases(t *testing.T) {
	t.Parallel()
	for _, p := range programs(t, "yaml") {
		_, err := corpus.ReadFile(fstest.MapFS{"page.yaml": {Data: []byte(p.text)}}, "page.yaml")
		assert.NoError(t, err, p.where)
	}
}

// readBy calls read with each block that the list gives to the reader.
func readBy(t *testing.T, reader string, read func(t *testing.T, text string)) {
	calls := 0
	for page, entries := range list(t) {
		for i, b := range blocks(t, page) {
			if i < len(entries) && entries[i].Reads == reader {
				read(t, b.text)
				calls++
			}
		}
	}
	assert.NotZero(t, calls)
}

func TestReaders_KnownFailures(t *testing.T) {
	all, err := corpus.Load(cases.FS)
	require.NoError(t, err)
	readBy(t, "known", func(t *testing.T, text string) {
		known, err := runner.ParseKnown(text)
		assert.NoError(t, err)
		require.Len(t, known, 1)
		_, err = corpus.Select(all, []string{known[0].Case})
		assert.NoError(t, err)
	})
}

// What the page has go to and fro is what an adapter of the project's own is
// sent and answers, but for what it says of itself, native errors and times.
func TestReaders_Protocol(t *testing.T) {
	t.Parallel()
	adapter := filepath.Join(t.TempDir(), "adapter")
	require.NoError(t, command(t, "go", "build", "-o", adapter, "./conformance/adapters/go").quietly())
	readBy(t, "protocol", func(t *testing.T, text string) {
		asked, told := spoken(t, text)
		c := command(t, adapter)
		c.Stdin = strings.NewReader(strings.Join(asked, "\n") + "\n")
		answers := strings.Split(strings.TrimSpace(c.prints(t)), "\n")
		require.Len(t, answers, len(told))
		for i := range answers {
			assert.Equal(t, shape(t, told[i]), shape(t, answers[i]), asked[i])
		}
	})
}

// spoken gives the lines of both sides, of which each may go on in the next.
func spoken(t *testing.T, text string) (asked, told []string) {
	text = strings.ReplaceAll(text, "\n  ", " ")
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if line, is := strings.CutPrefix(line, "→ "); is {
			asked = append(asked, line)
			continue
		}
		line, is := strings.CutPrefix(line, "← ")
		require.True(t, is, line)
		told = append(told, line)
	}
	require.Len(t, told, len(asked))
	return asked, told
}

// shape is a line without what one implementation says, and without what chance does.
func shape(t *testing.T, line string) any {
	var value map[string]any
	require.NoError(t, json.Unmarshal([]byte(line), &value), line)
	if _, is := value["hello"]; is {
		return "hello"
	}
	delete(value, "overlap")
	return without(value)
}

func without(value any) any {
	switch value := value.(type) {
	case map[string]any:
		if _, is := value["error"]; is {
			return "error"
		}
		if _, is := value["at"]; is {
			return "ok, at"
		}
		for k, v := range value {
			value[k] = without(v)
		}
	case []any:
		for i, v := range value {
			value[i] = without(v)
		}
	}
	return value
}
