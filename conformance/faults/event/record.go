package event

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// What a poll returns, and what it leaves behind (EB-12, EB-16).
var records = []Fault{
	{
		Name: "poll-does-not-reserve",
		What: "A poll only looks: what it returns is not in flight.",
		Case: "poll-again-does-not-redeliver",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			for _, cursor := range deliveries(e, c, result) {
				cursor.InFlight = model.NoDelivery
			}
			return result
		}, "poll"),
	}, {
		Name: "poll-commits",
		What: "What a poll returns counts as acknowledged at once.",
		Case: "retry-of-the-delivery-in-flight",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			for _, cursor := range deliveries(e, c, result) {
				cursor.Committed++
			}
			e.RemoveAcknowledged(placeOf(e, c).topic)
			return result
		}, "poll"),
	}, {
		Name:   "poll-gives-several-records-of-a-partition",
		What:   "A poll fills up to its limit with the records that follow those reserved.",
		Case:   "poll-one-record-a-partition",
		Around: faults.After(followers, "poll"),
	}, {
		Name: "poll-gives-the-latest-first",
		What: "A poll returns the latest record of a partition.",
		Case: "poll-gives-the-record-at-the-committed-offset",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			for _, record := range result.([]any) {
				fields := record.(map[string]any)
				log := placeOf(e, c).topic.Partitions[fields["partition"].(int64)].Retained
				fields["offset"], fields["payload"] = log[len(log)-1].Offset, log[len(log)-1].Payload
			}
			return result
		}, "poll"),
	}, {
		Name: "poll-answers-null-for-none",
		What: "A poll that finds nothing returns null in place of an empty list.",
		Case: "poll-an-empty-topic-is-empty",
		Around: faults.After(func(_ *model.Event, _ Call, result any) any {
			if len(result.([]any)) == 0 {
				return nil
			}
			return result
		}, "poll"),
	}, {
		Name:   "record-partition-counted-from-one",
		What:   "Records name their partition counted from one.",
		Case:   "record-carries-topic-partition-offset-and-payload",
		Around: faults.After(inRecords("partition", func(v any) any { return v.(int64) + 1 }), "poll"),
	}, {
		Name:   "record-offset-counted-from-one",
		What:   "Records name their offset counted from one.",
		Case:   "record-carries-topic-partition-offset-and-payload",
		Around: faults.After(inRecords("offset", func(v any) any { return v.(int64) + 1 }), "poll"),
	}, {
		Name: "record-names-the-group",
		What: "Records name the group where the topic belongs.",
		Case: "record-names-the-topic-as-it-was-created",
		Around: faults.After(func(e *model.Event, c Call, result any) any {
			return inRecords("topic", func(any) any { return c.Text("group") })(e, c, result)
		}, "poll"),
	}, {
		Name: "record-empty-payload-is-null",
		What: "An empty payload comes back as null.",
		Case: "payload-empty-is-valid",
		Around: faults.After(inRecords("payload", func(v any) any {
			if v == "" {
				return nil
			}
			return v
		}), "poll"),
	},
}

// deliveries are the cursors of the records that a poll returned.
func deliveries(e *model.Event, c Call, result any) []*model.EventCursor {
	var cursors []*model.EventCursor
	for _, record := range result.([]any) {
		p := record.(map[string]any)["partition"].(int64)
		cursors = append(cursors, &placeOf(e, c).group.Cursors[p])
	}
	return cursors
}

// inRecords changes one field of each record.
func inRecords(field string, change func(any) any) func(*model.Event, Call, any) any {
	return func(_ *model.Event, _ Call, result any) any {
		for _, record := range result.([]any) {
			fields := record.(map[string]any)
			fields[field] = change(fields[field])
		}
		return result
	}
}

// followers fills a poll's answer up with the records behind those reserved.
func followers(e *model.Event, c Call, result any) any {
	var filled []any
	left := c.Number("max_records") - int64(len(result.([]any)))
	for _, record := range result.([]any) {
		filled = append(filled, record)
		fields := record.(map[string]any)
		log := placeOf(e, c).topic.Partitions[fields["partition"].(int64)]
		for _, next := range log.Retained {
			if next.Offset > fields["offset"].(int64) && left > 0 {
				left--
				filled = append(filled, map[string]any{
					"topic": fields["topic"], "partition": fields["partition"], "offset": next.Offset, "payload": next.Payload,
				})
			}
		}
	}
	if filled == nil {
		return result
	}
	return filled
}
