package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ask gives the adapter's answers to lines.
func ask(t *testing.T, lines ...string) []map[string]any {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, serve(strings.NewReader(strings.Join(lines, "\n")+"\n"), &out))
	var answers []map[string]any
	for line := range strings.Lines(out.String()) {
		v, err := wire.Decode([]byte(line))
		require.NoError(t, err)
		answers = append(answers, v.(map[string]any))
	}
	return answers
}

func TestServe_HelloSaysWhatTheKitHasWrittenDown(t *testing.T) {
	own, ok := surface.Find("go")
	require.True(t, ok)
	hello := ask(t, `{"hello":{"protocol":1}}`)[0]["hello"].(map[string]any)

	assert.Equal(t, own.Name, hello["surface"])
	assert.ElementsMatch(t, own.Systems, hello["systems"])
	assert.ElementsMatch(t, own.Features, hello["features"])
	for kind, native := range own.Errors {
		assert.Equal(t, native, hello["errors"].(map[string]any)[kind])
	}
}

func TestServe_Cases(t *testing.T) {
	answers := ask(t,
		`{"id":9007199254740993,"system":"event","new":[2],"threads":[[["create","t",1],["publish","t",0,"é"],["join","t","g","m"],["poll","t","g","m",1]]]}`,
		`{"id":2,"system":"event","new":[0],"threads":[]}`,
		`{"id":3,"system":"event","new":[2,{"max_payload":1}],"threads":[[["create","t",1],["publish","t",0,"ab"]]]}`)

	assert.Equal(t, map[string]any{"id": int64(9007199254740993), "results": []any{[]any{
		map[string]any{"ok": true}, map[string]any{"ok": int64(0)}, map[string]any{"ok": []any{int64(0)}},
		map[string]any{"ok": []any{map[string]any{"topic": "t", "partition": int64(0), "offset": int64(0), "payload": "é"}}},
	}}}, answers[0])
	assert.Equal(t, "broker.ErrInvalidArgument", answers[1]["new"].(map[string]any)["error"])
	assert.Equal(t, []any{}, answers[1]["results"])
	assert.Contains(t, answers[2]["results"].([]any)[0].([]any)[1].(map[string]any)["message"], "payload")
}

// What Go cannot say is never taken for the broker's own refusal.
func TestServe_Misuse(t *testing.T) {
	answers := ask(t, `{"id":1,"system":"event","new":[2],"threads":[[["no_such"],["create","t"],["create",null,1],`+
		`["create","t",18446744073709551616],["create",{"hex":"ff"},1]]]}`,
		`{"id":2,"system":"event","new":[2,{"max_bytes":4}],"threads":[]}`,
		`{"id":3,"system":"event","new":[],"threads":[]}`)
	results := answers[0]["results"].([]any)[0].([]any)
	for _, r := range results[:4] {
		assert.Equal(t, "main.misuse", r.(map[string]any)["error"])
	}
	assert.Equal(t, "broker.ErrInvalidArgument", results[4].(map[string]any)["error"])
	for _, answer := range answers[1:] {
		assert.Equal(t, "main.misuse", answer["new"].(map[string]any)["error"])
	}
}

func TestServe_RecordedThreadsRunAtOnce(t *testing.T) {
	answers := ask(t, `{"id":1,"system":"event","new":[2],"record":true,"threads":[[["create","t",1]],[["create","t",1]]]}`)
	made := 0
	for _, thread := range answers[0]["results"].([]any) {
		result := thread.([]any)[0].(map[string]any)
		if result["ok"] == true {
			made++
		}
		at := result["at"].([]any)
		assert.LessOrEqual(t, at[0].(int64), at[1].(int64))
	}
	assert.Equal(t, 1, made)
}

func TestServe_RefusesWhatIsNoRequest(t *testing.T) {
	assert.Error(t, serve(strings.NewReader("lorem ipsum\n"), &bytes.Buffer{}))
}

func TestServe_OtherSystems(t *testing.T) {
	answers := ask(t,
		`{"id":1,"system":"message","new":[1],"threads":[[["create_topic","t"],["poll","t","g"],["publish","t","a"],["poll","t","g"],`+
			`["nack","t","g",0,1],["dead_letters","t","g"]]]}`,
		`{"id":2,"system":"message","new":[0,{"max_payload":1}],"threads":[]}`,
		`{"id":3,"system":"assign","new":[],"threads":[[["decode_assignment",{"hex":""}]]]}`,
		`{"id":4,"system":"pubsub","new":[],"threads":[]}`)

	letter := map[string]any{"topic": "t", "offset": int64(0), "payload": "a", "attempts": int64(1)}
	delivery := map[string]any{"topic": "t", "offset": int64(0), "payload": "a", "attempt": int64(1)}
	var values []any
	for _, result := range answers[0]["results"].([]any)[0].([]any) {
		values = append(values, result.(map[string]any)["ok"])
	}
	assert.Equal(t, []any{true, nil, int64(0), delivery, true, []any{letter}}, values)
	assert.Contains(t, answers[1]["new"].(map[string]any)["message"], "max_attempts")
	assert.Equal(t, "broker.ErrInvalidArgument", answers[2]["results"].([]any)[0].([]any)[0].(map[string]any)["error"])
	assert.Equal(t, "main.misuse", answers[3]["new"].(map[string]any)["error"])
}
