package model

import (
	"fmt"
	"strconv"

	"github.com/eventbroker/eventbroker/conformance/surface"
)

// An eventCall is the arguments of one call once they are judged; those that
// the operation does not take stay zero.
type eventCall struct {
	topic, group, member, payload string
	wanted                        any // the partition, before the topic is known
	partition                     int
	partitionCount, maxRecords    int64
	offset                        int64
	batch                         []eventCall // the elements, which have no names
}

// judgeNew: the capacity (EB-01) and the option max_payload.
func (e *Event) judgeNew(args []any, options map[string]any) error {
	values, err := named(eventSystem.New, args)
	if err != nil {
		return fmt.Errorf("new: %w", err)
	}
	e.Capacity, err = integer("capacity_per_partition", values["capacity_per_partition"], e.Rules.Capacity)
	if err != nil {
		return err
	}
	e.MaxPayload, err = maxPayload(options, e.Rules.MaxPayload)
	return err
}

// judge reads the arguments: first each by itself, then whether the topic
// exists (EB-03), and last the partition, whose range depends on the topic.
func (e *Event) judge(op string, args []any) (eventCall, error) {
	var c eventCall
	values, params, err := arguments(eventSystem, op, args)
	if err != nil {
		return c, err
	}
	for _, param := range params {
		if err := e.judgeArgument(&c, param.Name, values[param.Name]); err != nil {
			return c, err
		}
	}
	if op == "create" {
		return c, nil
	}
	topic := e.Topics[c.topic]
	if topic == nil {
		return c, &InvalidArgument{"topic", strconv.Quote(c.topic) + " does not exist"}
	}
	if _, given := values["partition"]; given {
		return c, e.judgePartition(&c, topic)
	}
	return c, e.judgePartitions(params[len(params)-1].Name, c.batch, topic)
}

func (e *Event) judgeArgument(c *eventCall, name string, value any) (err error) {
	switch name {
	case "topic":
		c.topic, err = identifier(name, value, e.Rules.Identifier)
	case "group":
		c.group, err = identifier(name, value, e.Rules.Identifier)
	case "member":
		c.member, err = identifier(name, value, e.Rules.Identifier)
	case "payload":
		c.payload, err = payload(name, value, e.MaxPayload, e.Rules.Payload)
	case "partition_count":
		c.partitionCount, err = integer(name, value, e.Rules.PartitionCount)
	case "max_records":
		c.maxRecords, err = integer(name, value, e.Rules.MaxRecords)
	case "offset":
		c.offset, err = integer(name, value, e.Rules.Offset)
	case "partition":
		c.wanted = value
		_, err = integer(name, value, anyPartition)
	case "messages":
		c.batch, err = e.judgeBatch(name, value, surface.Message)
	case "positions":
		c.batch, err = e.judgeBatch(name, value, surface.Position)
	}
	return err
}

// eventSystem is the row of the surface: which arguments a call has, in which
// order.
var eventSystem, _ = surface.FindSystem("event")
