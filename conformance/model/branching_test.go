package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/conformance/model"
)

// A copy goes its own way: each of these calls changes something, so that after
// it the two differ, and the same call makes them the same again.
func TestBranching(t *testing.T) {
	for system, calls := range map[string][][]any{
		"event": {
			{"create", "t", int64(2)}, {"join", "t", "g", "a"}, {"publish", "t", int64(0), "x"}, {"join", "t", "h", "a"},
			{"poll", "t", "g", "a", int64(64)}, {"ack", "t", "g", "a", int64(0), int64(0)},
			{"poll", "t", "h", "a", int64(64)}, {"retry", "t", "h", "a", int64(0), int64(0)},
			{"poll", "t", "h", "a", int64(64)}, {"ack", "t", "h", "a", int64(0), int64(0)},
			{"join", "t", "g", "b"}, {"leave", "t", "g", "b"}, {"create", "u", int64(2)},
		},
		"message": {
			{"create_topic", "t"}, {"poll", "t", "g"}, {"publish", "t", "x"}, {"poll", "t", "g"}, {"nack", "t", "g", int64(0), int64(1)},
			{"poll", "t", "g"}, {"nack", "t", "g", int64(0), int64(2)}, {"publish", "t", "y"}, {"poll", "t", "g"},
			{"ack", "t", "g", int64(1), int64(1)}, {"create_topic", "u"},
		},
	} {
		m, err := model.New(system, []any{int64(2)}, nil)
		require.NoError(t, err)
		branch := m.(model.Branching)
		for _, call := range calls {
			other := branch.Copy()
			assert.True(t, branch.Same(other), "%s before %v", system, call)
			state := branch.String()
			_, err := other.Call(call[0].(string), call[1:])
			require.NoError(t, err)
			assert.False(t, branch.Same(other), "%s after %v", system, call)
			assert.Equal(t, state, branch.String(), "%s: %v reached the one that was copied", system, call)
			_, _ = branch.Call(call[0].(string), call[1:])
			assert.True(t, branch.Same(other), "%s after %v twice", system, call)
		}
	}
}
