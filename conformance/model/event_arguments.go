package model

import (
	"fmt"
	"math"
	"strconv"

	"github.com/eventbroker/eventbroker/conformance/surface"
)

// defaultMaxPayload is the limit in bytes without the option max_payload.
const defaultMaxPayload = 1024

// An eventCall is the arguments of one call once they are judged; those that
// the operation does not take stay zero.
type eventCall struct {
	topic, group, member, payload string
	partition                     int
	partitionCount, maxRecords    int64
	offset                        int64
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
	e.MaxPayload = defaultMaxPayload
	for name, value := range options {
		if name != "max_payload" {
			return fmt.Errorf("new: there is no option %q", name)
		}
		if e.MaxPayload, err = integer(name, value, e.Rules.MaxPayload); err != nil {
			return err
		}
	}
	return nil
}

// judge reads the arguments: first each by itself, then whether the topic
// exists (EB-03), and last the partition, whose range depends on the topic.
func (e *Event) judge(op string, args []any) (eventCall, error) {
	var c eventCall
	operation, known := eventSystem.Find(op)
	if !known {
		return c, fmt.Errorf("there is no operation %q", op)
	}
	values, err := named(operation.Params, args)
	if err != nil {
		return c, fmt.Errorf("%s: %w", op, err)
	}
	for _, param := range operation.Params {
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
	if partition, given := values["partition"]; given {
		n, err := integer("partition", partition, e.Rules.Partition(len(topic.Partitions)))
		c.partition = int(n)
		return c, err
	}
	return c, nil
}

func (e *Event) judgeArgument(c *eventCall, name string, value any) (err error) {
	switch name {
	case "topic":
		c.topic, err = e.identifier(name, value)
	case "group":
		c.group, err = e.identifier(name, value)
	case "member":
		c.member, err = e.identifier(name, value)
	case "payload":
		c.payload, err = e.payload(name, value)
	case "partition_count":
		c.partitionCount, err = integer(name, value, e.Rules.PartitionCount)
	case "max_records":
		c.maxRecords, err = integer(name, value, e.Rules.MaxRecords)
	case "offset":
		c.offset, err = integer(name, value, e.Rules.Offset)
	case "partition":
		_, err = integer(name, value, Range{math.MinInt64, math.MaxInt64})
	}
	return err
}

func (e *Event) identifier(name string, value any) (string, error) {
	s, err := text(name, value)
	if err == nil && !e.Rules.Identifier(s) {
		err = &InvalidArgument{name, strconv.Quote(s) + " is not 1 to 64 of A-Z a-z 0-9 _ -"}
	}
	return s, err
}

func (e *Event) payload(name string, value any) (string, error) {
	s, err := text(name, value)
	if err == nil && !e.Rules.Payload(s, e.MaxPayload) {
		err = &InvalidArgument{name, fmt.Sprintf("%d bytes are not UTF-8 of at most %d bytes", len(s), e.MaxPayload)}
	}
	return s, err
}

// eventSystem is the row of the surface: which arguments a call has, in which
// order.
var eventSystem, _ = surface.FindSystem("event")
