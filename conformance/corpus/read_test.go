package corpus_test

import (
	"math/big"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/wire"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// files makes a tree of files from their names and contents, in turns.
func files(namesAndContents ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(namesAndContents); i += 2 {
		fsys[namesAndContents[i]] = &fstest.MapFile{Data: []byte(namesAndContents[i+1])}
	}
	return fsys
}

// read gives the one case of a file.
func read(t *testing.T, content string) corpus.Case {
	cases, err := corpus.ReadFile(files("event/x.yaml", content), "event/x.yaml")
	require.NoError(t, err)
	require.Len(t, cases, 1)
	return cases[0]
}

var compareBig = cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })

func TestReadFile_SequentialCase(t *testing.T) {
	c := read(t, `# a comment
system: event
cases:
  - id: retry-redelivers
    spec: [EB-13, EB-05]
    why: retry leaves "progress" where it was
    new: [2, {max_payload: 4096}]
    steps:
      - {call: [create, orders, 1], returns: true}
      - {call: [publish, orders, 0, a], returns: 0}
      - call: [join, orders, billing, m1]
        returns: [0]
      - {call: [poll, orders, billing, m1, 2], returns: [{topic: orders, partition: 0, offset: 0, payload: a}]}
      - {call: [ack, orders, billing, m1, 0, -1], raises: invalid_argument}
`)
	call := func(op string, args ...any) corpus.Call { return corpus.Call{Op: op, Args: args} }
	record := map[string]any{"topic": "orders", "partition": int64(0), "offset": int64(0), "payload": "a"}
	assert.Empty(t, cmp.Diff(corpus.Case{
		ID: "retry-redelivers", System: "event", Spec: []string{"EB-13", "EB-05"},
		Why: `retry leaves "progress" where it was`,
		New: []any{int64(2)}, Options: map[string]any{"max_payload": int64(4096)},
		Steps: []corpus.Step{
			{Call: call("create", "orders", int64(1)), Returns: true, Line: 9},
			{Call: call("publish", "orders", int64(0), "a"), Returns: int64(0), Line: 10},
			{Call: call("join", "orders", "billing", "m1"), Returns: []any{int64(0)}, Line: 11},
			{Call: call("poll", "orders", "billing", "m1", int64(2)), Returns: []any{record}, Line: 13},
			{Call: call("ack", "orders", "billing", "m1", int64(0), int64(-1)), Raises: "invalid_argument", Line: 14},
		},
		File: "event/x.yaml", Line: 4,
	}, c))
}

func TestReadFile_RefusedConstructor(t *testing.T) {
	c := read(t, `{system: event, cases: [{id: a, spec: [EB-01], why: b, new: [0], new_raises: invalid_argument}]}`)
	assert.Equal(t, "invalid_argument", c.NewRaises)
	assert.Equal(t, []any{int64(0)}, c.New)
	assert.Nil(t, c.Options)
	assert.Empty(t, c.Steps)
}

func TestReadFile_ConcurrentCase(t *testing.T) {
	c := read(t, `
system: event
cases:
  - id: a
    spec: [EB-15]
    why: b
    new: [2]
    before:
      - {call: [create, t, 1], returns: true}
    threads:
      - [[publish, t, 0, a], [publish, t, 0, b]]
      - [[publish, t, 0, c]]
    rounds: 50
    check: linearizable
`)
	publish := func(payload string) corpus.Call {
		return corpus.Call{Op: "publish", Args: []any{"t", int64(0), payload}}
	}
	assert.Len(t, c.Before, 1)
	assert.Equal(t, [][]corpus.Call{{publish("a"), publish("b")}, {publish("c")}}, c.Threads)
	assert.Equal(t, 50, c.Rounds)
	assert.Equal(t, corpus.Linearizable, c.Check)
}

func TestReadFile_Strings(t *testing.T) {
	for written, expected := range map[string]any{
		`x`:                               "x",
		`""`:                              "",
		`"no"`:                            "no",
		`'5'`:                             "5",
		`"\0\u00e9\U0001F525\x01"`:        "\x00é\U0001F525\x01",
		`"a\r\n b "`:                      "a\r\n b ",
		`{repeat: é, times: 3}`:           "ééé",
		`{repeat: {hex: "00"}, times: 2}`: "\x00\x00",
		`{hex: ""}`:                       "",
		`{hex: c3a9}`:                     "é", // what is UTF-8 is a string
		`{hex: ff00}`:                     wire.Bytes("\xff\x00"),
		`null`:                            nil,
	} {
		needs := ""
		switch expected.(type) {
		case wire.Bytes:
			needs = "needs: [raw_bytes], "
		case nil:
			needs = "needs: [null_strings], "
		}
		c := read(t, `{system: event, cases: [{id: a, spec: [EB-01], why: b, `+needs+`new: [1], steps: [
			{call: [create, t, 1], returns: true}, {call: [publish, t, 0, `+written+`], raises: invalid_argument}]}]}`)
		assert.Equal(t, expected, c.Steps[1].Call.Args[2], written)
	}
}

func TestReadFile_WideIntegers(t *testing.T) {
	c := read(t, `{system: event, cases: [{id: a, spec: [EB-01], why: b, needs: [wide_integers],
		new: [-9223372036854775809], new_raises: invalid_argument}]}`)
	wide, _ := new(big.Int).SetString("-9223372036854775809", 10)
	assert.Empty(t, cmp.Diff([]any{wide}, c.New, compareBig))
}

// argument reads what a case of the system assign gives as the first argument.
func argument(t *testing.T, op, written string) any {
	members, returns := "", "{hex: ff}"
	if op == "range_assign" {
		members, returns = ", []", "{}"
	}
	return read(t, `{system: assign, cases: [{id: a, spec: [RA-01], why: b, steps: [
		{call: [`+op+`, `+written+members+`], returns: `+returns+`}]}]}`).Steps[0].Call.Args[0]
}

// Bytes are bytes even where they are a string as well.
func TestReadFile_Bytes(t *testing.T) {
	c := read(t, `{system: assign, cases: [{id: a, spec: [RA-01], why: b, new: [], steps: [
		{call: [decode_assignment, {hex: "61"}], returns: {version: 0, partitions: [], user_data: {hex: ""}}},
		{call: [decode_assignment, {hex: ff}], raises: invalid_argument}]}]}`)
	assert.Equal(t, []any{wire.Bytes("a")}, c.Steps[0].Call.Args)
	assert.Equal(t, wire.Bytes{}, c.Steps[0].Returns.(map[string]any)["user_data"])
	assert.Equal(t, []any{wire.Bytes("\xff")}, c.Steps[1].Call.Args)
}

func TestReadFile_Structs(t *testing.T) {
	assert.Equal(t, map[string]any{
		"version": int64(-32768), "topics": []any{"a", ""}, "user_data": nil,
		"owned_partitions": []any{map[string]any{"topic": "a", "partitions": []any{int64(1<<31 - 1), int64(0)}}},
		"generation_id":    int64(-1 << 31), "rack_id": nil,
	}, argument(t, "encode_subscription", `{version: -32768, topics: [a, {hex: ""}], user_data: null,
		owned_partitions: [{topic: a, partitions: [2147483647, 0]}], generation_id: -2147483648}`))
}

func TestReadFile_Maps(t *testing.T) {
	for written, expected := range map[string]map[string]any{
		`{}`:                        {},
		`{a: 1, "no": 2, "12": -1}`: {"a": int64(1), "no": int64(2), "12": int64(-1)},
		`{"": 0, "\0é": 0}`:         {"": int64(0), "\x00é": int64(0)},
		`{hex: 1}`:                  {"hex": int64(1)}, // a topic like any other
		`{repeat: 1, times: 2}`:     {"repeat": int64(1), "times": int64(2)},
	} {
		assert.Equal(t, expected, argument(t, "range_assign", written), written)
	}
}

func TestReadFile_Optional(t *testing.T) {
	c := read(t, `{system: message, cases: [{id: a, spec: [MB-04], why: b, new: [2], steps: [
		{call: [poll, t, g], returns: null},
		{call: [poll, t, g], returns: {topic: t, offset: 0, payload: "null", attempt: 1}}]}]}`)
	assert.Nil(t, c.Steps[0].Returns)
	delivery := map[string]any{"topic": "t", "offset": int64(0), "payload": "null", "attempt": int64(1)}
	assert.Equal(t, delivery, c.Steps[1].Returns)
}

// steps reads the steps of a case of the system pubsub.
func steps(t *testing.T, header string, written ...string) []corpus.Step {
	return read(t, `{system: pubsub, cases: [{id: a, spec: [PS-01], why: b, `+header+` steps: [
		{call: [drain], returns: 0}, `+strings.Join(written, ", ")+`]}]}`).Steps[1:]
}

// Rules go on the wire as they are written: what is left out stays out.
func TestReadFile_Rules(t *testing.T) {
	s := steps(t, "", `{call: [subscribe, t, a, [
		{match: {hex: "61"}, times: 2, do: [[drain], [create_topic, u, {retain: 5}], [subscribe, t, b, [{ret: false}]]], ret: throw},
		{ret: true}]], returns: null}`)
	inner := []any{map[string]any{"ret": false}}
	do := []any{[]any{"drain"}, []any{"create_topic", "u", map[string]any{"retain": int64(5)}}, []any{"subscribe", "t", "b", inner}}
	rules := []any{
		map[string]any{"match": "a", "times": int64(2), "do": do, "ret": "throw"},
		map[string]any{"ret": true},
	}
	assert.Empty(t, cmp.Diff(corpus.Call{Op: "subscribe", Args: []any{"t", "a", rules}}, s[0].Call))
	assert.Nil(t, s[0].Returns)
}

// Options stand behind the arguments, whatever those look like.
func TestReadFile_OptionsOfACall(t *testing.T) {
	long := strings.Repeat("t", 64)
	s := steps(t, "",
		`{call: [create_topic, {repeat: t, times: 64}], returns: true}`,
		`{call: [create_topic, {repeat: t, times: 64}, {retain: 1}], returns: false}`,
		`{call: [subscribe, t, a, [], {filter: {throw: [x], pass: []}, group: g}], raises: invalid_argument}`)
	assert.Equal(t, []any{long}, s[0].Call.Args)
	assert.Equal(t, []any{long, map[string]any{"retain": int64(1)}}, s[1].Call.Args)
	options := map[string]any{"filter": map[string]any{"throw": []any{"x"}, "pass": []any{}}, "group": "g"}
	assert.Equal(t, []any{"t", "a", []any{}, options}, s[2].Call.Args)
}

// A word that there is not can be said where it must be refused.
func TestReadFile_Choices(t *testing.T) {
	for written, expected := range map[string]any{
		`block`: "block", `bogus`: "bogus", `""`: "", `"no"`: "no", `{hex: ff}`: wire.Bytes("\xff"),
	} {
		needs := ""
		if written == `{hex: ff}` {
			needs = "needs: [raw_bytes],"
		}
		s := steps(t, needs, `{call: [subscribe, t, a, [], {policy: `+written+`}], raises: invalid_argument}`)
		assert.Equal(t, map[string]any{"policy": expected}, s[0].Call.Args[3], written)
	}
	c := read(t, `{system: pubsub, cases: [{id: a, spec: [PS-11], why: b, new: [{dispatcher: bogus}], new_raises: invalid_argument}]}`)
	assert.Equal(t, map[string]any{"dispatcher": "bogus"}, c.Options)
}

func TestReadFile_FeaturesOfOperations(t *testing.T) {
	s := steps(t, "needs: [status, redeliver],",
		`{call: [subscribe, t, a, [{do: [[redeliver, t, a]]}]], returns: null}`,
		`{call: [status, t, a], returns: {subscribed: true, offset: 0, attempts: 0, lost: 0, disconnected: false}}`)
	assert.Equal(t, "status", s[1].Call.Op)
}

// Every problem of a file is told at once.
func TestReadFile_TellsAllProblems(t *testing.T) {
	_, err := corpus.ReadFile(files("x.yaml", `
system: event
cases:
  - id: A
    spec: [EB-1]
    why: b
    new: [1]
    steps:
      - {call: [create, t, 1]}
      - {call: [create, t], returns: 5}
`), "x.yaml")
	require.Error(t, err)
	assert.Len(t, strings.Split(err.Error(), "\n"), 5)
	var problem *corpus.Problem
	require.ErrorAs(t, err, &problem)
	assert.Equal(t, "x.yaml", problem.File)
	assert.Equal(t, 4, problem.Line)
}

// Bounded input gives bounded work, whatever it is.
func TestReadFile_Bounds(t *testing.T) {
	const size = 1<<20 - 1
	fill := func(s string) string { return strings.Repeat(s, size/len(s)) }
	for name, content := range map[string]string{
		"large":          fill("#") + "##",
		"steps":          fill("- {call: [publish, t, 0, x], returns: 0}\n"),
		"nested lists":   fill("["),
		"nested blocks":  fill("- "),
		"nested lines":   fill("- " + strings.Repeat("[", 9999) + strings.Repeat("]", 9999) + "\n"),
		"long string":    "a: " + fill("x")[3:],
		"many documents": fill("---\n"),
		"many keys":      "{" + fill("a,")[2:] + "}",
		"many anchors":   fill("- &a b\n"),
	} {
		t.Run(name, func(t *testing.T) {
			begin := time.Now()
			_, err := corpus.ReadFile(files("x.yaml", content), "x.yaml")
			require.Error(t, err)
			assert.Less(t, len(err.Error()), 10_000)
			assert.Equal(t, len(content) > size, strings.Contains(err.Error(), "the file is larger"))
			t.Log(time.Since(begin))
		})
	}
}
