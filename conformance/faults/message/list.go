package message

import "slices"

// All are the faults, by what they break.
var All = broken.Break(slices.Concat(
	limits, integers, arguments, effects, topics,
	polls, groups, acks, nacks, parking, deadLetters,
))
