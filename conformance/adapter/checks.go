package adapter

import (
	"encoding/binary"
	"math/big"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// control is in a payload what JSON writes longest.
const control = "\x01"

// unicode has what a wrong encoding, a line reader and a C string trip over.
const unicode = unicodeKey + "\x00"

// unicodeKey has no NUL, which some JSON libraries refuse in the key of a map,
// and which no case has there.
const unicodeKey = "é€😀 e\u0301 \n \u2028 \" \\"

// maxInt64 and above are beyond what a float64 holds.
const (
	aboveFloat int64 = 1<<53 + 1
	maxInt64   int64 = 1<<63 - 1
)

// What brokers are made with, and the smallest call there is on each system.
var (
	two  = []any{int64(2)}
	none = []any{}

	create      = want(true, "create", "t", int64(1))
	createTopic = want(true, "create_topic", "t")
	nothing     = want(dict{}, "range_assign", dict{}, []any{})
)

type dict = map[string]any

// smallest is that call on a broker of its own.
var smallest = map[string]script{
	"event":   {new: two, calls: []expected{create}},
	"message": {new: two, calls: []expected{createTopic}},
	"pubsub":  {new: none, calls: []expected{createTopic}},
	"assign":  {new: none, calls: []expected{nothing}},
}

var checks = []check{
	{
		about: "a call is answered", id: 1, on: smallest,
		mend: `answer {"id": the same id, "results": [[{"ok": value}]]}: a list a thread, in it a result a call`,
	},
	{
		about: "each case has a broker of its own", id: 2, on: smallest,
		mend: "make a new broker for every line",
	},
	{
		about: "ids of 64 bits come back", id: aboveFloat, on: smallest,
		mend: "read integers as 64 bits and not as floating point, and send the id back as it came",
	},
	{
		about: "integers of 64 bits arrive", id: maxInt64, on: map[string]script{
			"event": {new: two, calls: []expected{
				create,
				want(false, "ack", "t", "g", "m", int64(0), maxInt64),
				want(invalid, "ack", "t", "g", "m", int64(0), -maxInt64),
			}},
			"message": {new: two, calls: []expected{
				createTopic,
				want(false, "ack", "t", "g", maxInt64, int64(1)),
				want(invalid, "ack", "t", "g", -maxInt64, int64(1)),
			}},
			"pubsub": {new: none, calls: []expected{
				createTopic,
				want(false, "seek", "t", "a", maxInt64),
				want(invalid, "seek", "t", "a", -maxInt64),
			}},
		},
		mend: "hand offsets on as 64 bits, unchecked and unrounded: to judge them is the implementation's part",
	},
	{
		about: "an error is an answer, and the case goes on", id: 3, on: map[string]script{
			"event":   {new: two, calls: []expected{want(invalid, "create", "t", int64(0)), create}},
			"message": {new: two, calls: []expected{want(invalid, "publish", "t", "a"), createTopic}},
			"pubsub":  {new: none, calls: []expected{want(invalid, "subscribe", "t", "a", none), createTopic}},
			"assign":  {new: none, calls: []expected{want(invalid, "decode_assignment", wire.Bytes{}), nothing}},
		},
		mend: `catch the error, answer {"error": its type's full name, "message": its text}, and go on with the next call`,
	},
	{
		about: "null is an answer", id: 11, on: map[string]script{
			"message": {new: two, calls: []expected{createTopic, want(nil, "poll", "t", "g")}},
			"pubsub":  {new: none, calls: []expected{createTopic, subscribe(none)}},
			"assign":  {new: none, calls: []expected{want(assignment(nil), "decode_assignment", encoded("\xff\xff\xff\xff"))}},
		},
		mend: `answer {"ok": null} where nothing came back, and null for a field that is null`,
	},
	{
		about: "a refused constructor is told", id: 4, on: map[string]script{
			"event":   {new: []any{int64(0)}, refused: true},
			"message": {new: []any{int64(0)}, refused: true},
			"pubsub":  {new: []any{dict{"dispatcher": "no such dispatcher"}}, refused: true},
		},
		mend: `answer {"id": …, "new": {"error": its type's full name}, "results": []}`,
	},
	{
		about: "an unknown operation is an error", id: 5, on: map[string]script{
			"event":   {new: two, calls: []expected{noSuch, create}},
			"message": {new: two, calls: []expected{noSuch, createTopic}},
			"pubsub":  {new: none, calls: []expected{noSuch, createTopic}},
			"assign":  {new: none, calls: []expected{noSuch, nothing}},
		},
		mend: "answer an operation that you do not know with an error of the adapter's own, and go on",
	},
	{
		about: "Unicode comes through", id: 6, on: map[string]script{
			"event":   {new: two, calls: polled(unicode, 1)},
			"message": {new: []any{int64(1)}, calls: parked(unicode, 1)},
			"pubsub":  {new: none, calls: handled(unicode, 1)},
			"assign": {new: none, calls: []expected{want(dict{unicodeKey: dict{unicodeKey: []any{int64(0)}}}, "range_assign",
				dict{unicodeKey: int64(1)}, []any{dict{"id": unicodeKey, "topics": []any{unicodeKey, unicode}, "instance_id": nil}})}},
		},
		mend: "read and write UTF-8 whatever the locale says, and split lines at the newline only",
	},
	{
		about: "lines are long", id: 7, on: map[string]script{
			"event":   {new: []any{int64(1)}, calls: polled(strings.Repeat(control, 1024), 64)},
			"message": {new: []any{int64(1)}, calls: parked(strings.Repeat(control, 1024), 64)},
			"pubsub":  {new: none, calls: handled(strings.Repeat(control, 1024), 64)},
			"assign":  {new: none, calls: packed(strings.Repeat(control, 200<<10))},
		},
		mend: "read and write lines of any length: this case needs 400 KiB each way",
	},
	{
		about: "bytes come and go as hex", id: 12, on: map[string]script{
			"assign": {new: none, calls: append(packed("a"), want(dict{}, "range_assign", dict{"hex": int64(1)}, []any{}))},
		},
		mend: `bytes are {"hex": …} always and need no feature; a map whose key hex has another value than a string is a map`,
	},
	{
		about: "null strings arrive", feature: surface.NullStrings, id: 8, on: map[string]script{
			"event":   {new: two, calls: []expected{want(invalid, "create", nil, int64(1))}},
			"message": {new: two, calls: []expected{want(invalid, "create_topic", nil)}},
			"pubsub":  {new: none, calls: []expected{want(invalid, "create_topic", nil)}},
		},
		mend: "hand null on as the language's null, or do not declare null_strings",
	},
	{
		about: "bytes arrive that are not UTF-8", feature: surface.RawBytes, id: 9, on: map[string]script{
			"event":   {new: two, calls: []expected{create, want(invalid, "publish", "t", int64(0), wire.Bytes("\xff"))}},
			"message": {new: two, calls: []expected{createTopic, want(invalid, "publish", "t", wire.Bytes("\xff"))}},
			"pubsub":  {new: none, calls: []expected{createTopic, want(invalid, "publish", "t", wire.Bytes("\xff"))}},
			"assign": {new: none, calls: []expected{want(invalid, "range_assign", dict{},
				[]any{dict{"id": wire.Bytes("\xff"), "topics": []any{}, "instance_id": nil}})}},
		},
		mend: `hand {"hex": "ff"} on as the bytes it stands for, or do not declare raw_bytes`,
	},
	{
		about: "integers beyond 64 bits arrive", feature: surface.WideIntegers, id: 10, on: map[string]script{
			"event":   {new: two, calls: []expected{create, want(invalid, "publish", "t", beyond, "a")}},
			"message": {new: two, calls: []expected{createTopic, want(invalid, "ack", "t", "g", beyond, int64(1))}},
			"pubsub":  {new: none, calls: []expected{createTopic, subscribe(none), want(invalid, "seek", "t", "a", beyond)}},
			"assign":  {new: none, calls: []expected{want(invalid, "range_assign", dict{"t": beyond}, []any{})}},
		},
		mend: "hand every integer on as it came, or do not declare wide_integers",
	},
	{
		about: "many records are one call", feature: surface.Batch, id: 17, on: map[string]script{"event": {new: two, calls: []expected{
			create, want([]any{int64(0), int64(1), int64(-1)}, "publish_many", "t", []any{pair(0, "a"), pair(0, "b"), pair(0, "c")}),
			want([]any{false}, "ack_many", "t", "g", "m", []any{pair(0, int64(0))}), want([]any{}, "publish_many", "t", none),
			want(invalid, "publish_many", "t", []any{pair(0, "a"), pair(-1, "b")}),
		}}},
		mend: "carry out publish_many, whose messages are [partition, payload], and ack_many, whose positions are [partition, offset], " +
			"each as one call of the implementation, or do not declare batch",
	},
	{
		about: "handlers follow their rules", id: 13, on: map[string]script{"pubsub": {new: none, calls: ruled}},
		mend: "the first rule that matches, or says no match, and whose times are not used up acts: " +
			"make its calls, whatever comes of them, then confirm, refuse or throw as ret says; without a rule confirm",
	},
	{
		about: "options arrive", id: 14, on: map[string]script{"pubsub": {new: one, calls: opted}},
		mend: "hand on the map behind the arguments of new, create_topic and subscribe; " +
			"a filter lets through what is in pass, throws over what is in throw, and passes over the rest",
	},
	{
		about: "dead letters are offered again", feature: surface.Redeliver, id: 15, on: map[string]script{"pubsub": {new: one, calls: redelivered}},
		mend: "carry out redeliver, or do not declare it",
	},
	{
		about: "a subscription says how it stands", feature: surface.Status, id: 16, on: map[string]script{"pubsub": {new: none, calls: standing}},
		mend: "answer status with just the five keys, or do not declare it",
	},
}

var (
	beyond = new(big.Int).Lsh(big.NewInt(1), 64)
	noSuch = want(unknown, "no_such_operation", "t")
)

// pair is an element of a batch.
func pair(partition int64, of any) []any { return []any{partition, of} }

// polled publishes the payload to each of so many partitions and polls them all.
func polled(payload string, partitions int64) []expected {
	calls := []expected{want(true, "create", "t", partitions)}
	var owned, records []any
	for p := range partitions {
		calls = append(calls, want(int64(0), "publish", "t", p, payload))
		owned = append(owned, p)
		records = append(records, dict{"topic": "t", "partition": p, "offset": int64(0), "payload": payload})
	}
	return append(calls, want(owned, "join", "t", "g", "m"), want(records, "poll", "t", "g", "m", partitions))
}

// parked publishes the payload so many times and has every message become a
// dead letter at its first delivery.
func parked(payload string, messages int64) []expected {
	calls := []expected{createTopic}
	var letters []any
	for offset := range messages {
		delivery := dict{"topic": "t", "offset": offset, "payload": payload, "attempt": int64(1)}
		calls = append(calls, want(offset, "publish", "t", payload),
			want(delivery, "poll", "t", "g"), want(true, "nack", "t", "g", offset, int64(1)))
		letters = append(letters, dict{"topic": "t", "offset": offset, "payload": payload, "attempts": int64(1)})
	}
	return append(calls, want(letters, "dead_letters", "t", "g"))
}

// packed writes and reads an assignment that has nothing but user data.
func packed(data string) []expected {
	message := encoded(string(binary.BigEndian.AppendUint32(nil, uint32(len(data)))) + data)
	value := assignment(wire.Bytes(data))
	return []expected{want(message, "encode_assignment", value), want(value, "decode_assignment", message)}
}

func assignment(data any) dict {
	return dict{"version": int64(0), "partitions": []any{}, "user_data": data}
}

// encoded is an assignment of version 0 without partitions, with this end.
func encoded(end string) wire.Bytes { return wire.Bytes("\x00\x00\x00\x00\x00\x00" + end) }
