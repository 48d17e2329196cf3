package model

// A PubSub is the model of the pub-sub broker with the synchronous dispatcher.
// With lanes or a pool, whose threads deliver when they like, nothing is
// delivered here: the model answers what does not depend on deliveries. Its state is open, as that of [Event] is.
type PubSub struct {
	Rules       PubSubRules
	Dispatcher  string
	MaxAttempts int64          // tries of a message; 0 is no limit
	MaxPayload  int64          // in bytes
	Topics      []*PubSubTopic // in the order they were created

	// Self carries out what handlers do: this broker, or what stands around it.
	Self System
}

// A PubSubTopic has every payload ever published, by offset; retention only says
// from where on they are kept.
type PubSubTopic struct {
	Name          string
	Retain        int64 // how many messages are kept; 0 is all
	Log           []string
	Subscriptions []*PubSubSubscription    // in the order they subscribed
	Groups        map[string]*PubSubCursor // those without members too
	Disconnected  map[string]bool          // name => its reason is kept
	Calls         map[string][]string      // name => what its handlers were given
}

// A PubSubSubscription is a handler at a place in the log, which it may share.
type PubSubSubscription struct {
	Name    string
	Cursor  *PubSubCursor
	Handler []*PubSubRule
	Filter  *PubSubFilter // nil for none
}

// A PubSubCursor is where a subscription or a group stands.
type PubSubCursor struct {
	Policy   string
	Next     int64           // offset of the message to offer next
	Attempts int64           // failed tries of that message
	Lost     int64           // messages that were no longer kept (PS-13)
	Parked   []*PubSubLetter // dead letters, in the order of parking
	Again    []*PubSubLetter // those to be offered again, first of all (PS-17)

	Members []*PubSubSubscription // in the order they subscribed
	Turn    int                   // index of the member that has the next call (PS-14)
	Seeks   int                   // how many there were, by which a call knows of one (PS-09)
	Busy    bool                  // a drain is serving it (PS-10)
}

// A PubSubLetter is a message that failed as often as it may.
type PubSubLetter struct {
	Offset   int64
	Payload  string
	Attempts int64
}

// Absent is the offset of what is not there (PS-16).
const Absent = int64(-1)

// NewPubSub makes an empty pub-sub broker.
func NewPubSub(args []any, options map[string]any) (*PubSub, error) {
	return NewPubSubWith(CorrectPubSubRules(), args, options)
}

// NewPubSubWith makes one that follows other rules than the contract's.
func NewPubSubWith(rules PubSubRules, args []any, options map[string]any) (*PubSub, error) {
	p := &PubSub{Rules: rules}
	p.Self = p
	if err := p.judgeNew(args, options); err != nil {
		return nil, err
	}
	return p, nil
}

// CallThrough lets another system, which stands around this broker, carry out
// what handlers do.
func (p *PubSub) CallThrough(outer System) { p.Self = outer }

// Call judges the arguments, then performs the operation, which can no longer
// fail.
func (p *PubSub) Call(op string, args []any) (any, error) {
	c, err := p.judge(op, args)
	if err != nil {
		return nil, err
	}
	return pubsubOperations[op](p, c), nil
}

var pubsubOperations = map[string]func(*PubSub, pubsubCall) any{
	"create_topic": (*PubSub).createTopic,
	"subscribe":    (*PubSub).subscribe,
	"unsubscribe":  (*PubSub).unsubscribe,
	"publish":      (*PubSub).publish,
	"drain":        (*PubSub).drain,
	"seek":         (*PubSub).seek,
	"offset":       (*PubSub).offset,
	"dead_letters": (*PubSub).deadLetters,
	"redeliver":    (*PubSub).redeliver,
	"status":       (*PubSub).status,
	"calls_of":     (*PubSub).callsOf,
}

// createTopic: a duplicate is false and leaves the old topic untouched (PS-01).
func (p *PubSub) createTopic(c pubsubCall) any {
	if c.at != nil {
		return false
	}
	p.Topics = append(p.Topics, &PubSubTopic{
		Name: c.topic, Retain: c.retain, Groups: map[string]*PubSubCursor{},
		Disconnected: map[string]bool{}, Calls: map[string][]string{},
	})
	return true
}

// subscribe: at the end of the log, or where its group stands (PS-02, PS-14). A
// name that subscribes leaves no reason behind (PS-17).
func (p *PubSub) subscribe(c pubsubCall) any {
	s := &PubSubSubscription{Name: c.name, Handler: c.handler, Filter: c.filter}
	s.Cursor = p.cursorFor(c)
	s.Cursor.Members = append(s.Cursor.Members, s)
	c.at.Subscriptions = append(c.at.Subscriptions, s)
	delete(c.at.Disconnected, c.name)
	return nil
}

func (p *PubSub) cursorFor(c pubsubCall) *PubSubCursor {
	if kept := c.at.Groups[c.group]; kept != nil {
		kept.Policy = c.policy
		return kept
	}
	cursor := &PubSubCursor{Policy: c.policy, Next: p.Rules.Start(c.at)}
	if c.group != "" {
		c.at.Groups[c.group] = cursor
	}
	return cursor
}

// unsubscribe: true where there was one to remove. It forgets the reason of a
// disconnection, which is false all the same (PS-08, PS-17).
func (p *PubSub) unsubscribe(c pubsubCall) any {
	if c.at == nil {
		return false
	}
	delete(c.at.Disconnected, c.name)
	if c.of == nil {
		return false
	}
	p.remove(c.at, c.of)
	return true
}

// remove ends a subscription at once: also a drain that is under way finds no
// member to call. The cursor of a group stays with the group (PS-08, PS-14).
func (p *PubSub) remove(t *PubSubTopic, s *PubSubSubscription) {
	t.Subscriptions = without(t.Subscriptions, s)
	p.Rules.Leave(s.Cursor, s)
}

// publish: the offset is the length of the log (PS-01).
func (p *PubSub) publish(c pubsubCall) any {
	if c.at == nil {
		return Absent
	}
	c.at.Log = append(c.at.Log, c.payload)
	return c.at.End() - 1
}

// seek: a call under way hears of it from the number of seeks (PS-09).
func (p *PubSub) seek(c pubsubCall) any {
	if c.of == nil {
		return false
	}
	p.Rules.Seek(c.of.Cursor, c.offset)
	return true
}

// offset: that of the message to be offered next (PS-04, PS-16).
func (p *PubSub) offset(c pubsubCall) any {
	if c.of == nil {
		return Absent
	}
	return c.of.Cursor.Next
}

// deadLetters: what is parked at present, in the order of parking (PS-16).
func (p *PubSub) deadLetters(c pubsubCall) any {
	letters := []any{}
	if c.of == nil {
		return letters
	}
	for _, l := range c.of.Cursor.Parked {
		letters = append(letters, map[string]any{
			"offset": l.Offset, "payload": textValue(l.Payload), "attempts": l.Attempts,
		})
	}
	return letters
}

// redeliver: all of them are offered again, behind those that are already, with
// their tries counted afresh (PS-17).
func (p *PubSub) redeliver(c pubsubCall) any {
	if c.of == nil {
		return int64(0)
	}
	return p.Rules.Redeliver(c.of.Cursor)
}

// status of what is not subscribed is that of nothing, but for the reason of a
// disconnection (PS-17).
func (p *PubSub) status(c pubsubCall) any {
	status := map[string]any{
		"subscribed": false, "offset": Absent, "attempts": int64(0), "lost": int64(0),
		"disconnected": c.at != nil && c.at.Disconnected[c.name],
	}
	if c.of != nil {
		cursor := c.of.Cursor
		status["subscribed"], status["offset"] = true, cursor.Next
		status["attempts"], status["lost"] = cursor.Attempts, cursor.Lost
	}
	return status
}

// callsOf: what the handlers of that name were given, in all its subscriptions.
func (p *PubSub) callsOf(c pubsubCall) any {
	payloads := []any{}
	if c.at == nil {
		return payloads
	}
	for _, payload := range c.at.Calls[c.name] {
		payloads = append(payloads, textValue(payload))
	}
	return payloads
}

// End is the offset of the message to be published next.
func (t *PubSubTopic) End() int64 { return int64(len(t.Log)) }

// Topic finds a topic; nil for none.
func (p *PubSub) Topic(name string) *PubSubTopic {
	for _, t := range p.Topics {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Subscription finds one of the topic; nil for none, and in no topic.
func (t *PubSubTopic) Subscription(name string) *PubSubSubscription {
	if t == nil {
		return nil
	}
	for _, s := range t.Subscriptions {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// without is a new list without this one.
func without[E comparable](list []E, gone E) []E {
	var kept []E
	for _, e := range list {
		if e != gone {
			kept = append(kept, e)
		}
	}
	return kept
}
