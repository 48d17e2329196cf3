package model

// A Message is the model of the message broker. Its state is open, as that of
// [Event] is.
type Message struct {
	Rules       MessageRules
	MaxAttempts int64 // deliveries of a message in one group, the first included
	MaxPayload  int64 // in bytes
	Topics      map[string]*MessageTopic
}

// A MessageTopic has the payloads by offset, and its groups by name (MB-09).
type MessageTopic struct {
	Log    []string
	Groups map[string]*MessageGroup
}

// A MessageGroup is where a group stands in the log, and what it gave up.
type MessageGroup struct {
	Offset      int64 // of the message to deliver
	Attempts    int64 // how often that message was delivered, the one in flight included
	InFlight    bool
	DeadLetters []MessageDeadLetter // in the order of parking
}

// A MessageDeadLetter is a message whose last attempt was rejected.
type MessageDeadLetter struct {
	Offset   int64
	Payload  string
	Attempts int64
}

// NewMessage makes an empty message broker (MB-01).
func NewMessage(args []any, options map[string]any) (*Message, error) {
	return NewMessageWith(CorrectMessageRules(), args, options)
}

// NewMessageWith makes one that follows other rules than the contract's.
func NewMessageWith(rules MessageRules, args []any, options map[string]any) (*Message, error) {
	m := &Message{Rules: rules, Topics: map[string]*MessageTopic{}}
	if err := m.judgeNew(args, options); err != nil {
		return nil, err
	}
	return m, nil
}

// Call judges the arguments, then performs the operation, which can no longer
// fail.
func (m *Message) Call(op string, args []any) (any, error) {
	c, err := m.judge(op, args)
	if err != nil {
		return nil, err
	}
	return messageOperations[op](m, c), nil
}

var messageOperations = map[string]func(*Message, messageCall) any{
	"create_topic": (*Message).createTopic,
	"publish":      (*Message).publish,
	"poll":         (*Message).poll,
	"ack":          (*Message).ack,
	"nack":         (*Message).nack,
	"dead_letters": (*Message).deadLetters,
}

// createTopic: a duplicate is false and leaves the old topic untouched (MB-02).
func (m *Message) createTopic(c messageCall) any {
	if m.Topics[c.topic] != nil {
		return false
	}
	m.Topics[c.topic] = &MessageTopic{Groups: map[string]*MessageGroup{}}
	return true
}

// publish: the log is never trimmed, so the offset is its length (MB-03).
func (m *Message) publish(c messageCall) any {
	topic := m.Topics[c.topic]
	topic.Log = append(topic.Log, c.payload)
	return int64(len(topic.Log)) - 1
}

// poll: the delivery in flight again, with the same attempt (MB-05), or else
// the next one; null where the group has read everything (MB-04).
func (m *Message) poll(c messageCall) any {
	topic := m.Topics[c.topic]
	if topic.Groups[c.group] == nil {
		topic.Groups[c.group] = &MessageGroup{Offset: m.Rules.Start(topic)}
	}
	group := topic.Groups[c.group]
	if group.Offset >= int64(len(topic.Log)) {
		return nil
	}
	*group = m.Rules.Polled(*group)
	return map[string]any{
		"topic": c.topic, "offset": group.Offset, "attempt": group.Attempts,
		"payload": textValue(topic.Log[group.Offset]),
	}
}

// ack: exactly the delivery in flight, and the group moves on (MB-06).
func (m *Message) ack(c messageCall) any {
	group := m.Topics[c.topic].Groups[c.group]
	if group == nil || !m.Rules.MayAck(*group, c.offset, c.attempt) {
		return false
	}
	*group = m.Rules.Acked(*group)
	return true
}

// nack: exactly the delivery in flight. It is to be delivered again (MB-07), or
// parked where this was the last attempt (MB-08).
func (m *Message) nack(c messageCall) any {
	topic := m.Topics[c.topic]
	group := topic.Groups[c.group]
	if group == nil || !m.Rules.MayNack(*group, c.offset, c.attempt) {
		return false
	}
	if !m.Rules.GivesUp(*group, m.MaxAttempts) {
		*group = m.Rules.Nacked(*group)
		return true
	}
	letter := MessageDeadLetter{group.Offset, topic.Log[group.Offset], group.Attempts}
	group.DeadLetters = append(group.DeadLetters, letter)
	*group = m.Rules.Parked(*group)
	return true
}

// deadLetters: those of the group, in the order in which they were parked; none
// for an unknown group, which is not made (MB-10).
func (m *Message) deadLetters(c messageCall) any {
	letters := []any{}
	group := m.Topics[c.topic].Groups[c.group]
	if group == nil {
		return letters
	}
	for _, letter := range group.DeadLetters {
		letters = append(letters, map[string]any{
			"topic": c.topic, "offset": letter.Offset, "attempts": letter.Attempts,
			"payload": textValue(letter.Payload),
		})
	}
	return letters
}
