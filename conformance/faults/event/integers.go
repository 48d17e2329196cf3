package event

import (
	"math/big"

	"github.com/eventbroker/eventbroker/conformance/faults"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// Integers that do not fit their type (the contract's "integers").
var integers = []Fault{
	{
		Name:  "capacity-cut-to-32-bits",
		What:  "The capacity wraps at 32 bits.",
		Case:  "capacity-2-32-plus-1-is-refused",
		Hears: faults.Cut(faults.New, "capacity_per_partition", faults.To32Bits),
	}, {
		Name:  "max-payload-cut-to-32-bits",
		What:  "The limit of payloads wraps at 32 bits.",
		Case:  "max-payload-2-32-plus-1-is-refused",
		Hears: faults.Cut(faults.New, "max_payload", faults.To32Bits),
	}, {
		Name:  "partition-count-cut-to-32-bits",
		What:  "The count of partitions wraps at 32 bits.",
		Case:  "create-count-outside-32-bits-is-invalid",
		Hears: faults.Cut("create", "partition_count", faults.To32Bits),
	}, {
		Name:  "publish-partition-cut-to-32-bits",
		What:  "The partition of publish wraps at 32 bits.",
		Case:  "publish-partition-beyond-32-bits-does-not-wrap",
		Hears: faults.Cut("publish", "partition", faults.To32Bits),
	}, {
		Name:  "ack-partition-cut-to-32-bits",
		What:  "The partition of ack wraps at 32 bits.",
		Case:  "ack-partition-beyond-32-bits-does-not-wrap",
		Hears: faults.Cut("ack", "partition", faults.To32Bits),
	}, {
		Name:  "retry-partition-cut-to-32-bits",
		What:  "The partition of retry wraps at 32 bits.",
		Case:  "retry-partition-beyond-32-bits-does-not-wrap",
		Hears: faults.Cut("retry", "partition", faults.To32Bits),
	}, {
		Name:  "max-records-cut-to-32-bits",
		What:  "The limit of poll wraps at 32 bits.",
		Case:  "poll-limit-outside-32-bits-is-invalid",
		Hears: faults.Cut("poll", "max_records", faults.To32Bits),
	}, {
		Name:  "ack-offset-cut-to-32-bits",
		What:  "The offset of ack wraps at 32 bits: 2^32 acknowledges 0.",
		Case:  "ack-offset-of-2-32-does-not-wrap",
		Hears: faults.Cut("ack", "offset", faults.To32Bits),
	}, {
		Name:  "retry-offset-cut-to-32-bits",
		What:  "The offset of retry wraps at 32 bits: 2^32 retries 0.",
		Case:  "retry-offset-of-2-32-does-not-wrap",
		Hears: faults.Cut("retry", "offset", faults.To32Bits),
	}, {
		Name:  "wide-capacity-wraps",
		What:  "A capacity outside 64 bits wraps.",
		Case:  "capacity-2-64-plus-1-is-refused",
		Hears: faults.Cut(faults.New, "capacity_per_partition", faults.To64Bits),
	}, {
		Name:  "wide-partition-count-wraps",
		What:  "A count of partitions outside 64 bits wraps.",
		Case:  "integer-partition-count-outside-64-bits-is-invalid",
		Hears: faults.Cut("create", "partition_count", faults.To64Bits),
	}, {
		Name:  "wide-partition-wraps",
		What:  "A partition outside 64 bits wraps in publish.",
		Case:  "integer-publish-partition-outside-64-bits-is-invalid",
		Hears: faults.Cut("publish", "partition", faults.To64Bits),
	}, {
		Name:  "wide-max-records-wraps",
		What:  "A limit of poll outside 64 bits wraps.",
		Case:  "integer-max-records-outside-64-bits-is-invalid",
		Hears: faults.Cut("poll", "max_records", faults.To64Bits),
	}, {
		Name:  "wide-ack-partition-wraps",
		What:  "A partition outside 64 bits wraps in ack.",
		Case:  "integer-ack-partition-outside-64-bits-is-invalid",
		Hears: faults.Cut("ack", "partition", faults.To64Bits),
	}, {
		Name:  "wide-retry-partition-wraps",
		What:  "A partition outside 64 bits wraps in retry.",
		Case:  "integer-retry-partition-outside-64-bits-is-invalid",
		Hears: faults.Cut("retry", "partition", faults.To64Bits),
	}, {
		Name:  "wide-ack-offset-wraps",
		What:  "An offset outside 64 bits wraps in ack: 2^64 acknowledges 0.",
		Case:  "integer-ack-offset-outside-64-bits-is-invalid",
		Hears: faults.Cut("ack", "offset", faults.To64Bits),
	}, {
		Name:  "wide-retry-offset-wraps",
		What:  "An offset outside 64 bits wraps in retry.",
		Case:  "integer-retry-offset-outside-64-bits-is-invalid",
		Hears: faults.Cut("retry", "offset", faults.To64Bits),
	}, {
		Name:  "wide-ack-offset-is-the-largest",
		What:  "An offset above 64 bits is taken for the largest one in ack, so that it answers false.",
		Case:  "integer-ack-offset-outside-64-bits-is-invalid",
		Hears: faults.Cut("ack", "offset", faults.Saturated),
	}, {
		Name:  "wide-retry-offset-is-the-largest",
		What:  "An offset above 64 bits is taken for the largest one in retry, so that it answers false.",
		Case:  "integer-retry-offset-outside-64-bits-is-invalid",
		Hears: faults.Cut("retry", "offset", faults.Saturated),
	}, {
		Name: "wide-integer-raises-another-error",
		What: "An integer outside 64 bits fails with the language's overflow error.",
		Case: "integer-partition-count-outside-64-bits-is-invalid",
		Around: faults.RaisesAnother(func(_ *model.Event, c Call) bool {
			for _, value := range c.Args {
				if _, wide := value.(*big.Int); wide {
					return true
				}
			}
			return false
		}),
	}, {
		Name: "integer-past-32-bits-raises-another-error",
		What: "A partition, count or limit outside 32 bits fails with the language's overflow error.",
		Case: "create-count-outside-32-bits-is-invalid",
		Around: faults.RaisesAnother(func(_ *model.Event, c Call) bool {
			for _, name := range []string{"partition", "partition_count", "max_records"} {
				if n, ok := c.Args[name].(int64); ok && n != int64(int32(n)) {
					return true
				}
			}
			return false
		}),
	},
}
