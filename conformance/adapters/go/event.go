package main

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/eventbroker/eventbroker/broker/event"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// eventCalls has every operation of the kit's table, whose arguments have been
// converted to the types of Go by then.
var eventCalls = map[string]func(b *event.Broker, a arguments) (any, error){
	"create":  func(b *event.Broker, a arguments) (any, error) { return b.Create(a.text(0), a.int(1)) },
	"join":    func(b *event.Broker, a arguments) (any, error) { return b.Join(a.text(0), a.text(1), a.text(2)) },
	"leave":   func(b *event.Broker, a arguments) (any, error) { return b.Leave(a.text(0), a.text(1), a.text(2)) },
	"publish": func(b *event.Broker, a arguments) (any, error) { return b.Publish(a.text(0), a.int(1), a.text(2)) },
	"poll": func(b *event.Broker, a arguments) (any, error) {
		return b.Poll(a.text(0), a.text(1), a.text(2), a.int(3))
	},
	"ack": func(b *event.Broker, a arguments) (any, error) {
		return b.Ack(a.text(0), a.text(1), a.text(2), a.int(3), a.int64(4))
	},
	"retry": func(b *event.Broker, a arguments) (any, error) {
		return b.Retry(a.text(0), a.text(1), a.text(2), a.int(3), a.int64(4))
	},
}

func newEvent(args []any) (system, error) {
	table := surface.Systems[slices.IndexFunc(surface.Systems, func(s surface.System) bool { return s.Name == "event" })]
	var options event.Options
	if n := len(table.New); len(args) > n {
		option, err := convert(table.Options, []any{args[n].(map[string]any)["max_payload"]})
		if err != nil {
			return nil, err
		}
		options.MaxPayload, args = option.int(0), args[:n]
	}
	capacity, err := convert(table.New, args)
	if err != nil {
		return nil, err
	}
	b, err := event.New(capacity.int(0), options)
	if err != nil {
		return nil, err
	}
	return func(op string, args []any) (any, error) { return callEvent(b, table.Operations, op, args) }, nil
}

func callEvent(b *event.Broker, table []surface.Operation, op string, args []any) (any, error) {
	i := slices.IndexFunc(table, func(o surface.Operation) bool { return o.Name == op })
	if i < 0 {
		return nil, misuse(fmt.Sprintf("event has no operation %q", op))
	}
	converted, err := convert(table[i].Params, args)
	if err != nil {
		return nil, err
	}
	result, err := eventCalls[op](b, converted)
	return eventValue(result), err
}

// eventValue is a result as a value of package wire.
func eventValue(result any) any {
	list := []any{}
	switch result := result.(type) {
	case []int:
		for _, partition := range result {
			list = append(list, int64(partition))
		}
		return list
	case []event.Record:
		for _, r := range result {
			list = append(list, map[string]any{
				"topic": textValue(r.Topic), "partition": int64(r.Partition), "offset": r.Offset, "payload": textValue(r.Payload),
			})
		}
		return list
	}
	return result
}

func textValue(s string) any {
	if !utf8.ValidString(s) {
		return wire.Bytes(s)
	}
	return s
}
