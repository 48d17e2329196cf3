package mutation

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/runner"
)

// A mutant counts as found only where a case found it.
func TestVerdict_BrokenAdapterIsNoCaseThatFailed(t *testing.T) {
	broken := errors.New("no hello within 10s")
	_, err := verdict(Mutant{}, runner.Report{Surface: "go", Broken: broken})
	assert.ErrorIs(t, err, broken)

	failed := []runner.Outcome{{Case: &corpus.Case{ID: "x"}, Verdict: runner.Crash}}
	r, err := verdict(Mutant{}, runner.Report{Surface: "go", Broken: broken, Outcomes: failed})
	assert.NoError(t, err)
	assert.Equal(t, Killed, r.Fate)
}
