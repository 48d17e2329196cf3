package history

import (
	"fmt"

	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// A delivery is one offset of one partition in the hands of one group; of the
// message broker, with its attempt and partition 0.
type delivery struct {
	group             string
	partition, offset int64
	attempt           int64
}

// A fact is one thing that a call shows. A poll shows as many as it returned.
type fact struct {
	Op
	delivery
	member  string
	payload string
}

// within reports whether the fact may have come about in that time.
func (f fact) within(from, to int64) bool { return f.From <= to && from <= f.To }

// facts are what the calls on one topic show, each list in the order of returns.
type facts struct {
	history   History
	published map[int64][]fact // by partition; those that got an offset
	full      map[int64][]fact // by partition; those that found no room
	polled    map[delivery][]fact
	acked     map[delivery][]fact // those that were true
	again     map[delivery][]fact // retry and nack, those that were true
	changes   map[string][]fact   // by group: what may have changed its members
	letters   map[string][]fact   // by group: what dead_letters returned
}

func (d delivery) String() string {
	words := fmt.Sprintf("offset %d", d.offset)
	if d.attempt > 0 {
		words += fmt.Sprintf(", attempt %d,", d.attempt)
	} else {
		words += fmt.Sprintf(" of partition %d", d.partition)
	}
	return words + " in group " + d.group
}

func gather(h History) facts {
	f := facts{
		history: h, published: map[int64][]fact{}, full: map[int64][]fact{}, polled: map[delivery][]fact{},
		acked: map[delivery][]fact{}, again: map[delivery][]fact{}, changes: map[string][]fact{}, letters: map[string][]fact{},
	}
	for _, op := range h.Ops {
		if op.Error != "" {
			continue
		}
		for _, one := range op.singles() {
			f.add(one, named(h.System, one))
		}
	}
	return f
}

// named gives the arguments by name.
func named(system string, op Op) map[string]any {
	values := map[string]any{}
	s, _ := surface.FindSystem(system)
	operation, _ := s.Find(op.Call.Op)
	for i, p := range operation.Params {
		values[p.Name] = op.Call.Args[i]
	}
	return values
}

func (f *facts) add(op Op, args map[string]any) {
	one := fact{Op: op, delivery: deliveryOf(args), member: text(args["member"]), payload: text(args["payload"])}
	one.group = text(args["group"])
	switch op.Call.Op {
	case "publish":
		f.addPublish(one)
	case "poll":
		for _, v := range results(op.Value) {
			got := one
			got.delivery, got.payload = deliveryOf(v), text(v["payload"])
			got.group = one.group
			f.polled[got.delivery] = append(f.polled[got.delivery], got)
		}
	case "ack":
		if op.Value == true {
			f.acked[one.delivery] = append(f.acked[one.delivery], one)
		}
	case "retry", "nack":
		if op.Value == true {
			f.again[one.delivery] = append(f.again[one.delivery], one)
		}
	case "join", "leave":
		if op.Value != false {
			f.changes[one.group] = append(f.changes[one.group], one)
		}
	case "dead_letters":
		f.letters[one.group] = append(f.letters[one.group], one)
	}
}

func (f *facts) addPublish(one fact) {
	offset, _ := one.Value.(int64)
	if one.offset = offset; offset < 0 {
		f.full[one.partition] = append(f.full[one.partition], one)
	} else {
		f.published[one.partition] = append(f.published[one.partition], one)
	}
}

func deliveryOf(fields map[string]any) delivery {
	var d delivery
	d.partition, _ = fields["partition"].(int64)
	d.offset, _ = fields["offset"].(int64)
	d.attempt, _ = fields["attempt"].(int64)
	return d
}

// text is a string, however the wire has it.
func text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case wire.Bytes:
		return string(v)
	}
	return ""
}

// results are what a poll or dead_letters returned.
func results(v any) []map[string]any {
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var all []map[string]any
	for _, v := range list {
		if fields, ok := v.(map[string]any); ok {
			all = append(all, fields)
		}
	}
	return all
}
