package model

import (
	"fmt"
	"strconv"

	"github.com/eventbroker/eventbroker/conformance/surface"
)

// A messageCall is the arguments of one call once they are judged; those that
// the operation does not take stay zero.
type messageCall struct {
	topic, group, payload string
	offset, attempt       int64
}

// judgeNew: the limit of attempts (MB-01) and the option max_payload.
func (m *Message) judgeNew(args []any, options map[string]any) error {
	values, err := named(messageSystem.New, args)
	if err != nil {
		return fmt.Errorf("new: %w", err)
	}
	m.MaxAttempts, err = integer("max_attempts", values["max_attempts"], m.Rules.MaxAttempts)
	if err != nil {
		return err
	}
	m.MaxPayload, err = maxPayload(options, m.Rules.MaxPayload)
	return err
}

// judge reads the arguments: first each by itself, then whether the topic
// exists (MB-02).
func (m *Message) judge(op string, args []any) (messageCall, error) {
	var c messageCall
	values, params, err := arguments(messageSystem, op, args)
	if err != nil {
		return c, err
	}
	for _, param := range params {
		if err := m.judgeArgument(&c, param.Name, values[param.Name]); err != nil {
			return c, err
		}
	}
	if op != "create_topic" && m.Topics[c.topic] == nil {
		return c, &InvalidArgument{"topic", strconv.Quote(c.topic) + " does not exist"}
	}
	return c, nil
}

func (m *Message) judgeArgument(c *messageCall, name string, value any) (err error) {
	switch name {
	case "topic":
		c.topic, err = identifier(name, value, m.Rules.Identifier)
	case "group":
		c.group, err = identifier(name, value, m.Rules.Identifier)
	case "payload":
		c.payload, err = payload(name, value, m.MaxPayload, m.Rules.Payload)
	case "offset":
		c.offset, err = integer(name, value, m.Rules.Offset)
	case "attempt":
		c.attempt, err = integer(name, value, m.Rules.Attempt)
	}
	return err
}

// messageSystem is the row of the surface.
var messageSystem, _ = surface.FindSystem("message")
