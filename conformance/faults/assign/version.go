package assign

import (
	"math"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// How the version of what is decoded counts (RA-01, RA-02).
var versions = []fault{
	{
		Name:  "unknown-version-refused",
		What:  "A version above 3 is an invalid argument.",
		Case:  "decode-versions-up-to-32767",
		Rules: func(r *model.AssignRules) { r.ReadVersion.Max = 3 },
	}, {
		Name:  "versions-past-0-refused",
		What:  "Only version 0 is read.",
		Case:  "decode-subscription-of-version-2",
		Rules: func(r *model.AssignRules) { r.ReadVersion.Max = 0 },
	}, {
		Name:  "negative-version-accepted",
		What:  "A negative version is read as 0.",
		Case:  "decode-negative-version-is-invalid",
		Rules: func(r *model.AssignRules) { r.ReadVersion.Min = math.MinInt16 },
	}, {
		Name:   "unknown-version-capped",
		What:   "A version above 3 is said to be 3.",
		Case:   "decode-versions-up-to-32767",
		Around: inField("decode_subscription", "version", func(v any) any { return min(v.(int64), 3) }),
	}, {
		Name:  "owned-partitions-read-in-version-0",
		What:  "Version 0 has owned partitions, too.",
		Case:  "decode-subscription-version-decides-what-is-read",
		Rules: since("owned_partitions", 0),
	}, {
		Name:  "owned-partitions-since-version-2",
		What:  "Owned partitions came with version 2.",
		Case:  "decode-subscription-of-version-1",
		Rules: since("owned_partitions", 2),
	}, {
		Name:  "generation-since-version-1",
		What:  "The generation id came with version 1.",
		Case:  "decode-subscription-version-decides-what-is-read",
		Rules: since("generation_id", 1),
	}, {
		Name:  "generation-since-version-3",
		What:  "The generation id came with version 3.",
		Case:  "field-decoder-rejects-or-misreads-versions-1-3-6",
		Rules: since("generation_id", 3),
	}, {
		Name:  "rack-since-version-2",
		What:  "The rack id came with version 2.",
		Case:  "decode-subscription-version-decides-what-is-read",
		Rules: since("rack_id", 2),
	}, {
		Name:  "rack-since-version-4",
		What:  "The rack id is not known.",
		Case:  "decode-subscription-of-version-3",
		Rules: since("rack_id", 4),
	}, {
		Name: "tail-of-an-unknown-version-not-read",
		What: "Of a version above 3 only what version 0 has is read.",
		Case: "decode-version-4-reads-as-3",
		Around: after(func(result any) any {
			if result.(fields)["version"].(int64) <= 3 {
				return result
			}
			return with(result.(fields), absent)
		}, "decode_subscription"),
	}, {
		Name:  "tail-of-an-unknown-version-must-be-right",
		What:  "A version above 3 whose tail cannot be read is an invalid argument.",
		Case:  "decode-newer-version-whose-tail-fails-has-none",
		Rules: func(r *model.AssignRules) { r.Forgives = func(int64) bool { return false } },
	}, {
		Name:  "tail-of-any-version-may-be-wrong",
		What:  "A tail that cannot be read is absent, whatever the version.",
		Case:  "truncated-subscription-in-its-owned-topic-length",
		Rules: func(r *model.AssignRules) { r.Forgives = func(int64) bool { return true } },
	}, {
		Name:  "tail-of-version-3-may-be-wrong",
		What:  "Version 3 already forgives a tail that cannot be read.",
		Case:  "truncated-subscription-in-its-owned-topic",
		Rules: func(r *model.AssignRules) { r.Forgives = func(version int64) bool { return version >= 3 } },
	}, {
		Name:  "tail-of-version-4-must-be-right",
		What:  "Only from version 5 a tail that cannot be read is absent.",
		Case:  "decode-newer-version-whose-tail-fails-has-none",
		Rules: func(r *model.AssignRules) { r.Forgives = func(version int64) bool { return version > 4 } },
	}, {
		Name:   "tail-of-an-unknown-version-kept-in-part",
		What:   "Of a tail that cannot be read whole, what can be read counts.",
		Case:   "decode-newer-version-cut-anywhere-in-its-tail",
		Around: keepingParts,
	}, {
		Name:   "generation-restricted",
		What:   "A generation below -1 is an invalid argument.",
		Case:   "decode-subscription-generation-is-not-restricted",
		Around: refusingResult("decode_subscription", func(s fields) bool { return s["generation_id"].(int64) < -1 }),
	}, {
		Name:   "owned-partitions-restricted",
		What:   "A negative owned partition is an invalid argument.",
		Case:   "decode-subscription-partitions-are-not-restricted",
		Around: refusingResult("decode_subscription", func(s fields) bool { return anyNegative(s["owned_partitions"]) }),
	}, {
		Name:   "assigned-partitions-restricted",
		What:   "A negative assigned partition is an invalid argument.",
		Case:   "decode-assignment-partitions-are-not-restricted",
		Around: refusingResult("decode_assignment", func(s fields) bool { return anyNegative(s["partitions"]) }),
	}, {
		Name:   "assignment-of-an-unknown-version-refused",
		What:   "An assignment of a version above 3 is an invalid argument.",
		Case:   "decode-assignment-is-alike-in-every-version",
		Around: refusingResult("decode_assignment", func(s fields) bool { return s["version"].(int64) > 3 }),
	},
}

// absent is what stands for a tail that is not there.
var absent = fields{"owned_partitions": []any{}, "generation_id": int64(-1), "rack_id": nil}

func since(field string, version int64) func(*model.AssignRules) {
	return func(r *model.AssignRules) { r.Since[field] = version }
}

// refusingResult raises where the right answer is such.
func refusingResult(op string, when func(fields) bool) func(*model.Assign) perform {
	return faults.Refuses(func(a *model.Assign, c call) bool {
		result, err := faults.PerformOn(a)(c)
		return err == nil && when(result.(fields))
	}, op)
}

func anyNegative(list any) bool {
	for _, entry := range list.([]any) {
		for _, p := range entry.(fields)["partitions"].([]any) {
			if p.(int64) < 0 {
				return true
			}
		}
	}
	return false
}

// keepingParts reads the longest beginning that version 3 can read.
func keepingParts(a *model.Assign) perform {
	return func(c call) (any, error) {
		result, err := faults.PerformOn(a)(c)
		if err != nil || c.Op != "decode_subscription" || result.(fields)["version"].(int64) <= 3 {
			return result, err
		}
		input := c.Text("bytes")
		for end := len(input); end >= 2; end-- {
			part, err := faults.PerformOn(a)(c.With(fields{"bytes": wire.Bytes("\x00\x03" + input[2:end])}))
			if err == nil {
				return with(part.(fields), fields{"version": result.(fields)["version"]}), nil
			}
		}
		return result, err
	}
}
