package main

import (
	"sync"

	"github.com/eventbroker/eventbroker/broker/event"
)

// handles are the topics and consumers of one broker that calls have named so
// far, each found when it is first named and used from then on (EB-18).
type handles struct {
	*event.Broker
	topics    sync.Map // name => *event.Topic
	consumers sync.Map // names => *event.Consumer

	// A first join is two calls, between which no members may change: it holds
	// members for writing, and all else that changes them for reading.
	members sync.RWMutex
}

// names are what a consumer stands for.
type names struct{ topic, group, member string }

func newEventByHandles(capacity int, options event.Options) (system, error) {
	b, err := event.New(capacity, options)
	if err != nil {
		return system{}, err
	}
	h := &handles{Broker: b}
	return system{operations: map[string]any{
		"create": b.Create, "join": h.Join, "leave": h.Leave,
		"publish": h.Publish, "poll": h.Poll, "ack": h.Ack, "retry": h.Retry,
		"publish_many": h.PublishMany, "ack_many": h.AckMany,
	}}, nil
}

func (h *handles) Join(topic, group, member string) ([]int, error) {
	n := names{topic, group, member}
	if found, ok := h.consumers.Load(n); ok {
		h.members.RLock()
		defer h.members.RUnlock()
		return found.(*event.Consumer).Join()
	}
	t, err := h.topic(topic)
	if err != nil {
		return nil, err
	}
	h.members.Lock()
	defer h.members.Unlock()
	c, err := t.Join(group, member)
	if err != nil {
		return nil, err
	}
	return h.keep(n, c).Join() // joining again only asks (EB-09)
}

func (h *handles) Leave(topic, group, member string) (bool, error) {
	c, err := h.consumer(topic, group, member)
	if err != nil {
		return false, err
	}
	h.members.RLock()
	defer h.members.RUnlock()
	return c.Leave()
}

func (h *handles) Publish(topic string, partition int, payload string) (int64, error) {
	t, err := h.topic(topic)
	if err != nil {
		return 0, err
	}
	return t.Publish(partition, payload)
}

func (h *handles) Poll(topic, group, member string, maxRecords int) ([]event.Record, error) {
	c, err := h.consumer(topic, group, member)
	if err != nil {
		return nil, err
	}
	return c.Poll(maxRecords)
}

func (h *handles) Ack(topic, group, member string, partition int, offset int64) (bool, error) {
	c, err := h.consumer(topic, group, member)
	if err != nil {
		return false, err
	}
	return c.Ack(partition, offset)
}

func (h *handles) Retry(topic, group, member string, partition int, offset int64) (bool, error) {
	c, err := h.consumer(topic, group, member)
	if err != nil {
		return false, err
	}
	return c.Retry(partition, offset)
}

func (h *handles) PublishMany(topic string, messages []event.Message) ([]int64, error) {
	t, err := h.topic(topic)
	if err != nil {
		return nil, err
	}
	return t.PublishMany(messages)
}

func (h *handles) AckMany(topic, group, member string, positions []event.Position) ([]bool, error) {
	c, err := h.consumer(topic, group, member)
	if err != nil {
		return nil, err
	}
	return c.AckMany(positions)
}

func (h *handles) topic(name string) (*event.Topic, error) {
	if found, ok := h.topics.Load(name); ok {
		return found.(*event.Topic), nil
	}
	t, err := h.Topic(name)
	if err != nil {
		return nil, err
	}
	kept, _ := h.topics.LoadOrStore(t.Name(), t)
	return kept.(*event.Topic), nil
}

func (h *handles) consumer(topic, group, member string) (*event.Consumer, error) {
	n := names{topic, group, member}
	if found, ok := h.consumers.Load(n); ok {
		return found.(*event.Consumer), nil
	}
	t, err := h.topic(topic)
	if err != nil {
		return nil, err
	}
	c, err := t.Consumer(group, member)
	if err != nil {
		return nil, err
	}
	return h.keep(n, c), nil
}

func (h *handles) keep(n names, c *event.Consumer) *event.Consumer {
	kept, _ := h.consumers.LoadOrStore(n, c)
	return kept.(*event.Consumer)
}
