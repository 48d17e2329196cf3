package model

import (
	"errors"
	"fmt"
	"math"

	"github.com/eventbroker/eventbroker/conformance/surface"
)

// Batches: what their elements would do as calls of their own, in turn (EB-17).

func (e *Event) publishMany(c eventCall) any { return e.inTurn(c, e.publish) }

func (e *Event) ackMany(c eventCall) any { return e.inTurn(c, e.ack) }

func (e *Event) inTurn(c eventCall, perform func(eventCall) any) any {
	answers := []any{}
	for _, element := range c.batch {
		element.topic, element.group, element.member = c.topic, c.group, c.member
		answers = append(answers, perform(element))
	}
	return answers
}

// judgeBatch reads the elements of a batch, whose fields are judged as the
// arguments that they stand for.
func (e *Event) judgeBatch(name string, value any, of *surface.Tuple) ([]eventCall, error) {
	list, is := value.([]any)
	if !is {
		return nil, fmt.Errorf("%s: %T is not a list", name, value)
	}
	if n := int64(len(list)); !e.Rules.Batch.contains(n) {
		return nil, &InvalidArgument{name, fmt.Sprintf("%d elements, outside %d through %d", n, e.Rules.Batch.Min, e.Rules.Batch.Max)}
	}
	batch := make([]eventCall, len(list))
	for i, element := range list {
		fields, _ := element.([]any)
		values, err := named(of.Fields, fields)
		if err != nil {
			return nil, fmt.Errorf("%s %d: %w", of, i, err)
		}
		for _, field := range of.Fields {
			if err := e.judgeArgument(&batch[i], field.Name, values[field.Name]); err != nil {
				return nil, ofElement(err, name, fmt.Sprintf("%s %d", of, i))
			}
		}
	}
	return batch, nil
}

// judgePartitions judges what depends on the topic.
func (e *Event) judgePartitions(name string, batch []eventCall, topic *EventTopic) error {
	for i := range batch {
		if err := e.judgePartition(&batch[i], topic); err != nil {
			return ofElement(err, name, fmt.Sprint("element ", i))
		}
	}
	return nil
}

func (e *Event) judgePartition(c *eventCall, topic *EventTopic) error {
	n, err := integer("partition", c.wanted, e.Rules.Partition(len(topic.Partitions)))
	c.partition = int(n)
	return err
}

// anyPartition is all that can be judged of one before its topic is known.
var anyPartition = Range{math.MinInt64, math.MaxInt64}

// ofElement says that it is the batch which is refused.
func ofElement(err error, name, element string) error {
	var refused *InvalidArgument
	if !errors.As(err, &refused) {
		return fmt.Errorf("%s: %s: %w", name, element, err)
	}
	return &InvalidArgument{name, refused.Argument + " of " + element + ": " + refused.Reason}
}
