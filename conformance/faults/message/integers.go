package message

import (
	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Integers that do not fit their type (the contract's "integers").
var integers = []fault{
	wraps(faults.New, "max_attempts", "max-attempts-2-32-plus-1-is-refused"),
	wraps(faults.New, "max_payload", "message-max-payload-2-32-plus-1-is-refused"),
	wraps("ack", "offset", "message-ack-of-the-offset-plus-2-32-is-false"),
	wraps("nack", "offset", "message-nack-of-the-offset-plus-2-32-is-false"),
	wraps("ack", "attempt", "message-ack-of-an-attempt-outside-32-bits-is-invalid"),
	wraps("nack", "attempt", "message-nack-of-an-attempt-outside-32-bits-is-invalid"),
	wrapsWide(faults.New, "max_attempts", "max-attempts-2-64-plus-1-is-refused"),
	wrapsWide("ack", "offset", "message-ack-offset-outside-64-bits-is-invalid"),
	wrapsWide("nack", "offset", "message-nack-offset-outside-64-bits-is-invalid"),
	wrapsWide("ack", "attempt", "message-ack-attempt-outside-64-bits-is-invalid"),
	wrapsWide("nack", "attempt", "message-nack-attempt-outside-64-bits-is-invalid"),
	{
		Name:  "wide-ack-offset-is-the-largest",
		What:  "An offset above 64 bits is taken for the largest one in ack, so that it answers false.",
		Case:  "message-ack-offset-outside-64-bits-is-invalid",
		Hears: faults.Cut("ack", "offset", faults.Saturated),
	}, {
		Name:   "attempt-past-32-bits-answers-false",
		What:   "An attempt that does not fit 32 bits is one that was not made.",
		Case:   "message-ack-of-an-attempt-outside-32-bits-is-invalid",
		Around: faults.Answers(false, func(_ *model.Message, c call) bool { return c.Number("attempt") > 1<<31-1 }, "ack", "nack"),
	},
}

func wraps(op, name, caughtBy string) fault {
	return fault{
		Name:  op + "-" + faults.Kebab(name) + "-wraps-at-32-bits",
		What:  "The " + name + " of " + op + " wraps at 32 bits.",
		Case:  caughtBy,
		Hears: faults.Cut(op, name, faults.To32Bits),
	}
}

func wrapsWide(op, name, caughtBy string) fault {
	return fault{
		Name:  op + "-" + faults.Kebab(name) + "-wraps-at-64-bits",
		What:  "The " + name + " of " + op + " wraps at 64 bits.",
		Case:  caughtBy,
		Hears: faults.Cut(op, name, faults.To64Bits),
	}
}
