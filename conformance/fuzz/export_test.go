package fuzz

import (
	"slices"

	"github.com/eventbroker/eventbroker/conformance/surface"
)

// Unlisted are the pairs that were reached and that the table does not have.
func (r *Reached) Unlisted() (pairs []string) {
	for p := range r.times {
		system, _ := surface.FindSystem(p.system)
		for _, op := range operationsOf(system) {
			if op.Name == p.op && !slices.Contains(possible(system, op), p.outcome) {
				pairs = append(pairs, p.system+" "+p.op+": "+p.outcome)
			}
		}
	}
	return pairs
}

// ClauseOf is the clause that a case is said to be about that ends in the
// operation.
func ClauseOf(system, op string) string { return clauses[system][op] }

// SimplerValues are the values of a type that are simpler in one place.
func SimplerValues(t surface.Type, value any) []any { return simplerValues(t, value) }

// CutList takes elements out of a list for as long as it still fails.
func CutList(list []int, fails func([]int) bool) []int { return cutList(list, fails) }
