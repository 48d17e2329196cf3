package fuzz

import (
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

var assignVocabulary = vocabulary{
	system: systemNamed("assign"),
	weighs: map[string]int{
		"decode_subscription": 4, "encode_subscription": 3, "decode_assignment": 4, "encode_assignment": 3, "range_assign": 6,
	},
	new: func(drawer) arguments { return nil },
	op:  func(_ drawer, _ model.System, op string) string { return op },
	args: func(d drawer, m model.System, op string) arguments {
		return drawAssign(d, m.(*model.Assign), op)
	},
}

// In assign names are any strings: these are in another order by UTF-16 than by
// byte. None has NUL, which no key of a map has.
var (
	anyTopics = []string{"a", "b", "é", "", "T", " a", "\ufeffa"}
	memberIDs = []string{"\uffff", "\U00010000", "a", "b", "é", "B", "a "}
)

func drawAssign(d drawer, a *model.Assign, op string) arguments {
	switch op {
	case "encode_subscription":
		return arguments{"subscription": d.subscription()}
	case "encode_assignment":
		return arguments{"assignment": d.assignment()}
	case "decode_subscription":
		return arguments{"bytes": d.encoded(a, "encode_subscription", d.subscription())}
	case "decode_assignment":
		return arguments{"bytes": d.encoded(a, "encode_assignment", d.assignment())}
	}
	return arguments{"partitions_by_topic": d.partitionsByTopic(), "members": d.members()}
}

// encoded is a message. Those of later versions than are written can be read.
func (d drawer) encoded(a *model.Assign, op string, of map[string]any) wire.Bytes {
	encoded, err := a.Call(op, []any{of})
	if err != nil {
		panic(err) // what is drawn can be written
	}
	message := encoded.(wire.Bytes)
	if d.oneIn(6) {
		message[1] = pick[byte](d, 0, 1, 2, 3, 4, 5, 100)
	}
	return message
}

// subscription leaves what a version lacks as it decodes: whether it would be
// judged, the contract does not say.
func (d drawer) subscription() map[string]any {
	version := d.Int64N(4)
	s := map[string]any{
		"version": version, "topics": d.topics(), "user_data": d.userData(),
		"owned_partitions": d.topicPartitions(), "generation_id": pick[int64](d, -1, 0, 7, 1<<31-1), "rack_id": nil,
	}
	switch {
	case version == 0:
		s["owned_partitions"], s["generation_id"] = []any{}, int64(-1)
	case version == 1:
		s["generation_id"] = int64(-1)
	case version == 3 && d.oneIn(2):
		s["rack_id"] = pick(d, anyTopics...)
	}
	return s
}

func (d drawer) assignment() map[string]any {
	return map[string]any{"version": d.Int64N(4), "partitions": d.topicPartitions(), "user_data": d.userData()}
}

func (d drawer) topics() []any {
	list := []any{}
	for range d.IntN(4) {
		list = append(list, pick(d, anyTopics...))
	}
	return list
}

func (d drawer) userData() any {
	if d.oneIn(2) {
		return nil
	}
	return d.anything()
}

func (d drawer) topicPartitions() []any {
	list := []any{}
	for range d.IntN(3) {
		partitions := []any{}
		for range d.IntN(4) {
			partitions = append(partitions, pick[int64](d, 0, 1, 2, 300, 1<<31-1, -1, -1<<31))
		}
		list = append(list, map[string]any{"topic": pick(d, anyTopics...), "partitions": partitions})
	}
	return list
}

func (d drawer) partitionsByTopic() map[string]any {
	object := map[string]any{}
	for range d.IntN(4) {
		object[pick(d, anyTopics...)] = pick[int64](d, 0, 1, 2, 3, 7, 10)
	}
	return object
}

// members are distinct, and some have an instance id.
func (d drawer) members() []any {
	list := []any{}
	instances := d.Perm(len(memberIDs))
	for i, id := range d.Perm(len(memberIDs))[:d.IntN(6)] {
		member := map[string]any{"id": memberIDs[id], "topics": d.topics(), "instance_id": nil}
		if d.oneIn(3) {
			member["instance_id"] = memberIDs[instances[i]]
		}
		list = append(list, member)
	}
	return list
}
