package main

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/eventbroker/eventbroker/broker/pubsub"
)

// A rule is a line of what a handler does.
type rule struct {
	Match *string // nil matches all
	Times int     // 0 is without end
	Do    []any   // calls
	Ret   any     // nil for true
}

func (r rule) acts(payload string, used int) bool {
	return (r.Match == nil || *r.Match == payload) && (r.Times == 0 || used < r.Times)
}

var errRefused = errors.New("the handler refuses")

// end is how the handler ends: it confirms, refuses or panics.
func (r rule) end() error {
	switch r.Ret {
	case false:
		return errRefused
	case "throw":
		panic("the handler throws")
	}
	return nil
}

// A record has the payloads that handlers were given, by topic and name.
type record struct {
	mu    sync.Mutex // lanes and pools have handlers run at once
	calls map[[2]string][]string
}

func (r *record) add(topic, name, payload string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.calls[[2]string{topic, name}] = append(r.calls[[2]string{topic, name}], payload)
}

func (r *record) of(topic, name string) ([]string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.calls[[2]string{topic, name}]), nil
}

// handler follows the rules and confirms where none of them acts. A call that
// fails is passed over.
func (r *record) handler(call func(op string, args []any), name string, rules []rule) pubsub.Handler {
	used := make([]int, len(rules)) // a subscription never runs two calls at once (PS-10)
	return func(_ context.Context, m pubsub.Message) error {
		r.add(m.Topic, name, m.Payload)
		for i, rule := range rules {
			if !rule.acts(m.Payload, used[i]) {
				continue
			}
			used[i]++
			for _, c := range rule.Do {
				opAndArgs := c.([]any)
				call(opAndArgs[0].(string), opAndArgs[1:])
			}
			return rule.end()
		}
		return nil
	}
}
