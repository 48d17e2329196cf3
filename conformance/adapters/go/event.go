package main

import "github.com/eventbroker/eventbroker/broker/event"

func newEvent(capacity int, options event.Options) (system, error) {
	b, err := event.New(capacity, options)
	if err != nil {
		return nil, err
	}
	return system{
		"create": b.Create, "join": b.Join, "leave": b.Leave,
		"publish": b.Publish, "poll": b.Poll, "ack": b.Ack, "retry": b.Retry,
	}, nil
}
