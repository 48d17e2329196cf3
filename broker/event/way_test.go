package event

// A way makes the calls of one topic, by names or by handles: the tests that run
// random calls take either, since both must do the same (EB-18).
type way interface {
	Join(group, member string) ([]int, error)
	Leave(group, member string) (bool, error)
	Publish(partition int, payload string) (int64, error)
	PublishMany(messages []Message) ([]int64, error)
	Poll(group, member string, maxRecords int) ([]Record, error)
	Ack(group, member string, partition int, offset int64) (bool, error)
	AckMany(group, member string, positions []Position) ([]bool, error)
	Retry(group, member string, partition int, offset int64) (bool, error)
}

// byName looks everything up each time.
type byName struct {
	*Broker
	topic string
}

func (w byName) Join(group, member string) ([]int, error) {
	return w.Broker.Join(w.topic, group, member)
}
func (w byName) Leave(group, member string) (bool, error) {
	return w.Broker.Leave(w.topic, group, member)
}
func (w byName) Publish(partition int, payload string) (int64, error) {
	return w.Broker.Publish(w.topic, partition, payload)
}
func (w byName) PublishMany(messages []Message) ([]int64, error) {
	return w.Broker.PublishMany(w.topic, messages)
}
func (w byName) Poll(group, member string, maxRecords int) ([]Record, error) {
	return w.Broker.Poll(w.topic, group, member, maxRecords)
}
func (w byName) Ack(group, member string, partition int, offset int64) (bool, error) {
	return w.Broker.Ack(w.topic, group, member, partition, offset)
}
func (w byName) AckMany(group, member string, positions []Position) ([]bool, error) {
	return w.Broker.AckMany(w.topic, group, member, positions)
}
func (w byName) Retry(group, member string, partition int, offset int64) (bool, error) {
	return w.Broker.Retry(w.topic, group, member, partition, offset)
}

// byHandle has a consumer for each pair of names from the beginning.
type byHandle struct {
	*Topic
	consumers map[[2]string]*Consumer
}

func handlesOf(b *Broker, topic string, groups, members []string) (byHandle, error) {
	t, err := b.Topic(topic)
	w := byHandle{t, map[[2]string]*Consumer{}}
	for _, group := range groups {
		for _, member := range members {
			if err == nil {
				w.consumers[[2]string{group, member}], err = t.Consumer(group, member)
			}
		}
	}
	return w, err
}

func (w byHandle) of(group, member string) *Consumer { return w.consumers[[2]string{group, member}] }

func (w byHandle) Join(group, member string) ([]int, error) { return w.of(group, member).Join() }
func (w byHandle) Leave(group, member string) (bool, error) { return w.of(group, member).Leave() }
func (w byHandle) Poll(group, member string, maxRecords int) ([]Record, error) {
	return w.of(group, member).Poll(maxRecords)
}
func (w byHandle) Ack(group, member string, partition int, offset int64) (bool, error) {
	return w.of(group, member).Ack(partition, offset)
}
func (w byHandle) AckMany(group, member string, positions []Position) ([]bool, error) {
	return w.of(group, member).AckMany(positions)
}
func (w byHandle) Retry(group, member string, partition int, offset int64) (bool, error) {
	return w.of(group, member).Retry(partition, offset)
}

// waysOf are both.
func waysOf(b *Broker, topic string, groups, members []string) ([]way, error) {
	handles, err := handlesOf(b, topic, groups, members)
	return []way{byName{b, topic}, handles}, err
}

func settle(w way, group, member string, partition int, offset int64, commit bool) (bool, error) {
	if commit {
		return w.Ack(group, member, partition, offset)
	}
	return w.Retry(group, member, partition, offset)
}
