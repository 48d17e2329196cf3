package main

import "github.com/eventbroker/eventbroker/broker/pubsub"

type letter struct {
	Offset   int64
	Payload  string
	Attempts int
}

type standing struct {
	Subscribed   bool
	Offset       int64
	Attempts     int
	Lost         int64
	Disconnected bool
}

// nothing is what a call returns that returns nothing: null.
type nothing *struct{}

func newPubSub(o pubsubOptions) (system, error) {
	b, err := pubsub.New(o.native())
	if err != nil {
		return system{}, err
	}
	s := system{close: b.Close}
	r := &record{calls: map[[2]string][]string{}}
	s.operations = map[string]any{
		"create_topic": func(topic string, options ...topicOptions) (bool, error) {
			var with []pubsub.TopicOption
			for _, o := range options {
				with = append(with, pubsub.Retain(o.Retain))
			}
			return b.CreateTopic(topic, with...)
		},
		"subscribe": func(topic, name string, rules []rule, options ...subscribeOptions) (nothing, error) {
			handler := r.handler(func(op string, args []any) { _, _ = s.prepare(op, args)() }, name, rules)
			var with []pubsub.SubscribeOption
			for _, o := range options {
				with = append(with, o.native()...)
			}
			return nil, b.Subscribe(topic, name, handler, with...)
		},
		"unsubscribe": b.Unsubscribe, "publish": b.Publish, "drain": b.Drain, "seek": b.Seek,
		"offset": b.Offset, "redeliver": b.Redeliver, "calls_of": r.of,
		"dead_letters": func(topic, name string) ([]letter, error) {
			dead, err := b.DeadLetters(topic, name)
			letters := make([]letter, len(dead))
			for i, l := range dead {
				letters[i] = letter{l.Offset, l.Payload, l.Attempts}
			}
			return letters, err
		},
		"status": func(topic, name string) (standing, error) {
			s, err := b.Status(topic, name)
			return standing{s.Subscribed, s.Offset, s.Attempts, s.Lost, s.Reason != ""}, err
		},
	}
	return s, nil
}
