package main

import (
	"fmt"
	"slices"
)

// A spread is the median of some rounds, with the least and the greatest.
type spread struct {
	Median, Least, Greatest float64
}

func spreadOf(figures []float64) spread {
	sorted := slices.Sorted(slices.Values(figures))
	n := len(sorted)
	return spread{(sorted[(n-1)/2] + sorted[n/2]) / 2, sorted[0], sorted[n-1]}
}

func (s spread) String() string {
	return fmt.Sprintf("%s (%s to %s)", short(s.Median), short(s.Least), short(s.Greatest))
}

// short writes a ratio with three digits.
func short(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 0.1:
		return fmt.Sprintf("%.2f", v)
	case v >= 0.01:
		return fmt.Sprintf("%.3f", v)
	}
	return fmt.Sprintf("%.4f", v)
}

// figure is what the target speaks of: the ratio of the times, round by round, or
// of the rates where more is better; or the figure itself without a peer.
func (r rowResult) figure() spread {
	if r.Peer == nil {
		return spreadOf(r.Ours)
	}
	ratios := make([]float64, len(r.Ours))
	for i, ours := range r.Ours {
		ratios[i] = ours / r.Peer[i]
		if r.AtLeast != 0 {
			ratios[i] = 1 / ratios[i]
		}
	}
	return spreadOf(ratios)
}

func (r rowResult) hasTarget() bool { return r.AtMost != 0 || r.AtLeast != 0 }

// met tells whether the median is where it should be.
func (r rowResult) met() bool {
	median := r.figure().Median
	return (r.AtMost == 0 || median <= r.AtMost) && median >= r.AtLeast
}

func (r rowResult) target() string {
	switch {
	case r.AtMost != 0:
		return "≤ " + fmt.Sprint(r.AtMost)
	case r.AtLeast != 0:
		return "≥ " + fmt.Sprint(r.AtLeast)
	}
	return ""
}

// relative is each point's cost against the first one's of the same round.
func (c curveResult) relative() []spread {
	points := make([]spread, len(c.Points))
	for i, costs := range c.Costs {
		ratios := make([]float64, len(costs))
		for round, cost := range costs {
			ratios[round] = cost / c.Costs[0][round]
		}
		points[i] = spreadOf(ratios)
	}
	return points
}

// asRow is the last point against the first, in the form of the other results.
func (c curveResult) asRow() rowResult {
	last := len(c.Points) - 1
	return rowResult{
		What:    fmt.Sprintf("%s: %d", c.What, c.Points[last]),
		Against: fmt.Sprintf("%d", c.Points[0]),
		Unit:    "ns",
		Ours:    c.Costs[last],
		Peer:    c.Costs[0],
	}
}
