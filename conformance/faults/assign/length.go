package assign

import (
	"math"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// Integers, counts and lengths of what is decoded (RA-01, RA-02).
var lengths = []fault{
	{
		Name: "integers-little-endian",
		What: "Integers are read with the lowest byte first.",
		Case: "decode-assignment-of-300-partitions",
		Rules: func(r *model.AssignRules) {
			r.Join = func(bytes []byte) int64 {
				reversed := slices.Clone(bytes)
				slices.Reverse(reversed)
				return correct.Join(reversed)
			}
		},
	}, {
		Name:  "integers-unsigned",
		What:  "Integers are read without a sign.",
		Case:  "decode-subscription-user-data-null-empty-and-bytes",
		Rules: func(r *model.AssignRules) { r.Join = unsigned },
	}, {
		Name: "integers-of-16-bits-unsigned",
		What: "The lengths of strings and the version are read without a sign.",
		Case: "decode-negative-version-is-invalid",
		Rules: func(r *model.AssignRules) {
			r.ReadVersion.Max, r.StringLength.Max = math.MaxUint16, math.MaxUint16
			r.Join = func(bytes []byte) int64 {
				if len(bytes) == 2 {
					return unsigned(bytes)
				}
				return correct.Join(bytes)
			}
		},
	}, {
		Name:  "negative-count-is-empty",
		What:  "A negative count of elements stands for none.",
		Case:  "hostile-owned-partitions-count",
		Rules: func(r *model.AssignRules) { r.Count.Min = math.MinInt32 },
	}, {
		Name:  "count-minus-1-is-null",
		What:  "A count of -1 stands for no elements, as in Kafka's nullable lists.",
		Case:  "hostile-owned-partitions-count",
		Rules: func(r *model.AssignRules) { r.Count.Min = -1 },
	}, {
		Name:  "negative-string-length-is-empty",
		What:  "A string of negative length is empty.",
		Case:  "hostile-negative-lengths-before-what-could-be-read",
		Rules: func(r *model.AssignRules) { r.StringLength.Min = math.MinInt16 },
	}, {
		Name:  "string-length-minus-1-is-null",
		What:  "A topic of length -1 is accepted, as in Kafka's nullable strings.",
		Case:  "hostile-negative-lengths-before-what-could-be-read",
		Rules: func(r *model.AssignRules) { r.StringLength.Min = -1 },
	}, {
		Name:  "rack-length-minus-2-accepted",
		What:  "A rack of any negative length is null.",
		Case:  "hostile-rack-length",
		Rules: func(r *model.AssignRules) { r.RackLength.Min = math.MinInt16 },
	}, {
		Name:  "rack-null-refused",
		What:  "A rack must not be null.",
		Case:  "decode-subscription-rack-null-empty-and-text",
		Rules: func(r *model.AssignRules) { r.RackLength.Min = 0 },
	}, {
		Name:  "user-data-length-minus-2-accepted",
		What:  "User data of any negative length is null.",
		Case:  "hostile-user-data-length",
		Rules: func(r *model.AssignRules) { r.BytesLength.Min = math.MinInt32 },
	}, {
		Name:  "user-data-null-refused",
		What:  "User data must not be null.",
		Case:  "decode-assignment-user-data-null-empty-and-bytes",
		Rules: func(r *model.AssignRules) { r.BytesLength.Min = 0 },
	}, {
		Name:  "string-limited-to-255-bytes",
		What:  "A topic of a decoded subscription has at most 249 bytes, as Kafka names topics.",
		Case:  "encode-topic-of-32767-bytes",
		Rules: func(r *model.AssignRules) { r.StringLength.Max = 249 },
	},
}

func unsigned(bytes []byte) int64 {
	return correct.Join(append([]byte{0}, bytes...))
}

// Input that ends early, or late (RA-01, RA-02, RA-03).
var truncations = []fault{
	{
		Name:   "truncated-subscription-padded",
		What:   "What is missing at the end of a subscription is read as zeros.",
		Case:   "truncated-subscription-in-its-version",
		Around: mending("bytes", padded, "decode_subscription"),
	}, {
		Name:   "truncated-assignment-padded",
		What:   "What is missing at the end of an assignment is read as zeros.",
		Case:   "truncated-assignment-in-its-count",
		Around: mending("bytes", padded, "decode_assignment"),
	}, {
		Name:   "subscription-without-user-data-accepted",
		What:   "A subscription may end before its user data.",
		Case:   "truncated-subscription-in-its-user-data-length",
		Around: mending("bytes", followed("\xff\xff\xff\xff"), "decode_subscription"),
	}, {
		Name:   "assignment-without-user-data-accepted",
		What:   "An assignment may end before its user data.",
		Case:   "decode-assignment-without-user-data-is-invalid",
		Around: mending("bytes", followed("\xff\xff\xff\xff"), "decode_assignment"),
	}, {
		Name:   "subscription-without-topics-accepted",
		What:   "A subscription may end behind its version.",
		Case:   "truncated-subscription-in-its-topics-count",
		Around: mending("bytes", followed("\x00\x00\x00\x00\xff\xff\xff\xff"), "decode_subscription"),
	}, {
		Name:   "empty-subscription-accepted",
		What:   "No bytes at all are a subscription to nothing.",
		Case:   "truncated-subscription-to-nothing",
		Around: mending("bytes", ifEmpty("\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff"), "decode_subscription"),
	}, {
		Name:   "empty-assignment-accepted",
		What:   "No bytes at all are an assignment of nothing.",
		Case:   "truncated-assignment-in-its-version",
		Around: mending("bytes", ifEmpty("\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff"), "decode_assignment"),
	}, {
		Name:   "bytes-left-over-in-a-subscription-refused",
		What:   "A subscription must end with its last field.",
		Case:   "decode-bytes-left-over-are-ignored",
		Around: onlyIn("decode_subscription", noRemainder),
	}, {
		Name:   "bytes-left-over-in-an-assignment-refused",
		What:   "An assignment must end with its last field.",
		Case:   "decode-assignment-bytes-left-over-are-ignored",
		Around: onlyIn("decode_assignment", noRemainder),
	},
}

// noRemainder are the rules under which every byte must be read.
func noRemainder(r *model.AssignRules) {
	r.MayRemain = func(left int) bool { return left == 0 }
}

// onlyIn bends the rules for one operation.
func onlyIn(op string, bend func(*model.AssignRules)) func(*model.Assign) perform {
	return func(a *model.Assign) perform {
		bent := model.CorrectAssignRules()
		bend(&bent)
		return func(c call) (any, error) {
			if c.Op == op {
				return faults.PerformOn(&model.Assign{Rules: bent})(c)
			}
			return faults.PerformOn(a)(c)
		}
	}
}

// padded is input that goes on with zeros.
func padded(input any) any { return followed(string(make([]byte, 64)))(input) }

func followed(by string) func(any) any {
	return func(input any) any { return wire.Bytes(content(input) + by) }
}

func ifEmpty(other string) func(any) any {
	return func(input any) any {
		if content(input) == "" {
			return wire.Bytes(other)
		}
		return input
	}
}
