package corpus_test

import (
	"testing"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/stretchr/testify/assert"
)

func TestSelect(t *testing.T) {
	cases := []corpus.Case{
		{System: "event", ID: "retry-once"},
		{System: "event", ID: "ack"},
		{System: "message", ID: "retry-twice"},
	}
	for _, row := range []struct {
		why      string
		patterns []string
		expected []string
	}{
		{"no pattern is all", nil, []string{"retry-once", "ack", "retry-twice"}},
		{"an id", []string{"ack"}, []string{"ack"}},
		{"ids in every system", []string{"retry-*"}, []string{"retry-once", "retry-twice"}},
		{"a system", []string{"event/*"}, []string{"retry-once", "ack"}},
		{"both", []string{"message/retry-*"}, []string{"retry-twice"}},
		{"the order is that of the cases, each once", []string{"*", "retry-twice", "ack"}, []string{"retry-once", "ack", "retry-twice"}},
	} {
		selected, err := corpus.Select(cases, row.patterns)
		assert.NoError(t, err, row.why)
		assert.Equal(t, row.expected, idsOf(selected), row.why)
	}
}

func TestSelect_PatternThatMatchesNothing(t *testing.T) {
	cases := []corpus.Case{{System: "event", ID: "ack"}}
	for _, pattern := range []string{"", "ac", "Ack", "event", "event/", "message/*", "event/ack/x", "[", "*["} {
		selected, err := corpus.Select(cases, []string{"ack", pattern})
		assert.ErrorContains(t, err, `pattern "`+pattern+`"`)
		assert.Empty(t, selected)
	}
}
