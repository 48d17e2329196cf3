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
	call := `{"thread":1,"at":[1,2],"call":["create","t",1],"ok":true}`
	for text, reason := range map[string]string{
		``:                                       "not a saved history",
		`[]`:                                     "not a saved history",
		`{"system":"assign","new":[]}`:           `"assign" has no histories`,
		`{"system":"event"}`:                     "new: a list",
		`{"system":"event","new":[0]}`:           "new: invalid argument: capacity_per_partition",
		`{"system":"event","new":[]}`:            "new: new: 0 arguments",
		`{"system":"event","new":[1]}`:           "calls: 0 of threads",
		history1(call + "," + call):              "number 2 begins before",
		history1(`1`):                            "number 1: a map",
		history1(`{"thread":9}`):                 "call: a list",
		history1(`{"call":["sing"]}`):            "event has no operation sing",
		history1(`{"call":["create","t"]}`):      "create takes 2 arguments, 1 are given",
		history1(`{"call":["create","t","x"]}`):  "partition_count: string is not an integer",
		history1(sub(call, `:1,"at`, `:9,"at`)):  "thread: 0 through 8",
		history1(sub(call, `[1,2]`, `[2,1]`)):    "at: the times",
		history1(sub(call, `[1,2]`, `[1]`)):      "at: the times",
		history1(sub(call, `,"ok":true`, ``)):    "exactly one of ok and error",
		history1(sub(call, `"ok"`, `"error"`)):   "exactly one of ok and error",
		history1(sub(call, `"thread":1,`, ``)):   "thread: 0 through 8",
		history1(strings.Repeat(" ", 3) + "nil"): "not a saved history",
	} {
		_, err := history.Decode([]byte(text))
		assert.ErrorContains(t, err, reason, text)
	}
}

func history1(calls string) string { return `{"system":"event","new":[1],"calls":[` + calls + `]}` }

func sub(text, old, by string) string { return strings.Replace(text, old, by, 1) }
