package pubsub

import (
	"slices"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// The policies disconnect and block, and what is taken for a policy (PS-13).
var policies = []fault{
	{
		Name:  "policy-disconnect-drops",
		What:  "The policy disconnect is accepted and means drop.",
		Case:  "pubsub-disconnect-ends-the-subscription-that-is-behind",
		Hears: inPolicy(func(string) string { return "drop" }),
	}, {
		Name: "policy-drop-disconnects",
		What: "Without a policy a subscription that falls behind ends.",
		Case: "pubsub-retain-keeps-the-last-n",
		Hears: func(c *call) {
			if _, given := c.Args["policy"]; c.Op == "subscribe" && !given {
				c.Args["policy"] = model.Disconnect
			}
		},
	}, {
		Name: "policy-of-the-topic",
		What: "All subscriptions of a topic have the policy of the one made last.",
		Case: "pubsub-disconnect-leaves-the-others-alone",
		Around: after(func(t *topic, s *subscription, result any) any {
			for _, other := range t.Subscriptions {
				other.Cursor.Policy = s.Cursor.Policy
			}
			return result
		}, "subscribe"),
	}, {
		Name:  "policy-unknown-is-the-default",
		What:  "A policy that there is not means drop.",
		Case:  "pubsub-subscribe-with-an-unknown-policy-is-invalid",
		Hears: inPolicy(knownOrDrop),
	}, {
		Name:  "policy-folded",
		What:  "A policy may be written in capitals.",
		Case:  "pubsub-subscribe-with-an-unknown-policy-is-invalid",
		Hears: inPolicy(strings.ToLower),
	}, {
		Name:  "policy-block-accepted-when-synchronous",
		What:  "The policy block is accepted with the synchronous dispatcher.",
		Case:  "pubsub-block-with-the-synchronous-dispatcher-is-invalid",
		Rules: func(r *rules) { r.BlockSynchronous = true },
	}, {
		Name:  "policy-block-drops-when-synchronous",
		What:  "The policy block means drop with the synchronous dispatcher.",
		Case:  "pubsub-block-with-the-synchronous-dispatcher-is-invalid",
		Hears: inPolicy(another(model.Block, "drop")),
	}, {
		Name: "policy-block-refused-everywhere",
		What: "There is no policy block.",
		Case: "pubsub-pool-accepts-the-policy-block",
		Around: faults.Refuses(func(_ *model.PubSub, c call) bool {
			return c.Args["policy"] == model.Block
		}, "subscribe"),
	}, {
		Name:  "block-pushes-messages-out",
		What:  "A publisher waits for nobody, so that a subscription with the policy block loses messages.",
		Case:  "pubsub-block-publisher-times-out",
		Rules: holdingUp(func(*topic) bool { return false }),
	}, {
		Name: "block-for-every-policy",
		What: "A publisher waits for every subscription that has to take the earliest message.",
		Case: "pubsub-block-does-not-hold-up-for-other-policies",
		Rules: holdingUp(func(t *topic) bool {
			full := t.Retain > 0 && t.End()-correct.Earliest(t) == t.Retain
			return full && behind(t, func(s *subscription) bool { return s.Cursor.Next <= correct.Earliest(t) })
		}),
	}, {
		Name: "block-without-a-limit-of-messages",
		What: "A publisher waits also where the topic keeps all messages.",
		Case: "pubsub-block-on-a-topic-that-keeps-all",
		Rules: holdingUp(func(t *topic) bool {
			return behind(t, func(s *subscription) bool { return s.Cursor.Policy == model.Block && s.Cursor.Next < t.End() })
		}),
	}, {
		Name: "block-before-the-topic-is-full",
		What: "A publisher waits until all is taken, though there is room.",
		Case: "pubsub-block-does-not-hold-up-while-there-is-room",
		Rules: holdingUp(func(t *topic) bool {
			return t.Retain > 0 && behind(t, func(s *subscription) bool { return s.Cursor.Policy == model.Block && s.Cursor.Next < t.End() })
		}),
	}, {
		Name: "block-is-for-good",
		What: "A publisher waits also for a subscription that has ended.",
		Case: "pubsub-block-publisher-times-out",
		Rules: func(r *rules) {
			held := map[*topic]bool{}
			r.HoldsUp = func(t *topic) bool {
				held[t] = held[t] || correct.HoldsUp(t)
				return held[t]
			}
		},
	}, {
		Name: "block-for-a-group-without-members",
		What: "A publisher waits also for a group that has no members.",
		Case: "pubsub-block-group-without-members-holds-up-nobody",
		Rules: holdingUp(func(t *topic) bool {
			earliest := correct.Earliest(t)
			for _, g := range t.Groups {
				if g.Policy == model.Block && len(g.Members) == 0 && t.Retain > 0 && g.Next <= earliest && t.End()-earliest == t.Retain {
					return true
				}
			}
			return correct.HoldsUp(t)
		}),
	}, {
		Name: "block-uses-an-offset-up",
		What: "A publish that waited in vain has appended the message all the same.",
		Case: "pubsub-block-publisher-times-out",
		Around: faults.Refusing(func(p *model.PubSub, c call) {
			if t := topicOf(p, c); t != nil && correct.HoldsUp(t) {
				t.Log = append(t.Log, c.Text("payload"))
			}
		}, "publish"),
	}, {
		Name:   "block-answers-minus-1",
		What:   "A publish that waited in vain answers -1.",
		Case:   "pubsub-block-publisher-times-out",
		Around: faults.Answers(model.Absent, heldUp, "publish"),
	}, {
		Name:   "block-fails-as-an-invalid-argument",
		What:   "A publish that waited in vain is an invalid argument.",
		Case:   "pubsub-block-publisher-times-out",
		Around: faults.Refuses(heldUp, "publish"),
	}, {
		Name: "disconnect-passed-over",
		What: "Who falls behind under the policy disconnect is offered nothing more and stays.",
		Case: "pubsub-disconnect-ends-the-subscription-that-is-behind",
		Rules: func(r *rules) {
			r.Disconnect = func(t *topic, c *cursor) { c.Next = t.End() }
		},
	}, {
		Name: "disconnect-ends-the-topic",
		What: "Who falls behind under the policy disconnect takes all subscriptions of the topic along.",
		Case: "pubsub-disconnect-leaves-the-others-alone",
		Rules: func(r *rules) {
			r.Disconnect = func(t *topic, _ *cursor) {
				for c := range correct.Cursors(t) {
					correct.Disconnect(t, c)
				}
			}
		},
	}, {
		Name: "disconnect-without-reason",
		What: "Who is disconnected looks like somebody who left.",
		Case: "status-of-a-disconnected-name",
		Rules: func(r *rules) {
			r.Disconnect = func(t *topic, c *cursor) {
				correct.Disconnect(t, c)
				clear(t.Disconnected)
			}
		},
	}, {
		Name: "disconnect-hands-out-what-is-kept",
		What: "Who falls behind under the policy disconnect is offered what is kept, and then ends.",
		Case: "pubsub-disconnect-ends-the-subscription-that-is-behind",
		Rules: func(r *rules) {
			ends := map[*cursor]bool{}
			r.Disconnect = func(t *topic, c *cursor) {
				correct.Drop(c, correct.Earliest(t))
				ends[c] = true
			}
			r.Waits = func(t *topic, c *cursor) bool {
				if ends[c] && !correct.Waits(t, c) {
					correct.Disconnect(t, c)
				}
				return correct.Waits(t, c)
			}
		},
	}, {
		Name: "disconnected-name-stays-in-use",
		What: "A name that was disconnected cannot subscribe again.",
		Case: "pubsub-disconnect-leaves-the-name-free",
		Around: faults.Refuses(func(p *model.PubSub, c call) bool {
			t := topicOf(p, c)
			return t != nil && t.Disconnected[c.Text("name")]
		}, "subscribe"),
	}, {
		Name: "unsubscribe-of-the-disconnected-answers-true",
		What: "An unsubscribe is true where the subscription was disconnected.",
		Case: "status-of-a-disconnected-name",
		Around: func(p *model.PubSub) perform {
			return func(c call) (any, error) {
				t := topicOf(p, c)
				was := c.Op == "unsubscribe" && t != nil && t.Disconnected[c.Text("name")]
				result, err := faults.PerformOn(p)(c)
				if was && err == nil {
					result = true
				}
				return result, err
			}
		},
	},
}

func holdingUp(holdsUp func(*topic) bool) func(*rules) {
	return func(r *rules) { r.HoldsUp = holdsUp }
}

func heldUp(p *model.PubSub, c call) bool {
	return presentTopic(p, c) && correct.HoldsUp(topicOf(p, c))
}

// behind: a subscription of the topic is so.
func behind(t *topic, is func(*subscription) bool) bool {
	return slices.ContainsFunc(t.Subscriptions, is)
}

func inPolicy(change func(string) string) func(*call) {
	return func(c *call) { faults.ChangeText(c, "policy", change) }
}

func knownOrDrop(policy string) string {
	switch policy {
	case model.Disconnect, model.Block:
		return policy
	}
	return "drop"
}
