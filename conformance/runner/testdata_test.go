package runner_test

import (
	"os"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/adapter/adaptertest"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func load(t *testing.T, folder string) []corpus.Case {
	t.Helper()
	cases, err := corpus.Load(os.DirFS(folder))
	require.NoError(t, err)
	return cases
}

func TestCasesThatMustPass(t *testing.T) {
	report, exit := run(t, runner.Process("stub", adaptertest.Command("faithful"), ample), load(t, "../testdata/pass"))
	for _, o := range report.Outcomes {
		assert.Equal(t, runner.Pass, o.Verdict, "%s: %+v", o.Case.ID, o.Divergence)
	}
	assert.Equal(t, runner.ExitOK, exit)
}

// A third party need not have every system.
func TestRun_AdapterOfOneSystem(t *testing.T) {
	report, exit := run(t, runner.Process("mine", adaptertest.Command("message"), ample), load(t, "../testdata/pass"))
	for _, o := range report.Outcomes {
		want := runner.NotApplicable
		if o.Case.System == "message" {
			want = runner.Pass
		}
		assert.Equal(t, want, o.Verdict, o.Case.ID)
	}
	assert.Equal(t, runner.ExitOK, exit)
}

// A case that must fail does so at its last step, where the fault is.
func TestCasesThatMustFail(t *testing.T) {
	report, exit := run(t, runner.Process("stub", adaptertest.Command("faithful"), ample), load(t, "../testdata/fail"))
	for _, o := range report.Outcomes {
		if assert.Equal(t, runner.Fail, o.Verdict, o.Case.ID) && len(o.Case.Steps) > 0 && o.Divergence.Step != runner.Constructor {
			assert.Equal(t, len(o.Case.Steps)-1, o.Divergence.Step, o.Case.ID)
		}
	}
	assert.Equal(t, runner.ExitFailed, exit)
}
