package fuzz

import "github.com/eventbroker/eventbroker/conformance/surface"

// ClauseOf is the clause that a case is said to be about that ends in the
// operation.
func ClauseOf(system, op string) string { return clauses[system][op] }

// SimplerValues are the values of a type that are simpler in one place.
func SimplerValues(t surface.Type, value any) []any { return simplerValues(t, value) }

// CutList takes elements out of a list for as long as it still fails.
func CutList(list []int, fails func([]int) bool) []int { return cutList(list, fails) }
