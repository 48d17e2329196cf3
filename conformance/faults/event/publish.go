package event

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Topics, offsets and room (EB-02, EB-05).
var publish = []Fault{
	{
		Name: "duplicate-create-replaces-the-topic",
		What: "The second create of a name is false and empties the topic.",
		Case: "create-duplicate-keeps-records",
		Around: func(e *model.Event) Perform {
			return func(c Call) (any, error) {
				old := placeOf(e, c).topic
				result, err := faults.PerformOn(e)(c)
				if result == false && c.Op == "create" {
					e.Topics[c.Text("topic")] = &model.EventTopic{
						Partitions: emptyPartitions(len(old.Partitions)), Groups: map[string]*model.EventGroup{},
					}
				}
				return result, err
			}
		},
	}, {
		Name: "duplicate-create-grows-the-topic",
		What: "The second create of a name is false and adds the partitions that the topic lacks.",
		Case: "create-duplicate-with-another-count-is-false",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			topic := placeOf(e, c).topic
			more := emptyPartitions(max(0, int(c.Number("partition_count"))-len(topic.Partitions)))
			topic.Partitions = append(topic.Partitions, more...)
			for _, group := range topic.Groups {
				for range more {
					group.Cursors = append(group.Cursors, model.EventCursor{InFlight: model.NoDelivery})
				}
				for p, owner := range correct.Assign(group) {
					group.Cursors[p] = correct.HandOver(group.Cursors[p], owner, nil)
				}
			}
			return result
		}, "create"),
	}, {
		Name:   "duplicate-create-refused",
		What:   "The second create of a name is an invalid argument.",
		Case:   "create-makes-a-topic-once",
		Around: faults.Refuses(func(e *model.Event, c Call) bool { return placeOf(e, c).topic != nil }, "create"),
	}, {
		Name:   "duplicate-create-answers-true",
		What:   "The second create of a name is true.",
		Case:   "create-makes-a-topic-once",
		Around: faults.After(func(*model.Event, Call, any) any { return true }, "create"),
	}, {
		Name:   "duplicate-create-with-a-bad-count-answers-false",
		What:   "A duplicate is noticed before its count of partitions is checked.",
		Case:   "create-duplicate-with-a-bad-count-is-invalid",
		Around: faults.Answers(false, func(e *model.Event, c Call) bool { return placeOf(e, c).topic != nil }, "create"),
	}, {
		Name:   "topic-33-refused",
		What:   "A broker takes 32 topics and no more.",
		Case:   "create-more-than-32-topics",
		Around: faults.Refuses(func(e *model.Event, c Call) bool { return len(e.Topics) >= 32 && placeOf(e, c).topic == nil }, "create"),
	}, {
		Name: "full-publish-uses-an-offset",
		What: "A publish that is answered with -1 leaves a gap in the offsets.",
		Case: "publish-refused-repeatedly-uses-no-offset",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			if result == model.Full {
				placeOf(e, c).partition.Next++
			}
			return result
		}, "publish"),
	}, {
		Name: "full-partition-evicts-the-oldest",
		What: "A full partition drops its oldest record to make room.",
		Case: "publish-refused-payload-never-appears",
		Around: faults.Before(func(e *model.Event, c Call) {
			log := placeOf(e, c).partition
			if log == nil || int64(len(log.Retained)) < e.Capacity {
				return
			}
			log.Retained = log.Retained[1:]
			for _, group := range placeOf(e, c).topic.Groups {
				cursor := &group.Cursors[c.Number("partition")]
				cursor.Committed = max(cursor.Committed, log.Next-e.Capacity+1)
			}
		}, "publish"),
	}, {
		Name: "full-partition-refuses",
		What: "A full partition is an invalid argument.",
		Case: "publish-to-a-full-partition-is-minus-1",
		Around: faults.Refuses(func(e *model.Event, c Call) bool {
			log := placeOf(e, c).partition
			return log != nil && int64(len(log.Retained)) >= e.Capacity
		}, "publish"),
	}, {
		Name: "full-partition-answers-with-the-next-offset",
		What: "A publish that finds no room is dropped without a word.",
		Case: "publish-to-a-full-partition-is-minus-1",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			if result == model.Full {
				return placeOf(e, c).partition.Next
			}
			return result
		}, "publish"),
	}, {
		Name: "room-for-one-too-many",
		What: "A partition takes one record more than its capacity.",
		Case: "capacity-1-retains-one-record",
		Rules: filling(func(e *model.Event, topic *model.EventTopic, p int) bool {
			return int64(len(topic.Partitions[p].Retained)) > e.Capacity
		}),
	}, {
		Name: "room-for-one-too-few",
		What: "A partition with a capacity above one takes one record less, as a ring does that keeps a slot free.",
		Case: "capacity-2-retains-two-records",
		Rules: filling(func(e *model.Event, topic *model.EventTopic, p int) bool {
			return int64(len(topic.Partitions[p].Retained)) >= max(1, e.Capacity-1)
		}),
	}, {
		Name: "room-rounded-up-to-a-power-of-two",
		What: "A partition takes as many records as the ring behind it has slots.",
		Case: "ring-of-3-always-full",
		Rules: filling(func(e *model.Event, topic *model.EventTopic, p int) bool {
			slots := int64(1)
			for slots < e.Capacity {
				slots *= 2
			}
			return int64(len(topic.Partitions[p].Retained)) >= slots
		}),
	}, {
		Name: "room-for-256-records",
		What: "A partition takes at most 256 records, whatever its capacity.",
		Case: "capacity-1000-holds-1000-records",
		Rules: filling(func(e *model.Event, topic *model.EventTopic, p int) bool {
			return int64(len(topic.Partitions[p].Retained)) >= min(256, e.Capacity)
		}),
	}, {
		Name: "capacity-shared-by-partitions",
		What: "The capacity is that of a topic, not of each partition.",
		Case: "capacity-counts-each-partition-by-itself",
		Rules: filling(func(e *model.Event, topic *model.EventTopic, _ int) bool {
			return retained(topic.Partitions...) >= e.Capacity
		}),
	}, {
		Name: "capacity-shared-by-topics",
		What: "Partitions of the same number share their room across topics.",
		Case: "capacity-counts-each-topic-by-itself",
		Rules: filling(func(e *model.Event, _ *model.EventTopic, p int) bool {
			var alike []*model.EventPartition
			for _, topic := range e.Topics {
				if p < len(topic.Partitions) {
					alike = append(alike, topic.Partitions[p])
				}
			}
			return retained(alike...) >= e.Capacity
		}),
	}, {
		Name: "capacity-counts-every-record-ever",
		What: "A record that was removed still takes up room.",
		Case: "retention-capacity-is-used-again-and-again",
		Rules: filling(func(e *model.Event, topic *model.EventTopic, p int) bool {
			return topic.Partitions[p].Next >= e.Capacity
		}),
	}, {
		Name: "capacity-counts-what-is-not-in-flight",
		What: "A record that some group has in flight takes up no room.",
		Case: "publish-a-delivery-in-flight-still-takes-room",
		Rules: filling(func(e *model.Event, topic *model.EventTopic, p int) bool {
			var taken int64
			for _, group := range topic.Groups {
				if group.Cursors[p].InFlight != model.NoDelivery {
					taken = 1
				}
			}
			return retained(topic.Partitions[p])-taken >= e.Capacity
		}),
	}, {
		Name: "offsets-start-at-one",
		What: "A publish answers with a count, not with an offset.",
		Case: "publish-gives-offsets-from-0",
		Around: faults.After(func(_ *model.Event, _ Call, result any) any {
			if result == model.Full {
				return result
			}
			return result.(int64) + 1
		}, "publish"),
	}, {
		Name: "offsets-shared-by-partitions",
		What: "A publish answers with offsets that run through the whole topic.",
		Case: "publish-counts-each-partition-by-itself",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			if result == model.Full {
				return result
			}
			published := int64(-1)
			for _, log := range placeOf(e, c).topic.Partitions {
				published += log.Next
			}
			return published
		}, "publish"),
	}, {
		Name: "offsets-restart-in-an-empty-partition",
		What: "A partition whose records were all acknowledged counts from 0 again.",
		Case: "ring-of-7-filled-and-emptied",
		Around: faults.Before(func(e *model.Event, c Call) {
			at := placeOf(e, c)
			if at.partition == nil || len(at.partition.Retained) > 0 {
				return
			}
			at.partition.Next = 0
			for _, group := range at.topic.Groups {
				group.Cursors[c.Number("partition")].Committed = 0
			}
		}, "publish"),
	}, {
		Name: "offset-is-the-place-in-the-log",
		What: "A publish answers with the place of the record among the retained ones.",
		Case: "ring-of-5-drifts",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			if result == model.Full {
				return result
			}
			return retained(placeOf(e, c).partition) - 1
		}, "publish"),
	}, {
		Name: "wrapped-log-answers-with-the-oldest-payload",
		What: "Once a ring has wrapped, records come with the payload of the oldest one in it.",
		Case: "ring-with-a-slow-group",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			for _, record := range result.([]any) {
				fields := record.(map[string]any)
				log := placeOf(e, c).topic.Partitions[fields["partition"].(int64)]
				if fields["offset"].(int64) >= e.Capacity {
					fields["payload"] = log.Retained[0].Payload
				}
			}
			return result
		}, "poll"),
	}, {
		Name: "partition-32-is-partition-0",
		What: "Records for the partitions from 32 on go to those from 0 on.",
		Case: "wide-partition-31-32-and-33-are-three",
		Hears: func(c *Call) {
			if p := c.Number("partition"); c.Op == "publish" && p >= 32 && p < 64 {
				c.Args["partition"] = p % 32
			}
		},
	},
}

func filling(isFull func(e *model.Event, topic *model.EventTopic, p int) bool) func(*model.EventRules) {
	return func(r *model.EventRules) { r.IsFull = isFull }
}

func retained(logs ...*model.EventPartition) int64 {
	n := 0
	for _, log := range logs {
		n += len(log.Retained)
	}
	return int64(n)
}

func emptyPartitions(n int) []*model.EventPartition {
	partitions := make([]*model.EventPartition, n)
	for p := range partitions {
		partitions[p] = &model.EventPartition{}
	}
	return partitions
}
