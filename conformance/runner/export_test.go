package runner

import "time"

// LimitSearches has every search for an order of calls end after that time.
func LimitSearches(limit time.Duration) (restore func()) {
	before := searchLimit
	searchLimit = limit
	return func() { searchLimit = before }
}
