// Package pubsub has the faults of the pub-sub broker.
package pubsub

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

var broken = faults.Model[model.PubSubRules, *model.PubSub]{
	System: "pubsub", Correct: model.CorrectPubSubRules, New: newFused,
}

// correct are the rules that faults bend.
var correct = model.CorrectPubSubRules()

type (
	fault        = faults.Fault[model.PubSubRules, *model.PubSub]
	call         = faults.Call
	perform      = faults.Perform
	rules        = model.PubSubRules
	topic        = model.PubSubTopic
	subscription = model.PubSubSubscription
	cursor       = model.PubSubCursor
	delivery     = model.PubSubDelivery
	letter       = model.PubSubLetter
)

var (
	doneAllTheSame = faults.DoneAllTheSame[*model.PubSub]
	unchecked      = faults.Unchecked[model.PubSubRules, *model.PubSub]
	nullAccepted   = faults.NullAccepted[model.PubSubRules, *model.PubSub]
)

// mostCalls is more than any case makes.
const mostCalls = 20_000

// newFused makes a broker that has nothing left to offer after so many calls:
// some faults would offer for ever.
func newFused(r rules, args []any, options map[string]any) (*model.PubSub, error) {
	waits, calls := r.Waits, 0
	r.Waits = func(t *topic, c *cursor) bool {
		calls++
		return calls < mostCalls && waits(t, c)
	}
	return model.NewPubSubWith(r, args, options)
}

func topicOf(p *model.PubSub, c call) *topic { return p.Topic(c.Text("topic")) }

// of is the subscription that a call is about, nil where there is none.
func of(p *model.PubSub, c call) *subscription { return topicOf(p, c).Subscription(c.Text("name")) }

func absent(p *model.PubSub, c call) bool { return of(p, c) == nil }

func present(p *model.PubSub, c call) bool { return of(p, c) != nil }

func absentTopic(p *model.PubSub, c call) bool { return topicOf(p, c) == nil }

func presentTopic(p *model.PubSub, c call) bool { return topicOf(p, c) != nil }

// before spoils the subscription before these operations, where it exists.
func before(spoil func(t *topic, s *subscription), ops ...string) func(*model.PubSub) perform {
	return faults.Before(func(p *model.PubSub, c call) {
		if s := of(p, c); s != nil {
			spoil(topicOf(p, c), s)
		}
	}, ops...)
}

// after changes what comes of these operations, where they are about a
// subscription that exists.
func after(change func(t *topic, s *subscription, result any) any, ops ...string) func(*model.PubSub) perform {
	return faults.After(func(p *model.PubSub, c call, result any) any {
		if s := of(p, c); s != nil {
			return change(topicOf(p, c), s, result)
		}
		return result
	}, ops...)
}

// whenAbsent changes the answer about what does not exist.
func whenAbsent(answer any, ops ...string) func(*model.PubSub) perform {
	return faults.After(func(p *model.PubSub, c call, result any) any {
		if c.Op == "publish" && presentTopic(p, c) || c.Op != "publish" && present(p, c) {
			return result
		}
		return answer
	}, ops...)
}

// answers gives this result in place of the right one.
func answers(result any, ops ...string) func(*model.PubSub) perform {
	return faults.After(func(*model.PubSub, call, any) any { return result }, ops...)
}

// nesting tells calls from inside a handler from all others: they come while a
// drain is under way.
func nesting(do func(p *model.PubSub, c call, inside bool) (any, error)) func(*model.PubSub) perform {
	return func(p *model.PubSub) perform {
		drains := 0
		return func(c call) (any, error) {
			inside := drains > 0
			if c.Op == "drain" {
				drains++
				defer func() { drains-- }()
			}
			return do(p, c, inside)
		}
	}
}

// notInside answers an operation inside a handler without performing it.
func notInside(op string, answer any) func(*model.PubSub) perform {
	return nesting(func(p *model.PubSub, c call, inside bool) (any, error) {
		if c.Op == op && inside {
			return answer, nil
		}
		return faults.PerformOn(p)(c)
	})
}

// afterTheDrain answers an operation inside a handler, and performs it when the
// drain is over.
func afterTheDrain(op string, answer any) func(*model.PubSub) perform {
	return func(p *model.PubSub) perform {
		kept := []call(nil)
		return nesting(func(p *model.PubSub, c call, inside bool) (any, error) {
			if c.Op == op && inside {
				kept = append(kept, c)
				return answer, nil
			}
			result, err := faults.PerformOn(p)(c)
			if c.Op == "drain" && !inside {
				for _, c := range kept {
					_, _ = faults.PerformOn(p)(c)
				}
				kept = nil
			}
			return result, err
		})(p)
	}
}
