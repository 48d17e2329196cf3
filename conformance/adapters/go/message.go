package main

import "github.com/eventbroker/eventbroker/broker/message"

func newMessage(maxAttempts int, options message.Options) (system, error) {
	b, err := message.New(maxAttempts, options)
	if err != nil {
		return system{}, err
	}
	poll := func(topic, group string) (*message.Delivery, error) {
		delivery, waits, err := b.Poll(topic, group)
		if !waits {
			return nil, err
		}
		return &delivery, err
	}
	return system{operations: map[string]any{
		"create_topic": b.CreateTopic, "publish": b.Publish, "poll": poll,
		"ack": b.Ack, "nack": b.Nack, "dead_letters": b.DeadLetters,
	}}, nil
}
