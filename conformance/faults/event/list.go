package event

import "slices"

// All are the faults, by what they break.
var All = broken.Break(slices.Concat(
	limits, integers, identifiers, payloads, effects, publish,
	groups, retention, ownership, rebalance, membership,
	poll, records, ack, retry, batches, handles,
))
