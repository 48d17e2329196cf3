package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// ask gives the answers of the surface go to lines.
func ask(t *testing.T, lines ...string) []map[string]any {
	t.Helper()
	return askAs(t, plain, lines...)
}

func askAs(t *testing.T, o offer, lines ...string) []map[string]any {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, o.serve(strings.NewReader(strings.Join(lines, "\n")+"\n"), &out))
	var answers []map[string]any
	for line := range strings.Lines(out.String()) {
		v, err := wire.Decode([]byte(line))
		require.NoError(t, err)
		answers = append(answers, v.(map[string]any))
	}
	return answers
}

func TestServe_HelloSaysWhatTheKitHasWrittenDown(t *testing.T) {
	for _, o := range []offer{plain, byHandles} {
		own, ok := surface.Find(o.surface)
		require.True(t, ok, o.surface)
		hello := askAs(t, o, `{"hello":{"protocol":1}}`)[0]["hello"].(map[string]any)

		assert.Equal(t, own.Name, hello["surface"])
		assert.ElementsMatch(t, own.Systems, hello["systems"])
		assert.ElementsMatch(t, own.Features, hello["features"])
		for kind, native := range own.Errors {
			assert.Equal(t, native, hello["errors"].(map[string]any)[kind])
		}
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
	answers := ask(t, `{"id":1,"system":"event","new":[2],"record":true,"before":[["create","t",1]],"threads":[[["create","u",1]],[["create","u",1]]]}`)
	made := 0
	results := answers[0]["results"].([]any)
	assert.Equal(t, []any{map[string]any{"ok": true}}, results[0], "made before, and not recorded")
	assert.Contains(t, answers[0], "overlap")
	for _, thread := range results[1:] {
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
	assert.Error(t, plain.serve(strings.NewReader("lorem ipsum\n"), &bytes.Buffer{}))
}

func TestServe_OtherSystems(t *testing.T) {
	answers := ask(t,
		`{"id":1,"system":"message","new":[1],"threads":[[["create_topic","t"],["poll","t","g"],["publish","t","a"],["poll","t","g"],`+
			`["nack","t","g",0,1],["dead_letters","t","g"]]]}`,
		`{"id":2,"system":"message","new":[0,{"max_payload":1}],"threads":[]}`,
		`{"id":3,"system":"assign","new":[],"threads":[[["decode_assignment",{"hex":""}]]]}`,
		`{"id":4,"system":"queue","new":[],"threads":[]}`)

	letter := map[string]any{"topic": "t", "offset": int64(0), "payload": "a", "attempts": int64(1)}
	delivery := map[string]any{"topic": "t", "offset": int64(0), "payload": "a", "attempt": int64(1)}
	assert.Equal(t, []any{true, nil, int64(0), delivery, true, []any{letter}}, oks(answers[0]))
	assert.Contains(t, answers[1]["new"].(map[string]any)["message"], "max_attempts")
	assert.Equal(t, "broker.ErrInvalidArgument", answers[2]["results"].([]any)[0].([]any)[0].(map[string]any)["error"])
	assert.Equal(t, "main.misuse", answers[3]["new"].(map[string]any)["error"])
}

// oks gives what the calls of the only thread came to.
func oks(answer map[string]any) (values []any) {
	for _, result := range answer["results"].([]any)[0].([]any) {
		values = append(values, result.(map[string]any)["ok"])
	}
	return values
}

func TestServe_Handlers(t *testing.T) {
	answers := ask(t, `{"id":1,"system":"pubsub","new":[{"max_attempts":2}],"threads":[[["create_topic","t",{"retain":9}],`+
		`["subscribe","t","a",[{"match":"x","times":1,"do":[["create_topic",""],["publish","t","y"]],"ret":false},{"match":"x","ret":"throw"}]],`+
		`["subscribe","t","b",[],{"filter":{"pass":["y"],"throw":["z"]},"policy":"disconnect"}],`+
		`["publish","t","x"],["drain"],["calls_of","t","a"],["drain"],["dead_letters","t","a"],["calls_of","t","a"],["calls_of","t","b"],`+
		`["redeliver","t","a"],["status","t","b"],`+
		`["create_topic","u",{"retain":1}],["subscribe","u","c",[],{"policy":"disconnect"}],["publish","u","x"],["publish","u","y"],["drain"],["status","u","c"]]]}`)

	assert.Equal(t, []any{
		true, nil, nil, int64(0), int64(1), []any{"x"}, int64(1),
		[]any{object{"offset": int64(0), "payload": "x", "attempts": int64(2)}}, []any{"x", "x", "y"}, []any{"y"}, int64(1),
		object{"subscribed": true, "offset": int64(2), "attempts": int64(0), "lost": int64(0), "disconnected": false},
		true, nil, int64(0), int64(1), int64(0), // the dead letter fails once more
		object{"subscribed": false, "offset": int64(-1), "attempts": int64(0), "lost": int64(0), "disconnected": true},
	}, oks(answers[0]))
}

// Words that there are not are the broker's to refuse; so is no limit, which is
// not the default.
func TestServe_OptionsOfPubSub(t *testing.T) {
	refused := func(options string) any {
		answer := ask(t, `{"id":1,"system":"pubsub","new":[`+options+`],"threads":[]}`)[0]
		made, _ := answer["new"].(map[string]any)
		return made["error"]
	}
	for _, options := range []string{``, `{"dispatcher":"pool","workers":1}`, `{"max_attempts":0}`} {
		assert.Nil(t, refused(options), options)
	}
	for _, options := range []string{`{"dispatcher":""}`, `{"dispatcher":"bogus"}`, `{"workers":1}`, `{"max_attempts":-1}`} {
		assert.Equal(t, "broker.ErrInvalidArgument", refused(options), options)
	}
	calls := `["create_topic","t"],["subscribe","t","a",[{"ret":false}]],["publish","t","x"],["drain"],["drain"],["drain"],["dead_letters","t","a"],` +
		`["subscribe","t","b",[],{"policy":"bogus"}],["subscribe","t","b",[],{"group":""}]`
	results := oks(ask(t, `{"id":1,"system":"pubsub","new":[{"max_attempts":0}],"threads":[[`+calls+`]]}`)[0])
	assert.Equal(t, []any{[]any{}, nil, nil}, results[6:], "no dead letter, and two refusals")
}

// A broker with workers leaves none behind, which TestMain looks for.
func TestServe_ClosesTheBroker(t *testing.T) {
	answers := ask(t, `{"id":1,"system":"pubsub","new":[{"dispatcher":"lanes"}],"threads":[[["create_topic","t"],`+
		`["subscribe","t","a",[{"do":[["publish","t","y"]],"ret":false}]],["publish","t","x"]]]}`)
	assert.Equal(t, []any{true, nil, int64(0)}, oks(answers[0]))

	answers = ask(t, `{"id":1,"system":"pubsub","new":[{"dispatcher":"lanes"}],"record":true,"before":[["create_topic","t"]],`+
		`"threads":[[["subscribe","t","a",[]]],[["publish","t","x"]]]}`)
	assert.Len(t, answers[0]["results"], 3)
}

func TestFailure_NamesTheSentinel(t *testing.T) {
	for name, err := range sentinels {
		assert.Equal(t, name, failure(fmt.Errorf("topic t: %w", err))["error"])
	}
	assert.Equal(t, "*errors.errorString", failure(errRefused)["error"])
}
