package model

import "slices"

// Full is what publish answers where there is no room (EB-05).
const Full int64 = -1

// NoDelivery stands in a cursor for "nothing is in flight". No offset is
// negative.
const NoDelivery int64 = -1

// An Event is the model of the EventBroker. Its state is open: failure reports
// show it, generators draw from it and faults spoil it.
type Event struct {
	Rules      EventRules
	Capacity   int64 // of every partition, in records
	MaxPayload int64 // in bytes
	Topics     map[string]*EventTopic
}

// An EventTopic has its partitions by number and its groups by name.
type EventTopic struct {
	Partitions []*EventPartition
	Groups     map[string]*EventGroup
}

// An EventPartition is a log: what is retained, oldest first, and the offset
// that the next record will get.
type EventPartition struct {
	Retained []EventRecord
	Next     int64
}

// An EventRecord is a retained record; topic and partition are where it lies.
type EventRecord struct {
	Offset  int64
	Payload string
}

// An EventGroup has its members in the order of ownership and one cursor for
// each partition of the topic.
type EventGroup struct {
	Members []string
	Cursors []EventCursor
}

// An EventCursor is where a group stands in one partition.
type EventCursor struct {
	Owner     string // the member, or "" for nobody
	Committed int64  // the first offset not acknowledged
	InFlight  int64  // the offset delivered to Owner, or NoDelivery
}

// NewEvent makes an empty EventBroker (EB-01).
func NewEvent(args []any, options map[string]any) (*Event, error) {
	return NewEventWith(CorrectEventRules(), args, options)
}

// NewEventWith makes one that follows other rules than the contract's.
func NewEventWith(rules EventRules, args []any, options map[string]any) (*Event, error) {
	e := &Event{Rules: rules, Topics: map[string]*EventTopic{}}
	if err := e.judgeNew(args, options); err != nil {
		return nil, err
	}
	return e, nil
}

// Call judges the arguments, then performs the operation, which can no longer
// fail (EB-04).
func (e *Event) Call(op string, args []any) (any, error) {
	c, err := e.judge(op, args)
	if err != nil {
		return nil, err
	}
	return eventOperations[op](e, c), nil
}

var eventOperations = map[string]func(*Event, eventCall) any{
	"create":       (*Event).create,
	"join":         (*Event).join,
	"leave":        (*Event).leave,
	"publish":      (*Event).publish,
	"poll":         (*Event).poll,
	"ack":          (*Event).ack,
	"retry":        (*Event).retry,
	"publish_many": (*Event).publishMany,
	"ack_many":     (*Event).ackMany,
}

// create: a duplicate is false and leaves the old topic untouched (EB-02).
func (e *Event) create(c eventCall) any {
	if e.Topics[c.topic] != nil {
		return false
	}
	topic := &EventTopic{Groups: map[string]*EventGroup{}}
	for range c.partitionCount {
		topic.Partitions = append(topic.Partitions, &EventPartition{})
	}
	e.Topics[c.topic] = topic
	return true
}

// join: makes the group where it is new (EB-06); a member's second join changes
// nothing (EB-09). The answer is the caller's partitions, ascending (EB-08).
func (e *Event) join(c eventCall) any {
	topic := e.Topics[c.topic]
	if topic.Groups[c.group] == nil {
		topic.Groups[c.group] = e.newGroup(topic)
	}
	group := topic.Groups[c.group]
	if !slices.Contains(group.Members, c.member) {
		group.Members = append(group.Members, c.member)
		e.rebalance(topic, group)
	}
	owned := []any{}
	for p, cursor := range group.Cursors {
		if cursor.Owner == c.member {
			owned = append(owned, int64(p))
		}
	}
	return owned
}

func (e *Event) newGroup(topic *EventTopic) *EventGroup {
	group := &EventGroup{}
	for _, partition := range topic.Partitions {
		start := e.Rules.Start(partition)
		group.Cursors = append(group.Cursors, EventCursor{Committed: start, InFlight: NoDelivery})
	}
	return group
}

// leave: false for an absent group or member, which changes nothing (EB-06,
// EB-09). The group stays when its last member goes (EB-11).
func (e *Event) leave(c eventCall) any {
	topic := e.Topics[c.topic]
	group := topic.Groups[c.group]
	if group == nil || !slices.Contains(group.Members, c.member) {
		return false
	}
	group.Members = slices.DeleteFunc(group.Members, func(m string) bool { return m == c.member })
	e.rebalance(topic, group)
	return true
}

// rebalance replaces the whole assignment after a change of membership (EB-10).
func (e *Event) rebalance(topic *EventTopic, group *EventGroup) {
	e.Rules.Sort(group.Members)
	for p, owner := range e.Rules.Assign(group) {
		group.Cursors[p] = e.Rules.HandOver(group.Cursors[p], owner, topic.Partitions[p])
	}
}

// publish: a full partition answers -1 and uses no offset up (EB-05).
func (e *Event) publish(c eventCall) any {
	topic := e.Topics[c.topic]
	if e.Rules.IsFull(e, topic, c.partition) {
		return Full
	}
	partition := topic.Partitions[c.partition]
	record := EventRecord{Offset: partition.Next, Payload: c.payload}
	partition.Retained = append(partition.Retained, record)
	partition.Next++
	return record.Offset
}

// poll: the reserved records, in the order of their partitions; none for an
// absent group or member, which poll does not make (EB-06, EB-12).
func (e *Event) poll(c eventCall) any {
	topic := e.Topics[c.topic]
	group := topic.Groups[c.group]
	records := []any{}
	if group == nil {
		return records
	}
	for _, p := range e.Rules.Reserve(topic, group, c.member, c.maxRecords) {
		cursor := &group.Cursors[p]
		record, _ := topic.Partitions[p].At(cursor.Committed)
		cursor.InFlight = record.Offset
		records = append(records, recordValue(c.topic, p, record))
	}
	return records
}

// ack commits the delivery, then removes what every group has acknowledged, in
// the same instant (EB-13, EB-14).
func (e *Event) ack(c eventCall) any {
	topic := e.Topics[c.topic]
	cursor := topic.cursor(c.group, c.partition)
	if cursor == nil || !e.Rules.MayAck(*cursor, c.member, c.offset) {
		return false
	}
	*cursor = e.Rules.Acked(*cursor)
	e.RemoveAcknowledged(topic)
	return true
}

// retry clears the delivery and leaves progress where it was (EB-13).
func (e *Event) retry(c eventCall) any {
	cursor := e.Topics[c.topic].cursor(c.group, c.partition)
	if cursor == nil || !e.Rules.MayRetry(*cursor, c.member, c.offset) {
		return false
	}
	*cursor = e.Rules.Retried(*cursor)
	return true
}

// RemoveAcknowledged drops the records that retention no longer holds (EB-14).
func (e *Event) RemoveAcknowledged(topic *EventTopic) {
	for p, partition := range topic.Partitions {
		partition.Retained = slices.DeleteFunc(partition.Retained, func(r EventRecord) bool {
			return e.Rules.Removable(topic, p, r.Offset)
		})
	}
}

// At finds the retained record with this offset.
func (p *EventPartition) At(offset int64) (EventRecord, bool) {
	for _, record := range p.Retained {
		if record.Offset == offset {
			return record, true
		}
	}
	return EventRecord{}, false
}

// cursor is where a group stands in a partition; nil for an absent group.
func (t *EventTopic) cursor(group string, partition int) *EventCursor {
	if t.Groups[group] == nil {
		return nil
	}
	return &t.Groups[group].Cursors[partition]
}

// recordValue is a record as the wire has it (EB-16).
func recordValue(topic string, partition int, r EventRecord) map[string]any {
	return map[string]any{
		"topic": topic, "partition": int64(partition), "offset": r.Offset, "payload": textValue(r.Payload),
	}
}
