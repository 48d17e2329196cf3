package pubsub

import (
	"math"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// The options of the constructor (PS-07, PS-11, PS-16).
var limits = []fault{
	{
		Name:  "max-attempts-negative-accepted",
		What:  "A negative limit of tries is no limit.",
		Case:  "pubsub-new-max-attempts-minus-1-is-refused",
		Rules: func(r *rules) { r.MaxAttempts.Min = math.MinInt32 },
	}, {
		Name:  "max-attempts-0-refused",
		What:  "There must be a limit of tries.",
		Case:  "pubsub-limit-0-is-no-limit",
		Rules: func(r *rules) { r.MaxAttempts.Min = 1 },
	}, {
		Name:  "max-attempts-0-is-the-default",
		What:  "A limit of 0 stands for three tries.",
		Case:  "pubsub-limit-0-is-no-limit",
		Hears: faults.InArgument(faults.New, "max_attempts", func(n int64) int64 { return defaultIf(0, n) }),
	}, {
		Name:  "max-attempts-past-32-bits-accepted",
		What:  "The limit of tries may be any of 64 bits.",
		Case:  "pubsub-new-max-attempts-2-32-is-refused",
		Rules: func(r *rules) { r.MaxAttempts.Max = math.MaxInt64 },
	}, {
		Name:  "max-attempts-largest-refused",
		What:  "The limit of tries must be below the largest of 32 bits.",
		Case:  "pubsub-new-max-attempts-2147483647-is-accepted",
		Rules: func(r *rules) { r.MaxAttempts.Max = math.MaxInt32 - 1 },
	}, {
		Name:  "max-attempts-default-is-5",
		What:  "Without the option a message has five tries.",
		Case:  "pubsub-limit-is-3-by-default",
		Hears: byDefault("max_attempts", int64(5)),
	}, {
		Name:  "max-attempts-default-is-no-limit",
		What:  "Without the option a message has tries without limit.",
		Case:  "pubsub-limit-is-3-by-default",
		Hears: byDefault("max_attempts", int64(0)),
	}, {
		Name:  "max-attempts-ignored",
		What:  "A message has three tries, whatever the option says.",
		Case:  "pubsub-limit-2-allows-one-retry",
		Rules: func(r *rules) { r.GivesUp = func(d *delivery, _ int64) bool { return correct.GivesUp(d, 3) } },
	}, {
		Name:  "max-payload-negative-accepted",
		What:  "The limit of payloads may be negative.",
		Case:  "pubsub-new-max-payload-minus-1-is-refused",
		Rules: func(r *rules) { r.MaxPayload.Min = math.MinInt32 },
	}, {
		Name:  "max-payload-1-refused",
		What:  "The limit of payloads must be two bytes.",
		Case:  "pubsub-new-max-payload-1-is-one-byte",
		Rules: func(r *rules) { r.MaxPayload.Min = 2 },
	}, {
		Name:  "max-payload-of-a-mebibyte-refused",
		What:  "The limit of payloads must be below 1 MiB.",
		Case:  "pubsub-new-max-payload-1048576-is-one-mebibyte",
		Rules: func(r *rules) { r.MaxPayload.Max = 1<<20 - 1 },
	}, {
		Name:  "max-payload-past-a-mebibyte-accepted",
		What:  "The limit of payloads may be above 1 MiB.",
		Case:  "pubsub-new-max-payload-1048577-is-refused",
		Rules: func(r *rules) { r.MaxPayload.Max = math.MaxInt32 },
	}, {
		Name:  "max-payload-ignored",
		What:  "Payloads have the limit of 1,024 bytes, whatever the option says.",
		Case:  "pubsub-new-max-payload-above-the-default",
		Rules: carrying(func(payload string, _ int64) bool { return correct.Payload(payload, 1024) }),
	}, {
		Name:  "max-payload-only-raises-the-limit",
		What:  "An option below 1,024 bytes has no effect.",
		Case:  "pubsub-new-max-payload-below-the-default",
		Rules: carrying(func(payload string, limit int64) bool { return correct.Payload(payload, max(1024, limit)) }),
	}, {
		Name:  "workers-negative-accepted",
		What:  "A negative number of workers stands for the default.",
		Case:  "pubsub-new-workers-minus-1-is-refused",
		Rules: func(r *rules) { r.Workers.Min = math.MinInt32 },
	}, {
		Name:  "workers-1-refused",
		What:  "A pool must have two workers.",
		Case:  "pubsub-pool-drain-is-0",
		Rules: func(r *rules) { r.Workers.Min = 2 },
	}, {
		Name:  "workers-past-1024-accepted",
		What:  "A pool may have any number of workers.",
		Case:  "pubsub-new-workers-1025-is-refused",
		Rules: func(r *rules) { r.Workers.Max = math.MaxInt32 },
	}, {
		Name: "workers-without-a-pool-accepted",
		What: "A number of workers is passed over where there is no pool.",
		Case: "pubsub-new-workers-without-a-dispatcher-are-refused",
		Hears: inNew(func(c *call) {
			if c.Args["dispatcher"] != "pool" {
				delete(c.Args, "workers")
			}
		}),
	}, {
		Name: "workers-make-a-pool",
		What: "A number of workers asks for the pool by itself.",
		Case: "pubsub-new-workers-without-a-dispatcher-are-refused",
		Hears: inNew(func(c *call) {
			if _, given := c.Args["workers"]; given && c.Args["dispatcher"] == nil {
				c.Args["dispatcher"] = "pool"
			}
		}),
	}, {
		Name: "dispatcher-unknown-is-the-default",
		What: "A dispatcher that there is not stands for the synchronous one.",
		Case: "pubsub-new-unknown-dispatcher-is-refused",
		Hears: inNew(func(c *call) {
			switch c.Text("dispatcher") {
			case "lanes", "pool":
			default:
				delete(c.Args, "dispatcher")
			}
		}),
	}, {
		Name:  "dispatcher-folded",
		What:  "A dispatcher may be written in capitals.",
		Case:  "pubsub-new-dispatcher-in-another-case-is-refused",
		Hears: inNew(func(c *call) { faults.ChangeText(c, "dispatcher", strings.ToLower) }),
	}, {
		Name: "dispatcher-empty-is-the-default",
		What: "An empty dispatcher stands for the synchronous one.",
		Case: "pubsub-new-empty-dispatcher-is-refused",
		Hears: inNew(func(c *call) {
			if c.Args["dispatcher"] == "" {
				delete(c.Args, "dispatcher")
			}
		}),
	},
	withoutDispatcher("lanes", "pubsub-lanes-drain-is-0"),
	withoutDispatcher("pool", "pubsub-pool-drain-is-0"),
	drainsItself("lanes", "pubsub-lanes-drain-is-0"),
	drainsItself("pool", "pubsub-pool-drain-is-0"),
}

func withoutDispatcher(name, caughtBy string) fault {
	return fault{
		Name:  "dispatcher-" + name + "-refused",
		What:  "There is no dispatcher " + name + ".",
		Case:  caughtBy,
		Hears: inNew(func(c *call) { faults.ChangeText(c, "dispatcher", another(name, "none")) }),
	}
}

func drainsItself(name, caughtBy string) fault {
	return fault{
		Name:  "dispatcher-" + name + "-is-synchronous",
		What:  "The dispatcher " + name + " is no other than the synchronous one.",
		Case:  caughtBy,
		Hears: inNew(func(c *call) { faults.ChangeText(c, "dispatcher", another(name, model.Synchronous)) }),
	}
}

func another(old, replaced string) func(string) string {
	return func(s string) string {
		if s == old {
			return replaced
		}
		return s
	}
}

func inNew(change func(*call)) func(*call) {
	return func(c *call) {
		if c.Op == faults.New {
			change(c)
		}
	}
}

// byDefault gives an option that was not given.
func byDefault(option string, value any) func(*call) {
	return inNew(func(c *call) {
		if _, given := c.Args[option]; !given {
			c.Args[option] = value
		}
	})
}

func defaultIf(stands, n int64) int64 {
	if n == stands {
		return model.DefaultMaxAttempts
	}
	return n
}
