package history_test

import (
	"strings"
	"testing"

	"github.com/eventbroker/eventbroker/conformance/history"
	"github.com/eventbroker/eventbroker/conformance/wire"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestEncode_DecodeGivesItBack(t *testing.T) {
	refused := made(nil, "publish", "u", 0, wire.Bytes("\xff"))
	refused.Error = "invalid_argument"
	h := in("event", 2, create, joinA, meanwhile(first), pollX, refused)
	h.Options = map[string]any{"max_payload": int64(9)}
	data, err := history.Encode(h)
	require.NoError(t, err)
	back, err := history.Decode(data)
	require.NoError(t, err)
	assert.Equal(t, h, back)
}

func TestDecode_Refuses(t *testing.T) {
	for text, reason := range map[string]string{
		``:                                        "not a saved history",
		`[]`:                                      "not a saved history",
		`{"system":"assign","new":[]}`:            `"assign" has no histories`,
		`{"system":"event"}`:                      "new: a list",
		`{"system":"event","new":[0]}`:            "new: invalid argument: capacity_per_partition",
		`{"system":"event","new":[]}`:             "new: new: 0 arguments",
		`{"system":"event","new":[1]}`:            "calls: 0 of threads",
		withCalls(call + "," + call):              "number 2 begins before",
		withCalls(`1`):                            "number 1: a map",
		withCalls(`{"thread":9}`):                 "call: a list",
		withCalls(`{"call":["sing"]}`):            "event has no operation sing",
		withCalls(`{"call":["create","t"]}`):      "create takes 2 arguments, 1 are given",
		withCalls(`{"call":["create","t","x"]}`):  "partition_count: string is not an integer",
		but(`:1,"at`, `:9,"at`):                   "thread: 0 through 8",
		but(`[1,2]`, `[2,1]`):                     "at: the times",
		but(`[1,2]`, `[1]`):                       "at: the times",
		but(`,"ok":true`, ``):                     "exactly one of ok and error",
		but(`"ok"`, `"error"`):                    "exactly one of ok and error",
		but(`"thread":1,`, ``):                    "thread: 0 through 8",
		withCalls(strings.Repeat(" ", 3) + "nil"): "not a saved history",
	} {
		_, err := history.Decode([]byte(text))
		assert.ErrorContains(t, err, reason, text)
	}
}

func withCalls(calls string) string { return `{"system":"event","new":[1],"calls":[` + calls + `]}` }

// call is one that is well; but is the same with one thing wrong.
const call = `{"thread":1,"at":[1,2],"call":["create","t",1],"ok":true}`

func but(old, by string) string { return withCalls(strings.Replace(call, old, by, 1)) }
