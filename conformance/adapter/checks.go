package adapter

import (
	"math/big"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// control is in a payload what JSON writes longest.
const control = "\x01"

// unicode has what a wrong encoding, a line reader and a C string trip over.
const unicode = "é€😀 e\u0301 \x00 \n \u2028 \" \\"

// maxInt64 and above are beyond what a float64 holds.
const (
	aboveFloat int64 = 1<<53 + 1
	maxInt64   int64 = 1<<63 - 1
)

var checks = []check{
	{
		about: "a call is answered", id: 1, new: []any{int64(2)},
		calls: []expected{want(true, "create", "t", int64(1))},
		mend:  `answer {"id": the same id, "results": [[{"ok": value}]]}: a list a thread, in it a result a call`,
	},
	{
		about: "each case has a broker of its own", id: 2, new: []any{int64(2)},
		calls: []expected{want(true, "create", "t", int64(1))},
		mend:  "make a new broker for every line",
	},
	{
		about: "ids of 64 bits come back", id: aboveFloat, new: []any{int64(2)},
		calls: []expected{want(true, "create", "t", int64(1))},
		mend:  "read integers as 64 bits and not as floating point, and send the id back as it came",
	},
	{
		about: "integers of 64 bits arrive", id: maxInt64, new: []any{int64(2)},
		calls: []expected{
			want(true, "create", "t", int64(1)),
			want(false, "ack", "t", "g", "m", int64(0), maxInt64),
			want(invalid, "ack", "t", "g", "m", int64(0), -maxInt64),
		},
		mend: "hand offsets on as 64 bits, unchecked and unrounded: to judge them is the implementation's part",
	},
	{
		about: "an error is an answer, and the case goes on", id: 3, new: []any{int64(2)},
		calls: []expected{want(invalid, "create", "t", int64(0)), want(true, "create", "t", int64(1))},
		mend:  `catch the error, answer {"error": its type's full name, "message": its text}, and go on with the next call`,
	},
	{
		about: "a refused constructor is told", id: 4, new: []any{int64(0)}, refused: true,
		mend: `answer {"id": …, "new": {"error": its type's full name}, "results": []}`,
	},
	{
		about: "an unknown operation is an error", id: 5, new: []any{int64(2)},
		calls: []expected{want(unknown, "no_such_operation", "t"), want(true, "create", "t", int64(1))},
		mend:  "answer an operation that you do not know with an error of the adapter's own, and go on",
	},
	{
		about: "Unicode comes through", id: 6, new: []any{int64(2)}, calls: there(unicode, 1),
		mend: "read and write UTF-8 whatever the locale says, and split lines at the newline only",
	},
	{
		about: "lines are long", id: 7, new: []any{int64(1)}, calls: there(strings.Repeat(control, 1024), 64),
		mend: "read and write lines of any length: this case needs 400 KiB each way",
	},
	{
		about: "null strings arrive", feature: surface.NullStrings, id: 8, new: []any{int64(2)},
		calls: []expected{want(invalid, "create", nil, int64(1))},
		mend:  "hand null on as the language's null, or do not declare null_strings",
	},
	{
		about: "bytes arrive that are not UTF-8", feature: surface.RawBytes, id: 9, new: []any{int64(2)},
		calls: []expected{want(true, "create", "t", int64(1)), want(invalid, "publish", "t", int64(0), wire.Bytes("\xff"))},
		mend:  `hand {"hex": "ff"} on as the bytes it stands for, or do not declare raw_bytes`,
	},
	{
		about: "integers beyond 64 bits arrive", feature: surface.WideIntegers, id: 10, new: []any{int64(2)},
		calls: []expected{want(true, "create", "t", int64(1)), want(invalid, "publish", "t", new(big.Int).Lsh(big.NewInt(1), 64), "a")},
		mend:  "hand every integer on as it came, or do not declare wide_integers",
	},
}

// there publishes the payload to each of so many partitions and polls them all.
func there(payload string, partitions int64) []expected {
	calls := []expected{want(true, "create", "t", partitions)}
	var owned, records []any
	for p := range partitions {
		calls = append(calls, want(int64(0), "publish", "t", p, payload))
		owned = append(owned, p)
		records = append(records, map[string]any{"topic": "t", "partition": p, "offset": int64(0), "payload": payload})
	}
	return append(calls, want(owned, "join", "t", "g", "m"), want(records, "poll", "t", "g", "m", partitions))
}
