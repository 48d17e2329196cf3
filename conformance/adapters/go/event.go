package main

import "github.com/eventbroker/eventbroker/broker/event"

func newEvent(capacity int, options event.Options) (system, error) {
	b, err := event.New(capacity, options)
	if err != nil {
		return system{}, err
	}
	return system{operations: map[string]any{
		"create": b.Create, "join": b.Join, "leave": b.Leave,
		"publish": b.Publish, "poll": b.Poll, "ack": b.Ack, "retry": b.Retry,
		"publish_many": b.PublishMany, "ack_many": b.AckMany,
	}}, nil
}
