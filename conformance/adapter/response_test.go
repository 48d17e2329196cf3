package adapter

import (
	"testing"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// asked is a case of one call.
var asked = Request{ID: 7, System: "event", Threads: [][]corpus.Call{{{Op: "poll"}}}}

func TestRequest_IsOneLine(t *testing.T) {
	r := Request{ID: 1<<53 + 1, System: "event", Threads: [][]corpus.Call{{{Op: "create", Args: []any{"a\nb", nil}}}, {}}}
	line, err := r.encode()
	require.NoError(t, err)
	want := `{"id":9007199254740993,"new":[],"system":"event","threads":[[["create","a\nb",null]],[]]}`
	assert.Equal(t, []byte(want), line)
}

func TestParse_Refuses(t *testing.T) {
	for line, reason := range map[string]string{
		``:                                                    "not a JSON object",
		`null`:                                                "not a JSON object",
		`[]`:                                                  "not a JSON object",
		`{"id":7,"results":[[{"ok":1}]]} {}`:                  "not a JSON object",
		"{\"id\":7,\"results\":\"\xff\"}":                     "not UTF-8",
		`{"ID":7,"results":[[{"ok":1}]]}`:                     "no id",
		`{"id":"7","results":[[{"ok":1}]]}`:                   `has id "7" where 7 was asked`,
		`{"id":7.0,"results":[[{"ok":1}]]}`:                   "has id 7.0 where 7 was asked",
		`{"id":7}`:                                            "results must be a list of length 1",
		`{"id":7,"results":null}`:                             "results must be a list of length 1",
		`{"id":7,"results":{}}`:                               "results must be a list of length 1",
		`{"id":7,"results":[]}`:                               "results must have length 1, not 0",
		`{"id":7,"results":[{"ok":1}]}`:                       "a thread's results must be a list of length 1",
		`{"id":7,"results":[[]]}`:                             "a thread's results must have length 1, not 0",
		`{"id":7,"results":[[{"ok":1},{}]]}`:                  "a thread's results must have length 1, not 2",
		`{"id":7,"results":[[null]]}`:                         "result 1 is not a JSON object",
		`{"id":7,"results":[[true]]}`:                         "result 1 is not a JSON object",
		`{"id":7,"results":[[{}]]}`:                           `exactly one of "ok" and "error"`,
		`{"id":7,"results":[[{"OK":1}]]}`:                     `exactly one of "ok" and "error"`,
		`{"id":7,"results":[[{"ok":1,"error":"E"}]]}`:         `exactly one of "ok" and "error"`,
		`{"id":7,"results":[[{"error":""}]]}`:                 "name the error's type",
		`{"id":7,"results":[[{"error":null}]]}`:               "name the error's type",
		`{"id":7,"results":[[{"error":5}]]}`:                  "name the error's type",
		`{"id":7,"results":[[{"error":"E","message":5}]]}`:    "string as its message",
		`{"id":7,"results":[[{"ok":1,"at":[2,1]}]]}`:          `"at" the times`,
		`{"id":7,"results":[[{"ok":1,"at":[1]}]]}`:            `"at" the times`,
		`{"id":7,"results":[[{"error":"E","at":1}]]}`:         `"at" the times`,
		`{"id":7,"results":[[{"ok":1}]],"overlap":-1}`:        `"overlap" has to be`,
		`{"id":7,"results":[[{"ok":1}]],"overlap":"1"}`:       `"overlap" has to be`,
		`{"id":7,"new":null,"results":[]}`:                    `"new" has to be {"error": …}`,
		`{"id":7,"new":{"ok":1},"results":[]}`:                `"new" has to be {"error": …}`,
		`{"id":7,"new":{"error":"E"},"results":[[{"ok":1}]]}`: "results must have length 0, not 1",
	} {
		_, err := asked.parse([]byte(line))
		var broke *Break
		require.ErrorAs(t, err, &broke, line)
		assert.ErrorContains(t, err, reason, line)
	}
}

func TestParse_Values(t *testing.T) {
	for value, want := range map[string]any{
		`null`:              nil,
		`9007199254740993`:  int64(1<<53 + 1),
		`[{"partition":0}]`: []any{map[string]any{"partition": int64(0)}},
		`0.0`:               Unreadable("0.0"),
		`1e3`:               Unreadable("1e3"),
		`"\ud83d"`:          Unreadable(`"\ud83d"`),
		`{"a":1,"a":2}`:     Unreadable(`{"a":1,"a":2}`),
	} {
		response, err := asked.parse([]byte(`{"id":7,"results":[[{"ok":` + value + `,"at":[1,2]}]],"note":1.5}`))
		require.NoError(t, err, value)
		assert.Empty(t, cmp.Diff(want, response.Results[0][0].Value), value)
	}
}

func TestRequest_Recorded(t *testing.T) {
	r := Request{ID: 1, System: "event", Threads: [][]corpus.Call{{}, {}}, Record: true, Before: []corpus.Call{{Op: "create", Args: []any{"t"}}}}
	line, err := r.encode()
	require.NoError(t, err)
	assert.Equal(t, []byte(`{"before":[["create","t"]],"id":1,"new":[],"record":true,"system":"event","threads":[[],[]]}`), line)

	response, err := r.parse([]byte(`{"id":1,"overlap":3,"results":[[{"ok":true,"at":[1,2]}],[],[]]}`))
	require.NoError(t, err)
	assert.Equal(t, &Span{Call: 1, Return: 2}, response.Results[0][0].At)
	assert.EqualValues(t, 3, *response.Overlap)
	_, err = r.parse([]byte(`{"id":1,"results":[[],[]]}`))
	assert.ErrorContains(t, err, "length 3", "the results of what was done before come first")
}

// A thread makes one call at a time: where its calls reach into each other, so
// would any two, and no order could be wrong.
func TestParse_ThreadThatDoesTwoThingsAtOnce(t *testing.T) {
	two := Request{ID: 7, System: "event", Threads: [][]corpus.Call{{{Op: "poll"}, {Op: "poll"}}}}
	_, err := two.parse([]byte(`{"id":7,"results":[[{"ok":1,"at":[1,4]},{"ok":1,"at":[4,4]}]]}`))
	require.NoError(t, err)
	_, err = two.parse([]byte(`{"id":7,"results":[[{"ok":1,"at":[1,4]},{"ok":1,"at":[3,9]}]]}`))
	var broke *Break
	require.ErrorAs(t, err, &broke)
	assert.Contains(t, broke.Error(), "result 2 was called before the one before it returned")
}
