package fuzz

import "github.com/eventbroker/eventbroker/conformance/model"

// longestBatch is how many elements a batch may have (EB-17).
const longestBatch = 1024

// messages are a few, or seldom as many as there may be.
func (d drawer) messages(e *model.Event, partitions int64) []any {
	list := make([]any, d.IntN(6))
	if d.oneIn(50) {
		list = make([]any, longestBatch-d.IntN(2))
	}
	for i := range list {
		payload := "a"
		if len(list) < 6 {
			payload = d.payload(e.MaxPayload)
		}
		list[i] = []any{d.Int64N(partitions), payload}
	}
	return list
}

// positions are what the member has in flight, by chance in another order, more
// than once, or with an offset beside it.
func (d drawer) positions(e *model.Event, p place) []any {
	list := []any{}
	topic := e.Topics[p.topic]
	if topic == nil || topic.Groups[p.group] == nil {
		return append(list, []any{int64(p.partition), p.offset})
	}
	for i, cursor := range topic.Groups[p.group].Cursors {
		switch {
		case cursor.Owner == p.member && cursor.InFlight != model.NoDelivery && !d.oneIn(8):
			list = append(list, []any{int64(i), cursor.InFlight})
		case d.oneIn(8):
			list = append(list, []any{int64(i), cursor.Committed})
		}
		if d.oneIn(8) {
			list = append(list, []any{int64(i), cursor.Committed + d.Int64N(2)})
		}
	}
	if d.oneIn(2) {
		d.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	}
	return list
}
