package main

import (
	"slices"

	"github.com/eventbroker/eventbroker/broker/pubsub"
)

type pubsubOptions struct {
	Dispatcher          *string
	Workers, MaxPayload int
	MaxAttempts         *int // 0 for no limit
}

type topicOptions struct{ Retain int }

type subscribeOptions struct {
	Group, Policy *string
	Filter        *filter
}

func (o pubsubOptions) native() pubsub.Options {
	options := pubsub.Options{Workers: o.Workers, MaxPayload: o.MaxPayload}
	options.Dispatcher = choose(o.Dispatcher, []string{"synchronous", "lanes", "pool"}, pubsub.Synchronous, pubsub.Lanes, pubsub.Pool)
	if o.MaxAttempts != nil {
		options.MaxAttempts = *o.MaxAttempts
		if *o.MaxAttempts == 0 {
			options.MaxAttempts = pubsub.NoLimit
		}
	}
	return options
}

func (o subscribeOptions) native() (with []pubsub.SubscribeOption) {
	if o.Group != nil {
		with = append(with, pubsub.InGroup(*o.Group))
	}
	if o.Filter != nil {
		with = append(with, pubsub.Where(o.Filter.lets))
	}
	policy := choose(o.Policy, []string{"drop", "disconnect", "block"}, pubsub.Drop, pubsub.Disconnect, pubsub.Block)
	return append(with, pubsub.WithPolicy(policy))
}

// choose gives the value that a word stands for: the first when none is given,
// and one that there is not for a word that there is not.
func choose[T ~int](word *string, words []string, values ...T) T {
	if word == nil {
		return values[0]
	}
	if i := slices.Index(words, *word); i >= 0 {
		return values[i]
	}
	return -1
}

// A filter says which payloads a subscription is for.
type filter struct{ Pass, Throw []string }

func (f *filter) lets(m pubsub.Message) bool {
	if slices.Contains(f.Throw, m.Payload) {
		panic("the filter throws")
	}
	return slices.Contains(f.Pass, m.Payload)
}
