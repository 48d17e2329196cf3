package message

import (
	"math"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Limits from both sides (MB-01, MB-11).
var limits = []fault{
	{
		Name:  "max-attempts-0-accepted",
		What:  "A message may have no attempts at all.",
		Case:  "field-limit-of-zero-or-one-0",
		Rules: func(r *model.MessageRules) { r.MaxAttempts.Min = 0 },
	}, {
		Name:  "max-attempts-negative-accepted",
		What:  "A negative limit of attempts stands for one.",
		Case:  "field-limit-of-zero-or-one-1",
		Hears: faults.InArgument(faults.New, "max_attempts", oneIfNegative),
	}, {
		Name:  "max-attempts-1-refused",
		What:  "A message must have two attempts.",
		Case:  "max-attempts-1-parks-at-the-first-nack",
		Rules: func(r *model.MessageRules) { r.MaxAttempts.Min = 2 },
	}, {
		Name:  "max-attempts-past-a-thousand-refused",
		What:  "The limit of attempts is one of 1 through 1,000.",
		Case:  "max-attempts-2147483647-is-accepted",
		Rules: func(r *model.MessageRules) { r.MaxAttempts.Max = 1000 },
	}, {
		Name:  "max-attempts-past-32-bits-accepted",
		What:  "The limit of attempts may be any of 64 bits.",
		Case:  "max-attempts-2-32-plus-1-is-refused",
		Rules: func(r *model.MessageRules) { r.MaxAttempts.Max = math.MaxInt64 },
	}, {
		Name:  "max-attempts-capped-at-16",
		What:  "A limit of attempts above 16 is taken for 16, as of a queue that has a highest one.",
		Case:  "max-attempts-2-31-is-refused",
		Hears: faults.InArgument(faults.New, "max_attempts", func(n int64) int64 { return min(n, 16) }),
	}, {
		Name:  "max-payload-0-accepted",
		What:  "The limit of payloads may be 0.",
		Case:  "message-max-payload-minus-1-is-refused",
		Rules: func(r *model.MessageRules) { r.MaxPayload.Min = math.MinInt32 },
	}, {
		Name:  "max-payload-1-refused",
		What:  "The limit of payloads must be two bytes.",
		Case:  "message-max-payload-1-is-one-byte",
		Rules: func(r *model.MessageRules) { r.MaxPayload.Min = 2 },
	}, {
		Name:  "max-payload-of-a-mebibyte-refused",
		What:  "The limit of payloads must be below 1 MiB.",
		Case:  "message-max-payload-1048576-is-one-mebibyte",
		Rules: func(r *model.MessageRules) { r.MaxPayload.Max = 1<<20 - 1 },
	}, {
		Name:  "max-payload-past-a-mebibyte-accepted",
		What:  "The limit of payloads may be above 1 MiB.",
		Case:  "message-max-payload-1048577-is-refused",
		Rules: func(r *model.MessageRules) { r.MaxPayload.Max = math.MaxInt32 },
	}, {
		Name: "max-payload-ignored",
		What: "Payloads have the limit of 1,024 bytes, whatever the option says.",
		Case: "message-max-payload-above-the-default",
		Rules: func(r *model.MessageRules) {
			r.Payload = func(payload string, _ int64) bool { return correct.Payload(payload, 1024) }
		},
	}, {
		Name: "max-payload-only-raises-the-limit",
		What: "An option below 1,024 bytes has no effect.",
		Case: "message-max-payload-below-the-default",
		Rules: func(r *model.MessageRules) {
			r.Payload = func(payload string, limit int64) bool { return correct.Payload(payload, max(1024, limit)) }
		},
	}, {
		Name:   "ack-offset-negative-answers-false",
		What:   "An ack of a negative offset is false.",
		Case:   "message-ack-of-a-negative-offset-is-invalid",
		Around: faults.Answers(false, negative("offset"), "ack"),
	}, {
		Name:   "nack-offset-negative-answers-false",
		What:   "A nack of a negative offset is false.",
		Case:   "message-nack-of-a-negative-offset-is-invalid",
		Around: faults.Answers(false, negative("offset"), "nack"),
	}, {
		Name:   "ack-attempt-0-answers-false",
		What:   "An ack of attempt 0 is false.",
		Case:   "message-ack-of-attempt-0-is-invalid",
		Around: faults.Answers(false, isZero("attempt"), "ack"),
	}, {
		Name:   "nack-attempt-0-answers-false",
		What:   "A nack of attempt 0 is false.",
		Case:   "message-nack-of-attempt-0-is-invalid",
		Around: faults.Answers(false, isZero("attempt"), "nack"),
	}, {
		Name:   "ack-attempt-negative-answers-false",
		What:   "An ack of a negative attempt is false.",
		Case:   "message-ack-of-a-negative-attempt-is-invalid",
		Around: faults.Answers(false, negative("attempt"), "ack"),
	}, {
		Name:   "nack-attempt-negative-answers-false",
		What:   "A nack of a negative attempt is false.",
		Case:   "message-nack-of-a-negative-attempt-is-invalid",
		Around: faults.Answers(false, negative("attempt"), "nack"),
	}, {
		Name:   "attempt-past-the-limit-refused",
		What:   "An attempt above the limit is an invalid argument.",
		Case:   "message-ack-of-another-attempt-is-false",
		Around: faults.Refuses(func(m *model.Message, c call) bool { return c.Number("attempt") > m.MaxAttempts }, "ack", "nack"),
	}, {
		Name: "offset-past-the-log-refused",
		What: "An offset behind the last message is an invalid argument.",
		Case: "message-ack-far-ahead-is-false",
		Around: faults.Refuses(func(m *model.Message, c call) bool {
			topic := m.Topics[c.Text("topic")]
			return topic != nil && c.Number("offset") >= int64(len(topic.Log))
		}, "ack", "nack"),
	}, {
		Name:  "offset-past-53-bits-refused",
		What:  "An offset that does not fit a floating-point number is an invalid argument.",
		Case:  "message-ack-of-the-offset-plus-2-32-is-false",
		Rules: func(r *model.MessageRules) { r.Offset.Max = 1 << 53 },
	},
}

func oneIfNegative(n int64) int64 {
	if n < 0 {
		return 1
	}
	return n
}

func negative(name string) func(*model.Message, call) bool {
	return func(_ *model.Message, c call) bool {
		n, ok := c.Args[name].(int64)
		return ok && n < 0
	}
}

func isZero(name string) func(*model.Message, call) bool {
	return func(_ *model.Message, c call) bool { return c.Args[name] == int64(0) }
}
