package pubsub

import "slices"

// All are the faults, by what they break.
var All = broken.Break(slices.Concat(
	limits, arguments, integers, effects, topics,
	subscribing, unsubscribing, walks, nested, outcomes, tries, seeks,
	filters, retention, policies, groups, redelivering, answersAbout,
))
