package assign

import (
	"math"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// What an encoder writes, and refuses to (RA-03).
var encoded = slices.Concat([]fault{
	{
		Name:   "every-field-written-in-every-version",
		What:   "A subscription has all fields, whatever its version says.",
		Case:   "encode-subscription-of-version-0",
		Around: writtenAs(3),
	}, {
		Name:   "no-tail-written",
		What:   "A subscription ends with its user data, whatever its version says.",
		Case:   "encode-subscription-of-version-3",
		Around: writtenAs(0),
	}, {
		Name:   "version-always-written-as-0",
		What:   "A subscription says version 0.",
		Case:   "encode-subscription-of-version-3",
		Around: patched("encode_subscription", "\x00\x00"),
	}, {
		Name:   "version-always-written-as-3",
		What:   "A subscription says version 3.",
		Case:   "encode-subscription-of-version-0",
		Around: patched("encode_subscription", "\x00\x03"),
	}, {
		Name:   "version-of-an-assignment-always-written-as-0",
		What:   "An assignment says version 0.",
		Case:   "encode-assignment-of-version-1",
		Around: patched("encode_assignment", "\x00\x00"),
	}, {
		Name: "integers-written-little-endian",
		What: "Integers are written with the lowest byte first.",
		Case: "encode-subscription-of-version-3",
		Rules: func(r *model.AssignRules) {
			r.Split = func(n int64, size int) []byte {
				bytes := correct.Split(n, size)
				slices.Reverse(bytes)
				return bytes
			}
		},
	},
	writing("version-4-of-a-subscription", "encode-subscription-other-versions-are-invalid", "encode_subscription", func(r *model.AssignRules) { r.WriteVersion.Max = 4 }),
	writing("version-4-of-an-assignment", "encode-assignment-other-versions-are-invalid", "encode_assignment", func(r *model.AssignRules) { r.WriteVersion.Max = 4 }),
	writing("any-version-of-a-subscription", "encode-subscription-other-versions-are-invalid", "encode_subscription", func(r *model.AssignRules) { r.WriteVersion.Max = math.MaxInt16 }),
	writing("negative-version-of-a-subscription", "encode-subscription-other-versions-are-invalid", "encode_subscription", func(r *model.AssignRules) { r.WriteVersion.Min = math.MinInt16 }),
	writing("negative-version-of-an-assignment", "encode-assignment-other-versions-are-invalid", "encode_assignment", func(r *model.AssignRules) { r.WriteVersion.Min = math.MinInt16 }),
	writing("string-of-32768-bytes", "encode-topic-of-32768-bytes-is-invalid", "encode_subscription", func(r *model.AssignRules) { r.WrittenText.Max++ }),
	writing("string-of-any-length", "encode-topic-of-32768-bytes-is-invalid", "encode_subscription", func(r *model.AssignRules) { r.WrittenText.Max = math.MaxInt32 }),
	writing("string-of-32768-bytes-in-an-assignment", "encode-assignment-topic-of-32768-bytes-is-invalid", "encode_assignment", func(r *model.AssignRules) { r.WrittenText.Max++ }),
	writing("text-not-utf8-in-a-subscription", "encode-subscription-topic-that-is-not-utf-8", "encode_subscription", reading(func(string) bool { return true })),
	writing("text-not-utf8-in-an-assignment", "encode-assignment-topic-that-is-not-utf-8", "encode_assignment", reading(func(string) bool { return true })),
	{
		Name:   "version-3-not-written",
		What:   "A subscription of version 3 is an invalid argument.",
		Case:   "encode-subscription-of-version-3",
		Around: onlyIn("encode_subscription", func(r *model.AssignRules) { r.WriteVersion.Max = 2 }),
	}, {
		Name:   "assignment-past-version-0-not-written",
		What:   "An assignment of a version above 0 is an invalid argument.",
		Case:   "encode-assignment-of-version-1",
		Around: onlyIn("encode_assignment", func(r *model.AssignRules) { r.WriteVersion.Max = 0 }),
	}, {
		Name:  "string-of-32767-bytes-not-written",
		What:  "A string of 32,767 bytes is an invalid argument.",
		Case:  "encode-topic-of-32767-bytes",
		Rules: func(r *model.AssignRules) { r.WrittenText.Max-- },
	}, {
		Name:  "too-long-strings-cut",
		What:  "A string loses what follows its first 32,767 bytes.",
		Case:  "encode-topic-of-32768-bytes-is-invalid",
		Hears: hearing("encode_subscription", "subscription", "topics", eachText(inText(func(s string) string { return s[:min(len(s), 32767)] }))),
	}, {
		Name:  "empty-topic-not-written",
		What:  "An empty topic is an invalid argument.",
		Case:  "encode-subscription-keeps-the-order-of-topics",
		Rules: func(r *model.AssignRules) { r.WrittenText.Min = 1 },
	},
}, heard("encode_subscription", "subscription", []hears{
	{"written-topics-sorted", "The topics are written in order.", "encode-subscription-of-300-topics", "topics", sorted},
	{"written-topics-named-once", "A topic that is named twice is written once.", "encode-subscription-keeps-the-order-of-topics", "topics", unique},
	{"written-topics-cut-at-nul", "A topic is written up to its first NUL.", "encode-subscription-text-of-every-width", "topics", eachText(beforeNUL)},
	{"null-user-data-written-as-empty", "Null user data is written as no bytes.", "encode-subscription-user-data-null-empty-and-bytes", "user_data", instead(nil, "")},
	{"empty-user-data-written-as-null", "User data of no bytes is written as null.", "encode-subscription-user-data-null-empty-and-bytes", "user_data", instead("", nil)},
	{"user-data-not-written", "User data is written as null.", "encode-subscription-user-data-null-empty-and-bytes", "user_data", func(any) any { return nil }},
	{"null-rack-written-as-empty", "A null rack is written as the empty one.", "encode-subscription-rack-null-empty-and-text", "rack_id", instead(nil, "")},
	{"empty-rack-written-as-null", "The empty rack is written as null.", "encode-subscription-rack-null-empty-and-text", "rack_id", instead("", nil)},
	{"generation-minus-1-written-as-0", "The generation -1 is written as 0.", "encode-subscription-generations", "generation_id", instead(int64(-1), int64(0))},
	{"written-owned-partitions-sorted", "The partitions of an owned topic are written in order.", "encode-subscription-keeps-the-order-of-owned-partitions", "owned_partitions", replacing(inOrder)},
	{"written-owned-topics-merged", "Two entries of an owned topic are written as one.", "encode-subscription-keeps-the-order-of-owned-partitions", "owned_partitions", merged},
	{"written-owned-topics-without-partitions-dropped", "An owned topic without partitions is not written.", "encode-subscription-keeps-the-order-of-owned-partitions", "owned_partitions", occupied},
}), heard("encode_assignment", "assignment", []hears{
	{"written-assigned-partitions-sorted", "The partitions of an assigned topic are written in order.", "encode-assignment-keeps-order", "partitions", replacing(inOrder)},
	{"written-assigned-topics-merged", "Two entries of an assigned topic are written as one.", "encode-assignment-keeps-order", "partitions", merged},
	{"written-assigned-topics-without-partitions-dropped", "An assigned topic without partitions is not written.", "encode-assignment-keeps-order", "partitions", occupied},
	{"written-assigned-topics-backwards", "The assigned topics are written in reverse.", "encode-assignment-of-what-range-assign-gave", "partitions", backwards},
	{"null-user-data-of-an-assignment-written-as-empty", "Null user data is written as no bytes.", "encode-assignment-user-data-null-empty-and-bytes", "user_data", instead(nil, "")},
	{"empty-user-data-of-an-assignment-written-as-null", "User data of no bytes is written as null.", "encode-assignment-user-data-null-empty-and-bytes", "user_data", instead("", nil)},
	{"user-data-of-an-assignment-not-written", "User data is written as null.", "encode-assignment-user-data-null-empty-and-bytes", "user_data", func(any) any { return nil }},
}))

// A hears is an encoder that takes one field for another.
type hears struct {
	name, what, caughtBy, field string
	change                      func(any) any
}

func heard(op, argument string, all []hears) []fault {
	var faults []fault
	for _, h := range all {
		faults = append(faults, fault{
			Name: h.name, What: h.what, Case: h.caughtBy,
			Hears: hearing(op, argument, h.field, h.change),
		})
	}
	return faults
}

// writing has one encoder write what it must refuse.
func writing(what, caughtBy, op string, bend func(*model.AssignRules)) fault {
	return fault{
		Name: what + "-written",
		What: "What must be refused is written: " + what + ".",
		Case: caughtBy, Around: onlyIn(op, bend),
	}
}

// writtenAs writes a subscription as one version and says another.
func writtenAs(version int64) func(*model.Assign) perform {
	return func(a *model.Assign) perform {
		return func(c call) (any, error) {
			result, err := faults.PerformOn(a)(c)
			if err != nil || c.Op != "encode_subscription" {
				return result, err
			}
			other, err := faults.PerformOn(a)(c.With(fields{"subscription": with(c.Args["subscription"].(fields), fields{"version": version})}))
			return append(result.(wire.Bytes)[:2:2], other.(wire.Bytes)[2:]...), err
		}
	}
}

// patched writes these bytes first.
func patched(op, beginning string) func(*model.Assign) perform {
	return after(func(result any) any {
		return append(wire.Bytes(beginning), result.(wire.Bytes)[len(beginning):]...)
	}, op)
}
