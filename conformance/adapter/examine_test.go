package adapter_test

import (
	"testing"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/adapter/adaptertest"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// faults gives what was found wrong: what it is about => the finding.
func faults(t *testing.T, stub string) map[string]adapter.Finding {
	t.Helper()
	found := map[string]adapter.Finding{}
	for _, f := range adapter.Examine(t.Context(), adaptertest.Command(stub), ample) {
		if f.Fault != "" {
			found[f.About] = f
		}
	}
	return found
}

// A check is made where the adapter has a system with something to check.
func TestExamine_NothingToMend(t *testing.T) {
	for stub, checks := range map[string]int{"faithful": 22, "records": 23, "message": 17, "pubsub": 21, "assign": 15} {
		findings := adapter.Examine(t.Context(), adaptertest.Command(stub), ample)
		assert.Len(t, findings, checks, stub)
		for _, f := range findings {
			assert.Empty(t, f.Fault, stub)
		}
	}
}

func TestExamine_OnlySystemsThatNobodyKnows(t *testing.T) {
	assert.Len(t, adapter.Examine(t.Context(), adaptertest.Command("own-other"), ample), 3)
}

func TestExamine_WithoutHelloThereIsNothingElse(t *testing.T) {
	findings := adapter.Examine(t.Context(), adaptertest.Command("exits"), ample)
	require.Len(t, findings, 1)
	assert.Equal(t, "it exited with status 1 before its hello", findings[0].Fault)
	assert.Equal(t, "no library\n", findings[0].Stderr)
}

func TestExamine_Faults(t *testing.T) {
	found := map[string]map[string]adapter.Finding{} // stub => its faults
	for _, tc := range []struct{ stub, about, fault, mend string }{
		{"misspelt", "its systems and features are known", `no system "events", no feature "null_string"`, "the systems [event message pubsub assign]"},
		{"prints", "hello", "its first line is not a JSON object", "send it to standard error"},
		{"stray", "a call is answered", "not a JSON object", "send it to standard error"},
		{"garbage", "a call is answered", "not a JSON object", "send it to standard error"},
		{"wrong-id", "a call is answered", "has id 2 where 1 was asked", "the same id"},
		{"float-id", "ids of 64 bits come back", "has id 9007199254740992 where 9007199254740993", "not as floating point"},
		{"untimed", "threads run at once and say when", `has no "at"`, `say "serial": true`},
		{"overlaps", "threads run at once and say when", "result 2 was called before the one before it returned", "from one clock"},
		{"forgetful", "threads run at once and say when", "results must have length 3, not 2", "make the calls of before"},
		{"remade", "threads run at once and say when", "in a thread: create came to true where false was expected", "make the calls of before"},
		{"backwards", "cases may be sent ahead", "has id 102 where 100 was asked", "in the order of the lines"},
		{"half", "a call is answered", "exited with status 7", "standard error"},
		{"true", "an unknown operation is an error", "no_such_operation came to true where an error of another type", "of the adapter's own"},
		{"errors", "an unknown operation is an error", "no_such_operation came to StubError", "of the adapter's own"},
		{"true", "a refused constructor is told", "the constructor came to null where StubError was expected", `"new"`},
		{"true", "an error is an answer, and the case goes on", "create came to true where StubError", "go on with the next call"},
		{"true", "null strings arrive", "create came to true where StubError", "do not declare null_strings"},
		{"true", "bytes arrive that are not UTF-8", "publish came to true where StubError", "do not declare raw_bytes"},
		{"true", "integers beyond 64 bits arrive", "publish came to true where StubError", "do not declare wide_integers"},
		{"text", "bytes come and go as hex", "assign: encode_assignment came to", "need no feature"},
		{"true", "a subscription says how it stands", "pubsub: subscribe came to true where null", "or do not declare it"},
		{"no-rules", "handlers follow their rules", "pubsub: drain came to 1 where 0", "calls, whatever comes of them"},
		{"no-options", "options arrive", "pubsub: subscribe came to null where StubError", "the map behind the arguments"},
		{"nothing", "null is an answer", "message: poll came to \"\" where null", "where nothing came back"},
		{"latin", "Unicode comes through", "event: poll came to", "whatever the locale says"},
		{"status-3", "the end of its input ends it", "exited with status 3", "leave with status 0"},
		{"last-word", "the end of its input ends it", "after its last answer", "write nothing more"},
	} {
		t.Run(tc.stub+" "+tc.about, func(t *testing.T) {
			if found[tc.stub] == nil {
				found[tc.stub] = faults(t, tc.stub)
			}
			require.Contains(t, found[tc.stub], tc.about)
			assert.Contains(t, found[tc.stub][tc.about].Fault, tc.fault)
			assert.Contains(t, found[tc.stub][tc.about].Mend, tc.mend)
		})
	}
}
