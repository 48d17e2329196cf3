package event

import (
	"math"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Batches that are not what their elements would do in turn, or that are judged
// otherwise than whole (EB-17).
var batches = slices.Concat(batchesOfMessages, batchesOfPositions)

var batchesOfMessages = []Fault{
	{
		Name: "batch-stops-at-the-first-full-partition",
		What: "Once a message of a batch found no room, those behind it are not published.",
		Case: "batch-publish-meets-a-full-partition-in-the-middle",
		Around: inTurn("publish_many", func(perform Perform, calls []Call) (answers []any) {
			for _, c := range calls {
				answer, _ := perform(c)
				answers = append(answers, answer)
				if answer == model.Full {
					break
				}
			}
			for len(answers) < len(calls) {
				answers = append(answers, model.Full)
			}
			return answers
		}),
	}, {
		Name:   "batch-begins-at-the-last-message",
		What:   "The messages of a batch are published from the last to the first.",
		Case:   "batch-publish-appends-in-the-order-of-its-messages",
		Around: inTurn("publish_many", backward),
	}, {
		Name:   "batch-answers-by-partition",
		What:   "The messages of a batch are taken, and answered, in the order of their partitions.",
		Case:   "batch-publish-appends-in-the-order-of-its-messages",
		Around: byPartition("publish_many", "messages"),
	}, {
		Name: "batch-looks-for-room-once",
		What: "A batch is published whole where its partition had any room before.",
		Case: "batch-publish-fills-the-last-place",
		Around: func(e *model.Event) Perform {
			return func(c Call) (any, error) {
				capacity := e.Capacity
				defer func() { e.Capacity = capacity }()
				if log := placeOf(e, c).topic; c.Op == "publish_many" && log != nil && len(log.Partitions[0].Retained) < int(capacity) {
					e.Capacity = math.MaxInt64
				}
				return faults.PerformOn(e)(c)
			}
		},
	}, {
		Name:   "batch-publishes-up-to-the-bad-message",
		What:   "A batch fails at its bad message, and has published those before it.",
		Case:   "batch-publish-with-a-bad-partition-changes-nothing",
		Around: doneUpToTheBadOne("publish_many", "messages"),
	}, {
		Name:   "batch-judges-payloads-as-it-goes",
		What:   "A batch fails at a payload that is too long, and has published those before it.",
		Case:   "batch-publish-with-a-long-payload-changes-nothing",
		Around: doneUpToTheBadOne("publish_many", "messages"),
	}, {
		Name:   "batch-of-no-messages-refused",
		What:   "A batch without messages is an invalid argument.",
		Case:   "batch-publish-of-no-messages",
		Around: faults.Refuses(batchOf("messages", 0), "publish_many"),
	}, {
		Name:   "empty-batch-needs-no-topic",
		What:   "A batch without messages is answered whether or not the topic exists.",
		Case:   "batch-publish-to-an-unknown-topic-is-invalid",
		Around: faults.Answers([]any{}, batchOf("messages", 0), "publish_many"),
	}, {
		Name:   "batch-makes-the-topic",
		What:   "A batch for a topic that does not exist fails and makes it.",
		Case:   "batch-publish-to-an-unknown-topic-is-invalid",
		Around: faults.Refusing(makeTopic, "publish_many"),
	}, {
		Name:  "batch-of-1024-refused",
		What:  "The longest batch is one too long.",
		Case:  "batch-publish-1024-messages",
		Rules: func(r *model.EventRules) { r.Batch.Max = 1023 },
	}, {
		Name:  "batch-of-1025-accepted",
		What:  "A batch may have one message more.",
		Case:  "batch-publish-1025-messages-is-invalid",
		Rules: func(r *model.EventRules) { r.Batch.Max = 1025 },
	}, {
		Name:   "batch-partition-cut-to-32-bits",
		What:   "The partition of a message is cut to 32 bits.",
		Case:   "batch-publish-partition-beyond-32-bits-is-invalid",
		Around: hearing("messages", 0, cutTo32),
	}, {
		Name: "batch-payload-ends-at-nul",
		What: "A payload in a batch ends at its first NUL.",
		Case: "batch-publish-payloads-come-back-byte-for-byte",
		Around: hearing("messages", 1, func(payload any) any {
			s, _ := payload.(string)
			if i := slices.Index([]byte(s), 0); i >= 0 {
				return s[:i]
			}
			return payload
		}),
	}, {
		Name: "batch-passes-over-max-payload",
		What: "In a batch a payload may have 1,024 bytes, whatever the constructor was told.",
		Case: "batch-publish-keeps-to-max-payload",
		Around: func(e *model.Event) Perform {
			return func(c Call) (any, error) {
				defer func(limit int64) { e.MaxPayload = limit }(e.MaxPayload)
				if c.Op == "publish_many" {
					e.MaxPayload = 1024
				}
				return faults.PerformOn(e)(c)
			}
		},
	}, {
		Name: "batch-takes-text-that-is-not-utf-8",
		What: "In a batch a payload need not be UTF-8.",
		Case: "batch-publish-with-a-payload-that-is-not-utf-8-changes-nothing",
		Around: func(e *model.Event) Perform {
			return func(c Call) (any, error) {
				defer func() { e.Rules.Payload = correct.Payload }()
				if c.Op == "publish_many" {
					e.Rules.Payload = func(payload string, limit int64) bool { return int64(len(payload)) <= limit }
				}
				return faults.PerformOn(e)(c)
			}
		},
	},
}

func backward(perform Perform, calls []Call) []any {
	answers := make([]any, len(calls))
	for i, c := range slices.Backward(calls) {
		answers[i], _ = perform(c)
	}
	return answers
}

// inTurn carries a batch that is right out in another way.
func inTurn(op string, carryOut func(perform Perform, calls []Call) []any) around {
	return func(e *model.Event) Perform {
		return func(c Call) (any, error) {
			if _, err := faults.PerformOn(e.Copy())(c); c.Op != op || err != nil {
				return faults.PerformOn(e)(c)
			}
			return append([]any{}, carryOut(faults.PerformOn(e), singles(c))...), nil
		}
	}
}

// byPartition takes the elements of a batch in the order of their partitions.
func byPartition(op, batch string) around {
	return func(e *model.Event) Perform {
		return func(c Call) (any, error) {
			if c.Op == op {
				elements := slices.Clone(elementsOf(c, batch))
				slices.SortStableFunc(elements, func(a, b any) int { return int(number(a, 0) - number(b, 0)) })
				c = c.With(map[string]any{batch: elements})
			}
			return faults.PerformOn(e)(c)
		}
	}
}

// doneUpToTheBadOne does what stands before the element for which a batch is
// refused.
func doneUpToTheBadOne(op, batch string) around {
	return faults.Refusing(func(e *model.Event, c Call) {
		for n := len(elementsOf(c, batch)); n > 0; n-- {
			if _, err := faults.PerformOn(e)(c.With(map[string]any{batch: elementsOf(c, batch)[:n]})); err == nil {
				return
			}
		}
	}, op)
}

// hearing takes another value of one field of each element than was said.
func hearing(batch string, field int, hear func(any) any) around {
	return func(e *model.Event) Perform {
		return func(c Call) (any, error) {
			var heard []any
			for _, element := range elementsOf(c, batch) {
				fields := slices.Clone(element.([]any))
				fields[field] = hear(fields[field])
				heard = append(heard, fields)
			}
			if heard != nil {
				c = c.With(map[string]any{batch: heard})
			}
			return faults.PerformOn(e)(c)
		}
	}
}

func cutTo32(n any) any {
	if n, is := n.(int64); is {
		return int64(int32(n))
	}
	return n
}

// batchOf is true of a call with a batch of so many elements.
func batchOf(batch string, n int) func(*model.Event, Call) bool {
	return func(_ *model.Event, c Call) bool { return len(elementsOf(c, batch)) == n }
}

func elementsOf(c Call, batch string) []any {
	elements, _ := c.Args[batch].([]any)
	return elements
}

func number(element any, field int) int64 {
	n, _ := element.([]any)[field].(int64)
	return n
}

// singles are the calls that a batch stands for.
func singles(c Call) (calls []Call) {
	for _, m := range elementsOf(c, "messages") {
		fields := m.([]any)
		calls = append(calls, singleOf(c, "publish", map[string]any{"partition": fields[0], "payload": fields[1]}))
	}
	for _, p := range elementsOf(c, "positions") {
		fields := p.([]any)
		calls = append(calls, singleOf(c, "ack", map[string]any{"partition": fields[0], "offset": fields[1]}))
	}
	return calls
}

func singleOf(c Call, op string, fields map[string]any) Call {
	for name, value := range c.Args {
		fields[name] = value
	}
	c = c.As(op)
	c.Args = fields
	return c
}
