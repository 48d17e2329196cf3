package event

import (
	"math"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Limits from both sides (EB-01, EB-02, EB-12, EB-13).
var limits = []Fault{
	{
		Name:  "capacity-0-accepted",
		What:  "A broker may have no room at all.",
		Case:  "capacity-0-is-refused",
		Rules: func(r *model.EventRules) { r.Capacity.Min = 0 },
	}, {
		Name:  "capacity-1-refused",
		What:  "A partition must hold two records.",
		Case:  "capacity-1-retains-one-record",
		Rules: func(r *model.EventRules) { r.Capacity.Min = 2 },
	}, {
		Name:  "capacity-1000-refused",
		What:  "A partition may hold 999 records.",
		Case:  "capacity-1000-is-accepted",
		Rules: func(r *model.EventRules) { r.Capacity.Max = 999 },
	}, {
		Name:  "capacity-1001-accepted",
		What:  "A partition may hold 1,001 records.",
		Case:  "capacity-1001-is-refused",
		Rules: func(r *model.EventRules) { r.Capacity.Max = 1001 },
	}, {
		Name: "capacity-negative-accepted",
		What: "Only a capacity of 0 and one above 1,000 are refused.",
		Case: "capacity-minus-1-is-refused",
		Hears: faults.InArgument(faults.New, "capacity_per_partition", func(n int64) int64 {
			if n < 0 {
				return 1
			}
			return n
		}),
	}, {
		Name: "capacity-past-32-bits-accepted",
		What: "A capacity that does not fit a signed 32-bit integer is taken for 1,000.",
		Case: "capacity-2-31-is-refused",
		Hears: faults.InArgument(faults.New, "capacity_per_partition", func(n int64) int64 {
			if n > math.MaxInt32 {
				return 1000
			}
			return n
		}),
	}, {
		Name:  "max-payload-1-refused",
		What:  "The limit of payloads must be two bytes.",
		Case:  "max-payload-of-1-byte-accepts-1-and-refuses-2",
		Rules: func(r *model.EventRules) { r.MaxPayload.Min = 2 },
	}, {
		Name:  "max-payload-negative-accepted",
		What:  "The limit of payloads may be negative.",
		Case:  "max-payload-minus-1-is-refused",
		Rules: func(r *model.EventRules) { r.MaxPayload.Min = math.MinInt32 },
	}, {
		Name:  "max-payload-of-a-mebibyte-refused",
		What:  "The limit of payloads must be below 1 MiB.",
		Case:  "max-payload-of-1-mib-is-accepted",
		Rules: func(r *model.EventRules) { r.MaxPayload.Max = 1<<20 - 1 },
	}, {
		Name:  "max-payload-past-a-mebibyte-accepted",
		What:  "The limit of payloads may be above 1 MiB.",
		Case:  "max-payload-1048577-is-refused",
		Rules: func(r *model.EventRules) { r.MaxPayload.Max = math.MaxInt32 },
	}, {
		Name: "max-payload-ignored",
		What: "Payloads have the limit of 1,024 bytes, whatever the option says.",
		Case: "max-payload-above-the-default-lets-longer-payloads-in",
		Rules: func(r *model.EventRules) {
			r.Payload = func(payload string, _ int64) bool { return correct.Payload(payload, 1024) }
		},
	}, {
		Name: "max-payload-only-raises-the-limit",
		What: "An option below 1,024 bytes has no effect.",
		Case: "max-payload-below-the-default-shuts-shorter-payloads-out",
		Rules: func(r *model.EventRules) {
			r.Payload = func(payload string, limit int64) bool { return correct.Payload(payload, max(1024, limit)) }
		},
	}, {
		Name:  "partition-count-0-accepted",
		What:  "A topic may have no partitions.",
		Case:  "create-0-partitions-is-invalid",
		Rules: func(r *model.EventRules) { r.PartitionCount.Min = 0 },
	}, {
		Name:  "partition-count-1-refused",
		What:  "A topic must have two partitions.",
		Case:  "create-1-partition",
		Rules: func(r *model.EventRules) { r.PartitionCount.Min = 2 },
	}, {
		Name:  "partition-count-64-refused",
		What:  "A topic may have 63 partitions.",
		Case:  "create-64-partitions",
		Rules: func(r *model.EventRules) { r.PartitionCount.Max = 63 },
	}, {
		Name:  "partition-count-65-accepted",
		What:  "A topic may have 65 partitions.",
		Case:  "create-65-partitions-is-invalid",
		Rules: func(r *model.EventRules) { r.PartitionCount.Max = 65 },
	}, {
		Name: "partition-count-negative-accepted",
		What: "Only a count of 0 and one above 64 are refused.",
		Case: "create-minus-1-partitions-is-invalid",
		Hears: faults.InArgument("create", "partition_count", func(n int64) int64 {
			if n < 0 {
				return 1
			}
			return n
		}),
	}, {
		Name:  "max-records-0-accepted",
		What:  "A poll may ask for nothing.",
		Case:  "poll-limit-of-0-is-invalid",
		Rules: func(r *model.EventRules) { r.MaxRecords.Min = 0 },
	}, {
		Name:  "max-records-1-refused",
		What:  "A poll must ask for two records.",
		Case:  "poll-limit-of-1",
		Rules: func(r *model.EventRules) { r.MaxRecords.Min = 2 },
	}, {
		Name:  "max-records-64-refused",
		What:  "A poll may ask for 63 records.",
		Case:  "poll-limit-of-64-on-a-small-topic",
		Rules: func(r *model.EventRules) { r.MaxRecords.Max = 63 },
	}, {
		Name:  "max-records-65-accepted",
		What:  "A poll may ask for 65 records.",
		Case:  "poll-limit-of-65-is-invalid",
		Rules: func(r *model.EventRules) { r.MaxRecords.Max = 65 },
	}, {
		Name:  "max-records-negative-accepted",
		What:  "A poll may ask for less than nothing.",
		Case:  "poll-negative-limit-is-invalid",
		Rules: func(r *model.EventRules) { r.MaxRecords.Min = math.MinInt32 },
	}, {
		Name: "max-records-must-fit-the-topic",
		What: "A poll may not ask for more records than the topic has partitions.",
		Case: "poll-limit-of-64-on-a-small-topic",
		Around: faults.Refuses(func(e *model.Event, c Call) bool {
			topic := placeOf(e, c).topic
			return topic != nil && c.Number("max_records") > int64(len(topic.Partitions))
		}, "poll"),
	}, {
		Name: "partition-0-refused",
		What: "Partitions are counted from one.",
		Case: "publish-gives-offsets-from-0",
		Rules: func(r *model.EventRules) {
			r.Partition = func(n int) model.Range { return model.Range{Min: 1, Max: int64(n) - 1} }
		},
	}, {
		Name: "last-partition-refused",
		What: "The partition with the highest number is out of range.",
		Case: "create-2-partitions",
		Rules: func(r *model.EventRules) {
			r.Partition = func(n int) model.Range { return model.Range{Min: 0, Max: int64(n) - 2} }
		},
	}, {
		Name:   "publish-to-partition-n-accepted",
		What:   "The partition behind the last one is the last one for publish.",
		Case:   "publish-partition-out-of-range-is-invalid",
		Around: takingForTheLast(func(partitions int64) int64 { return partitions }, "publish"),
	}, {
		Name:   "publish-to-a-negative-partition-accepted",
		What:   "Partition -1 is the last one for publish, as in an index of Python.",
		Case:   "publish-partition-out-of-range-is-invalid",
		Around: takingForTheLast(func(int64) int64 { return -1 }, "publish"),
	}, {
		Name:   "ack-of-partition-n-accepted",
		What:   "The partition behind the last one is the last one for ack.",
		Case:   "ack-partition-out-of-range-is-invalid",
		Around: takingForTheLast(func(partitions int64) int64 { return partitions }, "ack"),
	}, {
		Name:   "ack-of-a-negative-partition-accepted",
		What:   "Partition -1 is the last one for ack.",
		Case:   "ack-partition-out-of-range-is-invalid",
		Around: takingForTheLast(func(int64) int64 { return -1 }, "ack"),
	}, {
		Name:   "retry-of-partition-n-accepted",
		What:   "The partition behind the last one is the last one for retry.",
		Case:   "retry-partition-out-of-range-is-invalid",
		Around: takingForTheLast(func(partitions int64) int64 { return partitions }, "retry"),
	}, {
		Name:   "retry-of-a-negative-partition-accepted",
		What:   "Partition -1 is the last one for retry.",
		Case:   "retry-partition-out-of-range-is-invalid",
		Around: takingForTheLast(func(int64) int64 { return -1 }, "retry"),
	}, {
		Name:   "publish-to-a-bad-partition-answers-full",
		What:   "A publish to a partition out of range is -1.",
		Case:   "publish-partition-out-of-range-is-invalid",
		Around: faults.Answers(model.Full, outOfRange, "publish"),
	}, {
		Name:   "ack-of-a-bad-partition-answers-false",
		What:   "An ack of a partition out of range is false.",
		Case:   "ack-partition-out-of-range-is-invalid",
		Around: faults.Answers(false, outOfRange, "ack"),
	}, {
		Name:   "retry-of-a-bad-partition-answers-false",
		What:   "A retry of a partition out of range is false.",
		Case:   "retry-partition-out-of-range-is-invalid",
		Around: faults.Answers(false, outOfRange, "retry"),
	}, {
		Name:   "bad-partition-of-an-absent-group-answers-false",
		What:   "An ack or retry looks for the group before it checks the partition.",
		Case:   "retry-invalid-comes-before-absence",
		Around: faults.Answers(false, func(e *model.Event, c Call) bool { return outOfRange(e, c) && absentGroup(e, c) }, "ack", "retry"),
	}, {
		Name:   "bad-partition-of-an-absent-member-answers-false",
		What:   "An ack or retry looks for the member before it checks the partition.",
		Case:   "retry-invalid-comes-before-absence",
		Around: faults.Answers(false, func(e *model.Event, c Call) bool { return outOfRange(e, c) && absentMember(e, c) }, "ack", "retry"),
	}, {
		Name:   "bad-max-records-of-an-absent-group-answers-empty",
		What:   "A poll looks for the group before it checks the limit.",
		Case:   "poll-invalid-limit-comes-before-absence",
		Around: faults.Answers([]any{}, absentGroup, "poll"),
	}, {
		Name:  "offset-0-refused",
		What:  "Offsets are counted from one in ack and retry.",
		Case:  "ack-of-the-delivery-in-flight",
		Rules: func(r *model.EventRules) { r.Offset.Min = 1 },
	}, {
		Name:   "ack-of-a-negative-offset-answers-false",
		What:   "An ack of a negative offset is false.",
		Case:   "ack-negative-offset-is-invalid",
		Around: faults.Answers(false, negativeOffset, "ack"),
	}, {
		Name:   "retry-of-a-negative-offset-answers-false",
		What:   "A retry of a negative offset is false.",
		Case:   "retry-negative-offset-is-invalid",
		Around: faults.Answers(false, negativeOffset, "retry"),
	}, {
		Name: "negative-offset-means-the-one-in-flight",
		What: "An ack of offset -1 acknowledges what is in flight.",
		Case: "ack-negative-offset-is-invalid",
		Around: func(e *model.Event) Perform {
			return func(c Call) (any, error) {
				if cursor := placeOf(e, c).cursor; c.Op == "ack" && cursor != nil && c.Number("offset") == -1 {
					c = c.With(map[string]any{"offset": max(0, cursor.InFlight)})
				}
				return faults.PerformOn(e)(c)
			}
		},
	},
}

// takingForTheLast has one number that is out of range mean the last partition.
func takingForTheLast(number func(partitions int64) int64, op string) around {
	return func(e *model.Event) Perform {
		return func(c Call) (any, error) {
			topic := placeOf(e, c).topic
			if c.Op != op || topic == nil {
				return faults.PerformOn(e)(c)
			}
			partitions := int64(len(topic.Partitions))
			if c.Args["partition"] == number(partitions) {
				c = c.With(map[string]any{"partition": partitions - 1})
			}
			return faults.PerformOn(e)(c)
		}
	}
}

func outOfRange(e *model.Event, c Call) bool {
	at := placeOf(e, c)
	return at.topic != nil && at.partition == nil
}

func negativeOffset(_ *model.Event, c Call) bool {
	n, ok := c.Args["offset"].(int64)
	return ok && n < 0
}
