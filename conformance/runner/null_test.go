package runner_test

import (
	"testing"
	"time"

	"github.com/eventbroker/eventbroker/cases"
	"github.com/eventbroker/eventbroker/conformance/adapter/adaptertest"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Adapters that drive nothing at all. Whatever they answer, they may pass next
// to no case of the corpus: a case that one of them passes proves little.
func TestNullAdapters(t *testing.T) {
	all, err := corpus.Load(cases.FS)
	require.NoError(t, err)

	for _, tc := range []struct {
		stub    string
		timeout time.Duration
		judged  bool // it answers, so that its score says something of the cases
	}{
		{"silent", 300 * time.Millisecond, false},
		{"mute", time.Second, false},
		{"sleeps", time.Second, false},
		{"exits", ample, false},
		{"garbage", ample, false},
		{"prints", ample, false},
		{"true", ample, true},
		{"ten", ample, true},
		{"error", ample, true},
		{"errors", ample, true},
		{"excuse", ample, true},
	} {
		t.Run(tc.stub, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			report, exit := run(t, runner.Process(tc.stub, adaptertest.Command(tc.stub), tc.timeout), all)
			passes := report.Count(func(o runner.Outcome) bool { return o.Verdict == runner.Pass })
			judged := report.Count(func(o runner.Outcome) bool { return o.Verdict.Judged() })

			assert.LessOrEqual(t, 100*passes, 5*len(all), "%d of %d pass", passes, len(all))
			assert.NotEqual(t, runner.ExitOK, exit)
			if tc.judged {
				assert.Greater(t, 100*judged, 90*len(all))
			}
			t.Logf("%d of %d pass, exit %d, %v", passes, judged, exit, time.Since(began))
		})
	}
}
