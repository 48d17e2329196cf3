package assign

import "slices"

// All are the faults, by what they break.
var All = broken.Break(slices.Concat(
	orders, shares, results, members, counts,
	versions, lengths, tails, truncations, decodedTexts, decoded, encoded,
))
