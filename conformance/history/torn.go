package history

import (
	"fmt"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// torn tries whether the calls can be explained after all if some of them are
// taken apart: batches that take each element at an instant of its own, polls
// that read each partition at one, or changes of members that hand each over at
// one.
func (h History) torn(prefix, pending []Op, limit time.Duration) Anomaly {
	if h.System != "event" {
		return Anomaly{}
	}
	for _, way := range []struct {
		name, words string
		apart       []string
	}{
		{HalfDone, "a batch may do each of its elements", []string{"publish_many", "ack_many"}},
		{DifferentInstants, "a poll may do its part in each partition", []string{"poll"}},
		{HalfRebalanced, "a join or leave may do its part in each partition", []string{"join", "leave"}},
	} {
		list := h.takeApart(prefix, pending, way.apart)
		if porcupine.CheckOperationsTimeout(h.porcupine(answers), list, limit) == porcupine.Ok {
			return anomaly(way.name, "%s, and all is explained if %s at an instant of its own",
				prefix[len(prefix)-1], way.words)
		}
	}
	return Anomaly{}
}

// takeApart has some of the operations stand as one for each of their parts.
func (h History) takeApart(prefix, pending []Op, apart []string) []porcupine.Operation {
	count := partitions(h.Ops)
	var list []porcupine.Operation
	for _, o := range operations(prefix, pending) {
		in := o.Input.(input)
		if !slices.Contains(apart, in.op.Call.Op) || !in.op.hasParts(count) {
			list = append(list, o)
			continue
		}
		for _, part := range in.parts(count) {
			in.part = part
			o.Input = in
			list = append(list, o)
		}
	}
	return list
}

// hasParts reports whether all that came of a call is about partitions that there
// are: what else came of it would be passed over with no part to stand in.
func (o Op) hasParts(count int64) bool {
	if count == 0 || o.Error != "" {
		return false
	}
	if o.isBatch() {
		all := len(singleCalls(o.Call))
		return all > 0 && len(o.singles()) == all
	}
	if o.Call.Op == "leave" {
		return o.Value == true
	}
	all, ok := o.Value.([]any)
	return ok && !slices.ContainsFunc(all, func(v any) bool {
		p, ok := v.(int64) // of a join; a poll has records
		if fields, is := v.(map[string]any); is {
			p, ok = fields["partition"].(int64)
		}
		return !ok || p < 0 || p >= count || (o.Call.Op == "join") != (v == any(p))
	})
}

// parts are what the call does, one after the other, where it is taken apart.
func (i input) parts(count int64) (parts []func(*model.Event) bool) {
	if i.op.isBatch() {
		for _, one := range i.op.singles() {
			parts = append(parts, func(m *model.Event) bool {
				value, err := m.Call(one.Call.Op, one.Call.Args)
				return i.pending || answers(one, value, err)
			})
		}
		return parts
	}
	for p := range i.op.reach(count) {
		parts = append(parts, func(m *model.Event) bool { return i.partly(m, p) })
	}
	return parts
}

// partitions is how many the topic has.
func partitions(ops []Op) int64 {
	for _, op := range ops {
		if op.Call.Op == "create" && op.Value == true {
			n, _ := op.Call.Args[1].(int64)
			return n
		}
	}
	return 0
}

// reach is up to which partition a call looked: a poll that found as many
// records as it wanted looked no further than the last.
func (o Op) reach(count int64) int64 {
	got, _ := o.Value.([]any)
	if o.Call.Op != "poll" || len(got) == 0 || int64(len(got)) != o.Call.Args[3] {
		return count
	}
	return deliveryOf(results(o.Value)[len(got)-1]).partition + 1
}

// partly does what the call does in one partition, and reports whether that is
// what came there.
func (i input) partly(m *model.Event, p int64) bool {
	topic := m.Topics[text(i.op.Call.Args[0])]
	if topic == nil || p >= int64(len(topic.Partitions)) {
		return i.pending
	}
	if i.op.Call.Op == "poll" {
		return i.pollPart(m, int(p)) || i.pending
	}
	return i.handOverPart(m, topic, int(p)) || i.pending
}

func (i input) pollPart(m *model.Event, p int) bool {
	whole := m.Rules.Reserve
	m.Rules.Reserve = func(topic *model.EventTopic, group *model.EventGroup, member string, _ int64) []int {
		if slices.Contains(whole(topic, group, member, int64(len(topic.Partitions))), p) {
			return []int{p}
		}
		return nil
	}
	defer func() { m.Rules.Reserve = whole }()
	value, err := m.Call("poll", i.op.Call.Args)
	got := slices.DeleteFunc(list(i.op.Value), func(r any) bool { return deliveryOf(r.(map[string]any)).partition != int64(p) })
	return err == nil && slices.EqualFunc(list(value), got, wire.Equal)
}

func (i input) handOverPart(m *model.Event, topic *model.EventTopic, p int) bool {
	member, join := text(i.op.Call.Args[2]), i.op.Call.Op == "join"
	group := groupOf(m, topic, text(i.op.Call.Args[1]), i.op)
	if group == nil {
		return false
	}
	group.Members = slices.DeleteFunc(group.Members, func(name string) bool { return name == member })
	if join {
		group.Members = append(group.Members, member)
		m.Rules.Sort(group.Members)
	}
	owner := m.Rules.Assign(group)[p]
	group.Cursors[p] = m.Rules.HandOver(group.Cursors[p], owner, topic.Partitions[p])
	owned, _ := i.op.Value.([]any)
	return !join || slices.Contains(owned, any(int64(p))) == (owner == member)
}

// groupOf is the group, which a join makes without anybody in it.
func groupOf(m *model.Event, topic *model.EventTopic, name string, op Op) *model.EventGroup {
	if topic.Groups[name] == nil && op.Call.Op == "join" {
		if _, err := m.Call("join", op.Call.Args); err != nil {
			panic(fmt.Sprintf("history: %v", err)) // the topic is there, and the call had no error
		}
		group := topic.Groups[name]
		group.Members = nil
		for p := range group.Cursors {
			group.Cursors[p].Owner = ""
		}
	}
	return topic.Groups[name]
}
