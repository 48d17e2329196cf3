package model

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/eventbroker/eventbroker/conformance/surface"
)

// Words of the options dispatcher and policy.
const (
	Synchronous = "synchronous"
	Disconnect  = "disconnect"
	Block       = "block"

	lanes = "lanes"
	pool  = "pool"
	drop  = "drop"
)

// DefaultMaxAttempts is the limit of tries without the option max_attempts
// (PS-07).
const DefaultMaxAttempts = 3

// A pubsubCall is the arguments of one call once they are judged; those that
// the operation does not take stay zero. Behind them is what they name, nil
// where it does not exist.
type pubsubCall struct {
	topic, name, payload string
	offset, retain       int64
	handler              []*PubSubRule
	group, policy        string
	filter               *PubSubFilter

	at *PubSubTopic
	of *PubSubSubscription
}

// judgeNew: options alone (PS-07, PS-11, PS-16).
func (p *PubSub) judgeNew(args []any, options map[string]any) error {
	if _, err := named(pubsubSystem.New, args); err != nil {
		return fmt.Errorf("new: %w", err)
	}
	p.Dispatcher, p.MaxAttempts, p.MaxPayload = Synchronous, DefaultMaxAttempts, defaultMaxPayload
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if err := p.judgeOption(name, options[name]); err != nil {
			return err
		}
	}
	if _, given := options["workers"]; given && p.Dispatcher != pool {
		return &InvalidArgument{"workers", "is an option of the pool only"}
	}
	return nil
}

func (p *PubSub) judgeOption(name string, value any) (err error) {
	switch name {
	case "dispatcher":
		p.Dispatcher, err = choice(name, value, Synchronous, lanes, pool)
	case "workers":
		_, err = integer(name, value, p.Rules.Workers)
	case "max_attempts":
		p.MaxAttempts, err = integer(name, value, p.Rules.MaxAttempts)
	case "max_payload":
		p.MaxPayload, err = integer(name, value, p.Rules.MaxPayload)
	default:
		err = fmt.Errorf("new: there is no option %q", name)
	}
	return err
}

// judge reads the arguments: first each by itself, options with them, and then
// what they are about (PS-16).
func (p *PubSub) judge(op string, args []any) (pubsubCall, error) {
	c := pubsubCall{policy: drop}
	args, options := split(op, args)
	if err := p.judgeArguments(op, &c, args); err != nil {
		return c, err
	}
	if err := p.judgeOptions(op, &c, options); err != nil {
		return c, err
	}
	c.at = p.Topic(c.topic)
	c.of = c.at.Subscription(c.name)
	return c, p.judgePlace(op, c)
}

func (p *PubSub) judgeArguments(op string, c *pubsubCall, args []any) error {
	values, params, err := arguments(pubsubSystem, op, args)
	if err != nil {
		return err
	}
	for _, param := range params {
		if err := p.judgeArgument(op, c, param.Name, values[param.Name]); err != nil {
			return err
		}
	}
	return nil
}

func (p *PubSub) judgeOptions(op string, c *pubsubCall, options map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if err := p.judgeCallOption(op, c, name, options[name]); err != nil {
			return err
		}
	}
	return p.judgeTogether(*c)
}

// split takes the map of options from the end, where the operation has no
// argument in that place.
func split(op string, args []any) ([]any, map[string]any) {
	operation, _ := pubsubSystem.Find(op)
	last := len(operation.Params)
	if len(args) != last+1 {
		return args, nil
	}
	options, is := args[last].(map[string]any)
	if !is {
		return args, nil
	}
	return args[:last], options
}

func (p *PubSub) judgeArgument(op string, c *pubsubCall, name string, value any) (err error) {
	is := p.Rules.Identifier
	if op == "calls_of" { // which the adapter answers, not the broker
		is = func(string) bool { return true }
	}
	switch name {
	case "topic":
		c.topic, err = identifier(name, value, is)
	case "name":
		c.name, err = identifier(name, value, is)
	case "payload":
		c.payload, err = payload(name, value, p.MaxPayload, p.Rules.Payload)
	case "offset":
		c.offset, err = integer(name, value, p.Rules.Offset)
	case "rules":
		c.handler, err = readHandler(value)
	}
	return err
}

func (p *PubSub) judgeCallOption(op string, c *pubsubCall, name string, value any) (err error) {
	switch op + " " + name {
	case "create_topic retain":
		c.retain, err = integer(name, value, p.Rules.Retain)
	case "subscribe group":
		c.group, err = identifier(name, value, p.Rules.Identifier)
	case "subscribe policy":
		c.policy, err = choice(name, value, drop, Disconnect, Block)
	case "subscribe filter":
		c.filter, err = readFilter(value)
	default:
		err = fmt.Errorf("%s: there is no option %q", op, name)
	}
	return err
}

// judgeTogether: options that do not go with each other (PS-13, PS-14).
func (p *PubSub) judgeTogether(c pubsubCall) error {
	if c.group != "" && c.filter != nil && !p.Rules.FilterInGroup {
		return &InvalidArgument{"filter", "is not allowed in a group"}
	}
	if c.policy == Block && p.Dispatcher == Synchronous && !p.Rules.BlockSynchronous {
		return &InvalidArgument{"policy", "block needs the dispatcher lanes or pool"}
	}
	return nil
}

// judgePlace: what depends on what exists. Only subscribe is invalid about an
// absent topic (PS-02, PS-09, PS-14, PS-16). A publish that has to wait does so
// in vain, since nothing is delivered meanwhile (PS-13).
func (p *PubSub) judgePlace(op string, c pubsubCall) error {
	switch {
	case op == "subscribe":
		return p.judgeSubscription(c)
	case op == "publish" && c.at != nil && p.Rules.HoldsUp(c.at):
		return &TimedOut{strconv.Quote(c.topic) + " is full"}
	case op == "seek" && c.of != nil:
		_, err := integer("offset", c.offset, p.Rules.SeekTo(p, c.at))
		return err
	}
	return nil
}

func (p *PubSub) judgeSubscription(c pubsubCall) error {
	if c.at == nil {
		return &InvalidArgument{"topic", strconv.Quote(c.topic) + " does not exist"}
	}
	if c.of != nil {
		return &InvalidArgument{"name", strconv.Quote(c.name) + " is in use"}
	}
	group := c.at.Groups[c.group]
	if group != nil && len(group.Members) > 0 && !p.Rules.MayJoin(group, c.policy) {
		return &InvalidArgument{"policy", "the group has " + group.Policy}
	}
	return nil
}

// choice reads one of these words.
func choice(name string, value any, words ...string) (string, error) {
	word, err := text(name, value)
	if err == nil && !slices.Contains(words, word) {
		err = &InvalidArgument{name, strconv.Quote(word) + " is none of " + fmt.Sprint(words)}
	}
	return word, err
}

// pubsubSystem is the row of the surface.
var pubsubSystem, _ = surface.FindSystem("pubsub")
