package pubsub

import "github.com/eventbroker/eventbroker/conformance/faults"

// Integers that do not fit their type (the contract's "integers").
var integers = []fault{
	wraps(faults.New, "max_attempts", "pubsub-new-max-attempts-2-32-is-refused"),
	wraps(faults.New, "max_payload", "pubsub-new-max-payload-2-32-plus-1-is-refused"),
	wraps(faults.New, "workers", "pubsub-new-workers-2-32-plus-1-is-refused"),
	wraps("create_topic", "retain", "pubsub-create-with-a-retain-outside-32-bits-is-invalid"),
	wraps("seek", "offset", "field-64-bit-offset-cut-to-32-bits-in-seek"),
	wrapsWide(faults.New, "max_attempts", "pubsub-new-max-attempts-2-64-plus-1-is-refused"),
	wrapsWide("create_topic", "retain", "pubsub-create-with-a-retain-outside-64-bits-is-invalid"),
	wrapsWide("seek", "offset", "pubsub-seek-outside-64-bits-of-what-is-absent-is-invalid"),
	{
		Name:  "wide-seek-offset-is-the-largest",
		What:  "An offset above 64 bits is taken for the largest one, so that a seek of nothing answers false.",
		Case:  "pubsub-seek-outside-64-bits-of-what-is-absent-is-invalid",
		Hears: faults.Cut("seek", "offset", faults.Saturated),
	}, {
		Name:  "seek-offset-past-53-bits-refused",
		What:  "An offset that does not fit a floating-point number is an invalid argument.",
		Case:  "pubsub-seek-outside-64-bits-of-what-is-absent-is-invalid",
		Rules: func(r *rules) { r.Offset.Max = 1 << 53 },
	},
}

func wraps(op, name, caughtBy string) fault {
	return fault{
		Name:  faults.Kebab(op+"-"+name) + "-wraps-at-32-bits",
		What:  "The " + name + " of " + op + " wraps at 32 bits.",
		Case:  caughtBy,
		Hears: faults.Cut(op, name, faults.To32Bits),
	}
}

func wrapsWide(op, name, caughtBy string) fault {
	return fault{
		Name:  faults.Kebab(op+"-"+name) + "-wraps-at-64-bits",
		What:  "The " + name + " of " + op + " wraps at 64 bits.",
		Case:  caughtBy,
		Hears: faults.Cut(op, name, faults.To64Bits),
	}
}
