package assign

import (
	"math"

	"github.com/eventbroker/eventbroker/conformance/model"
)

// What stands for a field that is not there (RA-01).
var tails = []fault{
	{
		Name:  "missing-owned-partitions-refused",
		What:  "From version 1 the owned partitions must be there.",
		Case:  "decode-writer-may-stop-before-the-owned-partitions",
		Rules: demanding("owned_partitions"),
	}, {
		Name:  "missing-generation-refused",
		What:  "From version 2 the generation must be there, where the owned partitions are.",
		Case:  "decode-writer-may-stop-before-the-generation",
		Rules: demanding("generation_id"),
	}, {
		Name:  "missing-rack-refused",
		What:  "From version 3 the rack must be there, where the generation is.",
		Case:  "decode-writer-may-stop-before-the-rack",
		Rules: demanding("rack_id"),
	}, {
		Name:   "absent-owned-partitions-are-null",
		What:   "Without owned partitions there is null in place of an empty list.",
		Case:   "decode-subscription-of-version-0",
		Around: inField("decode_subscription", "owned_partitions", instead([]any{}, nil)),
	}, {
		Name:   "absent-generation-is-0",
		What:   "Without a generation there is 0.",
		Case:   "decode-subscription-of-version-0",
		Around: inField("decode_subscription", "generation_id", instead(int64(-1), int64(0))),
	}, {
		Name:   "absent-generation-is-the-lowest",
		What:   "Without a generation there is the lowest integer.",
		Case:   "decode-subscription-of-version-0",
		Around: inField("decode_subscription", "generation_id", instead(int64(-1), int64(math.MinInt32))),
	}, {
		Name:   "absent-rack-is-empty",
		What:   "Without a rack there is the empty one.",
		Case:   "decode-subscription-rack-null-empty-and-text",
		Around: inField("decode_subscription", "rack_id", instead(nil, "")),
	}, {
		Name:   "empty-rack-is-null",
		What:   "The empty rack counts as none.",
		Case:   "decode-subscription-rack-null-empty-and-text",
		Around: inField("decode_subscription", "rack_id", instead("", nil)),
	}, {
		Name:   "null-user-data-is-empty",
		What:   "Null user data of a subscription comes out as no bytes.",
		Case:   "decode-subscription-user-data-null-empty-and-bytes",
		Around: inField("decode_subscription", "user_data", instead(nil, "")),
	}, {
		Name:   "empty-user-data-is-null",
		What:   "User data of no bytes of a subscription comes out as null.",
		Case:   "decode-subscription-user-data-null-empty-and-bytes",
		Around: inField("decode_subscription", "user_data", instead("", nil)),
	}, {
		Name:   "null-user-data-of-an-assignment-is-empty",
		What:   "Null user data of an assignment comes out as no bytes.",
		Case:   "decode-assignment-user-data-null-empty-and-bytes",
		Around: inField("decode_assignment", "user_data", instead(nil, "")),
	}, {
		Name:   "empty-user-data-of-an-assignment-is-null",
		What:   "User data of no bytes of an assignment comes out as null.",
		Case:   "decode-assignment-user-data-null-empty-and-bytes",
		Around: inField("decode_assignment", "user_data", instead("", nil)),
	},
}

// demanding has one field of the tail be required.
func demanding(field string) func(*model.AssignRules) {
	return func(r *model.AssignRules) {
		r.MayStop = func(name string, _ int64) bool { return name != field }
	}
}
