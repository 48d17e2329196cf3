package pubsub

import (
	"cmp"
	"iter"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Groups that share a place (PS-14).
var groups = []fault{
	{
		Name:  "group-passed-over",
		What:  "A group is accepted and every member gets every message.",
		Case:  "pubsub-group-gives-each-message-to-one-member",
		Hears: func(c *call) { delete(c.Args, "group") },
	}, {
		Name:  "group-turn-not-rotated",
		What:  "The first member of a group has every call.",
		Case:  "pubsub-group-gives-each-message-to-one-member",
		Rules: rotating(func(*cursor, *subscription) {}),
	}, {
		Name: "group-turn-rotated-by-drain",
		What: "The turn of a group passes on when a drain begins, not after a call.",
		Case: "pubsub-group-gives-each-message-to-one-member",
		Rules: func(r *rules) {
			r.Rotate = func(*cursor, *subscription) {}
			r.MayServe = func(c *cursor) bool {
				if may := correct.MayServe(c); !may || len(c.Members) == 0 {
					return may
				}
				c.Turn = (c.Turn + 1) % len(c.Members)
				return true
			}
		},
	}, {
		Name: "group-turn-not-kept-between-drains",
		What: "Every drain begins with the first member of a group.",
		Case: "pubsub-group-goes-on-taking-turns-in-the-next-drain",
		Rules: func(r *rules) {
			r.MayServe = func(c *cursor) bool {
				if !c.Busy {
					c.Turn = 0
				}
				return correct.MayServe(c)
			}
		},
	}, {
		Name: "group-turn-stays-after-a-failure",
		What: "A message that failed is offered to the same member of the group again.",
		Case: "pubsub-group-failure-ends-its-turn-and-the-next-member-tries",
		Rules: func(r *rules) {
			r.Rotate = func(*cursor, *subscription) {}
			r.Counts = func(d *delivery, end model.PubSubEnd) bool {
				if correct.Counts(d, end) || end == model.ByParking {
					correct.Rotate(d.Cursor, d.To)
				}
				return correct.Counts(d, end)
			}
		},
	}, {
		Name: "group-turn-stays-after-parking",
		What: "The message behind one that is parked goes to the same member of the group.",
		Case: "pubsub-group-parks-and-rotates-in-one-turn",
		Rules: func(r *rules) {
			r.Rotate = func(*cursor, *subscription) {}
			r.Counts = func(d *delivery, end model.PubSubEnd) bool {
				if end != model.ByParking {
					correct.Rotate(d.Cursor, d.To)
				}
				return correct.Counts(d, end)
			}
		},
	}, {
		Name:  "group-turn-backwards",
		What:  "The turn of a group passes to the member before.",
		Case:  "pubsub-group-of-three-takes-turns",
		Rules: rotating(func(c *cursor, had *subscription) { turnTo(c, had, len(c.Members)-1) }),
	}, {
		Name: "group-turn-to-the-newest",
		What: "Who joins a group has its next call.",
		Case: "pubsub-group-member-who-joins-does-not-take-the-turn",
		Around: after(func(_ *topic, s *subscription, result any) any {
			if n := len(s.Cursor.Members); n > 1 {
				s.Cursor.Turn = n - 1
			}
			return result
		}, "subscribe"),
	}, {
		Name: "group-turn-by-name",
		What: "The turn of a group passes in the order of the names.",
		Case: "pubsub-group-takes-turns-by-time-not-by-name",
		Around: after(func(_ *topic, s *subscription, result any) any {
			c := s.Cursor
			had := c.Members[c.Turn]
			slices.SortFunc(c.Members, func(a, b *subscription) int { return cmp.Compare(a.Name, b.Name) })
			c.Turn = slices.Index(c.Members, had)
			return result
		}, "subscribe"),
	}, {
		Name: "group-turn-skips-where-a-member-left",
		What: "Where a member leaves in its call, whoever takes its place is passed over.",
		Case: "pubsub-group-left-by-a-member-in-its-own-call",
		Rules: rotating(func(c *cursor, had *subscription) {
			if n := len(c.Members); n > 0 && !slices.Contains(c.Members, had) {
				c.Turn = (c.Turn + 1) % n
				return
			}
			correct.Rotate(c, had)
		}),
	}, {
		Name:  "group-turn-starts-over-where-a-member-left",
		What:  "When a member leaves, the turn goes to the first one.",
		Case:  "pubsub-group-left-by-the-one-whose-turn-it-is",
		Rules: leaving(func(c *cursor, _ int) { c.Turn = 0 }),
	}, {
		Name: "group-turn-not-moved-up",
		What: "When a member leaves that stands before the one whose turn it is, that one is passed over.",
		Case: "pubsub-group-left-by-one-before-the-turn",
		Rules: leaving(func(c *cursor, turn int) {
			if n := len(c.Members); n > 0 {
				c.Turn = turn % n
			}
		}),
	}, {
		Name: "group-turn-of-a-name-made-anew",
		What: "A member that subscribes again in its own call keeps its place in the turns.",
		Case: "pubsub-group-member-made-anew-in-its-own-call",
		Rules: rotating(func(c *cursor, had *subscription) {
			i := slices.IndexFunc(c.Members, func(s *subscription) bool { return s.Name == had.Name })
			if i >= 0 {
				c.Turn = (i + 1) % len(c.Members)
			}
		}),
	}, {
		Name: "group-failure-goes-to-the-next-member",
		What: "A message that failed goes to the next member of the group in the same drain.",
		Case: "pubsub-group-failure-ends-its-turn-and-the-next-member-tries",
		Rules: goingOn(func(d *delivery, end model.PubSubEnd) bool {
			return correct.GoesOn(d, end) || end == model.ByFailing && len(d.Cursor.Members) > 1
		}),
	}, {
		Name: "group-served-once-for-each-member",
		What: "A drain has a turn for every member of a group.",
		Case: "pubsub-group-failure-ends-its-turn-and-the-next-member-tries",
		Rules: func(r *rules) {
			r.Cursors = func(t *topic) iter.Seq[*cursor] {
				var all []*cursor
				for _, s := range t.Subscriptions {
					all = append(all, s.Cursor)
				}
				return slices.Values(all)
			}
		},
	}, {
		Name: "group-at-the-place-of-its-last-member",
		What: "A drain meets a group where its last member subscribed.",
		Case: "pubsub-group-stands-at-its-first-member",
		Rules: walkingCursors(func(t *topic, a, b *cursor) int {
			return placeIn(t, a.Members[len(a.Members)-1]) - placeIn(t, b.Members[len(b.Members)-1])
		}),
	}, {
		Name: "groups-behind-the-others",
		What: "A drain serves groups when all other subscriptions of the topic are served.",
		Case: "pubsub-group-stands-at-its-first-member",
		Rules: walkingCursors(func(t *topic, a, b *cursor) int {
			return rank(t, a) - rank(t, b)
		}),
	}, {
		Name: "groups-before-the-others",
		What: "A drain serves groups before all other subscriptions of the topic.",
		Case: "pubsub-group-stands-at-its-first-member",
		Rules: walkingCursors(func(t *topic, a, b *cursor) int {
			return rank(t, b) - rank(t, a)
		}),
	}, {
		Name: "member-starts-the-group-at-the-end",
		What: "Who joins a group moves it to the end of the log.",
		Case: "pubsub-group-is-joined-where-it-is",
		Around: after(func(t *topic, s *subscription, result any) any {
			s.Cursor.Next = t.End()
			return result
		}, "subscribe"),
	}, {
		Name: "member-clears-the-tries-of-the-group",
		What: "Who joins a group clears its failed tries.",
		Case: "pubsub-group-outlives-its-last-member-with-tries-and-dead-letters",
		Around: after(func(_ *topic, s *subscription, result any) any {
			s.Cursor.Attempts = 0
			return result
		}, "subscribe"),
	}, {
		Name:  "member-that-leaves-clears-the-tries-of-the-group",
		What:  "Who leaves a group clears its failed tries.",
		Case:  "pubsub-group-outlives-its-last-member-with-tries-and-dead-letters",
		Rules: leaving(func(c *cursor, _ int) { c.Attempts = 0 }),
	}, {
		Name:  "member-takes-its-dead-letters-along",
		What:  "Who leaves a group takes the dead letters with it.",
		Case:  "pubsub-group-outlives-its-last-member-with-tries-and-dead-letters",
		Rules: leaving(func(c *cursor, _ int) { c.Parked = nil }),
	}, {
		Name: "member-joins-when-the-drain-is-over",
		What: "Who joins a group in a handler has no call in that drain.",
		Case: "pubsub-group-joined-in-a-call-of-its-own",
		Rules: func(r *rules) {
			known := map[*subscription]bool{}
			drains := 0
			r.Topics = func(p *model.PubSub) iter.Seq[*topic] {
				if drains == 0 {
					clear(known)
					for _, t := range p.Topics {
						for _, s := range t.Subscriptions {
							known[s] = true
						}
					}
				}
				return func(yield func(*topic) bool) {
					drains++
					defer func() { drains-- }()
					correct.Topics(p)(yield)
				}
			}
			r.Waits = func(t *topic, c *cursor) bool {
				for range c.Members {
					if known[c.Members[c.Turn]] {
						break
					}
					c.Turn = (c.Turn + 1) % len(c.Members)
				}
				return correct.Waits(t, c)
			}
		},
	}, {
		Name: "member-that-left-in-its-call-counts-for-nobody",
		What: "What a member confirms in whose call it left is offered to the group again.",
		Case: "pubsub-group-left-by-its-last-member-in-its-call",
		Rules: func(r *rules) {
			r.Take = func(d *delivery) {
				if stays(d) {
					correct.Take(d)
				}
			}
		},
	}, {
		Name: "member-that-left-in-its-call-fails-for-nobody",
		What: "What fails in the call in which the member left is no failed try of the group.",
		Case: "pubsub-group-left-by-a-member-in-its-own-call-that-fails",
		Rules: func(r *rules) {
			r.Miss = func(d *delivery) {
				if stays(d) {
					correct.Miss(d)
				}
			}
		},
	}, {
		Name: "group-ends-with-its-last-member",
		What: "A group that lost its last member begins at the end when it is named again.",
		Case: "pubsub-group-outlives-its-last-member",
		Around: faults.After(func(p *model.PubSub, c call, result any) any {
			if t := topicOf(p, c); t != nil {
				for name, group := range t.Groups {
					if len(group.Members) == 0 {
						delete(t.Groups, name)
					}
				}
			}
			return result
		}, "unsubscribe"),
	}, {
		Name: "group-without-members-goes-on",
		What: "A group without members moves past what is published.",
		Case: "pubsub-group-outlives-its-last-member",
		Around: faults.After(func(p *model.PubSub, c call, result any) any {
			if t := topicOf(p, c); t != nil {
				for _, group := range t.Groups {
					if len(group.Members) == 0 {
						group.Next = t.End()
					}
				}
			}
			return result
		}, "publish"),
	}, {
		Name: "group-without-members-keeps-its-policy",
		What: "Who names a group without members must have the policy of those who left.",
		Case: "pubsub-group-without-members-takes-another-policy",
		Around: faults.Refuses(func(p *model.PubSub, c call) bool {
			t := topicOf(p, c)
			if t == nil {
				return false
			}
			group, policy := t.Groups[c.Text("group")], c.Text("policy")
			return group != nil && group.Policy != cmp.Or(policy, "drop")
		}, "subscribe"),
	}, {
		Name: "group-of-another-topic",
		What: "Groups of the same name on two topics take turns together.",
		Case: "pubsub-groups-of-one-name-on-two-topics-take-turns-apart",
		Rules: func(r *rules) {
			names, calls := map[*cursor]string{}, map[string]int{}
			r.Waits = func(t *topic, c *cursor) bool {
				names[c] = groupName(t, c)
				if names[c] != "" && len(c.Members) > 0 {
					c.Turn = calls[names[c]] % len(c.Members)
				}
				return correct.Waits(t, c)
			}
			r.Rotate = func(c *cursor, _ *subscription) { calls[names[c]]++ }
		},
	}, {
		Name:   "group-named-as-a-subscription-refused",
		What:   "A group may not have the name of a subscription.",
		Case:   "pubsub-group-and-subscription-of-one-name",
		Around: faults.Refuses(namedAlike, "subscribe"),
	}, {
		Name:  "group-takes-any-policy",
		What:  "A member may have another policy than its group, which has the one of the newest.",
		Case:  "pubsub-group-with-another-policy-is-invalid",
		Rules: func(r *rules) { r.MayJoin = func(*cursor, string) bool { return true } },
	}, {
		Name: "group-keeps-its-policy-in-silence",
		What: "A member that has another policy than its group gets that of the group.",
		Case: "pubsub-group-with-another-policy-is-invalid",
		Around: func(p *model.PubSub) perform {
			return func(c call) (any, error) {
				if t := topicOf(p, c); c.Op == "subscribe" && t != nil && t.Groups[c.Text("group")] != nil {
					c.Args["policy"] = t.Groups[c.Text("group")].Policy
				}
				return faults.PerformOn(p)(c)
			}
		},
	}, {
		Name: "group-disconnects-one-member",
		What: "When a group is disconnected, one member ends and the others go on.",
		Case: "pubsub-disconnect-of-a-group-ends-all-its-members",
		Rules: func(r *rules) {
			r.Disconnect = func(t *topic, c *cursor) {
				if len(c.Members) == 1 {
					correct.Disconnect(t, c)
					return
				}
				one := c.Members[c.Turn]
				t.Subscriptions = slices.DeleteFunc(slices.Clone(t.Subscriptions), func(s *subscription) bool { return s == one })
				t.Disconnected[one.Name] = true
				correct.Leave(c, one)
				correct.Drop(c, correct.Earliest(t))
			}
		},
	}, {
		Name: "group-outlives-its-disconnection",
		What: "Who names a group that was disconnected joins it where it was.",
		Case: "pubsub-disconnect-of-a-group-ends-all-its-members",
		Rules: func(r *rules) {
			r.Disconnect = func(t *topic, c *cursor) {
				name := groupName(t, c)
				correct.Disconnect(t, c)
				if name != "" {
					t.Groups[name] = c
				}
			}
		},
	}, {
		Name: "group-tells-the-reason-to-one-member",
		What: "When a group is disconnected, its first member alone learns why.",
		Case: "status-of-a-group-that-was-disconnected",
		Rules: func(r *rules) {
			r.Disconnect = func(t *topic, c *cursor) {
				others := slices.Clone(c.Members[1:])
				correct.Disconnect(t, c)
				for _, s := range others {
					delete(t.Disconnected, s.Name)
				}
			}
		},
	},
}

// leaving changes a cursor that a member has just left, and whose turn it was.
func leaving(change func(c *cursor, turn int)) func(*rules) {
	return func(r *rules) {
		r.Leave = func(c *cursor, s *subscription) {
			turn := c.Turn
			correct.Leave(c, s)
			change(c, turn)
		}
	}
}

func rotating(rotate func(*cursor, *subscription)) func(*rules) {
	return func(r *rules) { r.Rotate = rotate }
}

// turnTo gives the turn to the member so many places behind.
func turnTo(c *cursor, had *subscription, behind int) {
	if i := slices.Index(c.Members, had); i >= 0 {
		c.Turn = (i + behind) % len(c.Members)
	}
}

func walkingCursors(compare func(t *topic, a, b *cursor) int) func(*rules) {
	return func(r *rules) {
		r.Cursors = func(t *topic) iter.Seq[*cursor] {
			cursors := slices.Collect(correct.Cursors(t))
			slices.SortStableFunc(cursors, func(a, b *cursor) int { return compare(t, a, b) })
			return slices.Values(cursors)
		}
	}
}

func placeIn(t *topic, s *subscription) int { return slices.Index(t.Subscriptions, s) }

// rank is 1 for a group.
func rank(t *topic, c *cursor) int {
	if groupName(t, c) != "" {
		return 1
	}
	return 0
}

// groupName is "" for what is no group.
func groupName(t *topic, c *cursor) string {
	for name, group := range t.Groups {
		if group == c {
			return name
		}
	}
	return ""
}

func namedAlike(p *model.PubSub, c call) bool {
	t := topicOf(p, c)
	if t == nil {
		return false
	}
	group := c.Text("group")
	return group != "" && (group == c.Text("name") || t.Subscription(group) != nil) || t.Groups[c.Text("name")] != nil
}
