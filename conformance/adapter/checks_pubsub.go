package adapter

// subscribe is a subscription of the topic t by the name a.
func subscribe(rules []any, options ...any) expected {
	return want(nil, "subscribe", append([]any{"t", "a", rules}, options...)...)
}

func publish(offset int64, payload string) expected {
	return want(offset, "publish", "t", payload)
}

func drained(confirmed int64) expected { return want(confirmed, "drain") }

func callsOf(payloads ...any) expected { return want(payloads, "calls_of", "t", "a") }

// handled publishes the payload so many times and has a handler confirm them all.
func handled(payload string, messages int64) []expected {
	calls := []expected{createTopic, subscribe(none)}
	var seen []any
	for offset := range messages {
		calls = append(calls, publish(offset, payload))
		seen = append(seen, payload)
	}
	return append(calls, drained(messages), callsOf(seen...))
}

// ruled has a handler refuse, throw and then confirm, and make calls of which
// one fails.
var ruled = []expected{
	createTopic,
	subscribe([]any{
		dict{"match": "x", "times": int64(1), "do": []any{[]any{"create_topic", ""}, []any{"publish", "t", "y"}}, "ret": false},
		dict{"match": "x", "times": int64(1), "ret": "throw"},
		dict{"match": "z", "ret": false},
	}),
	publish(0, "x"),
	drained(0), callsOf("x"),
	drained(0), callsOf("x", "x"),
	drained(2), callsOf("x", "x", "x", "y"),
}

// one try is all a message has.
var one = []any{dict{"max_attempts": int64(1)}}

// opted has an option do something on each call that takes any.
var opted = []expected{
	want(true, "create_topic", "t", dict{"retain": int64(2)}),
	subscribe(none, dict{"filter": dict{"pass": []any{"x"}, "throw": []any{"z"}}}),
	want(invalid, "subscribe", "t", "b", none, dict{"policy": "no such policy"}),
	publish(0, "y"), publish(1, "x"), publish(2, "z"),
	want(invalid, "seek", "t", "a", int64(0)),
	drained(1), callsOf("x"),
	want([]any{dict{"offset": int64(2), "payload": "z", "attempts": int64(1)}}, "dead_letters", "t", "a"),
}

var redelivered = []expected{
	createTopic, subscribe([]any{dict{"times": int64(1), "ret": false}}), publish(0, "x"),
	drained(0), want(int64(1), "redeliver", "t", "a"), drained(1),
}

var standing = []expected{
	createTopic, subscribe(none),
	want(dict{"subscribed": true, "offset": int64(0), "attempts": int64(0), "lost": int64(0), "disconnected": false}, "status", "t", "a"),
}
