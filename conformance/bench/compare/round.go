package main

import (
	"context"
	"fmt"
	"io"
)

// results are what all rounds measured.
type results struct {
	Date    string        `json:"date"`
	Rounds  int           `json:"rounds"`
	Machine machine       `json:"machine"`
	Groups  []groupResult `json:"groups"`
	Growth  []curveResult `json:"growth"`
}

type groupResult struct {
	Title string      `json:"title"`
	Rows  []rowResult `json:"rows"`
}

type rowResult struct {
	What    string    `json:"what"`
	Against string    `json:"against,omitempty"`
	Unit    string    `json:"unit"`
	Rate    string    `json:"rate,omitempty"`
	AtMost  float64   `json:"at_most,omitempty"`
	AtLeast float64   `json:"at_least,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	Ours    []float64 `json:"ours"` // by round
	Peer    []float64 `json:"peer,omitempty"`
}

type curveResult struct {
	What   string      `json:"what"`
	Points []int       `json:"points"`
	Costs  [][]float64 `json:"costs"` // by point, then by round
}

// begin makes results without figures.
func begin(t targets) results {
	var r results
	for _, g := range t.Groups {
		result := groupResult{Title: g.Title}
		for _, row := range g.Rows {
			unit := row.Unit
			if unit == "" {
				unit = "ns"
			}
			result.Rows = append(result.Rows, rowResult{
				What: row.What, Against: row.Against, Unit: unit, Rate: row.Rate, AtMost: row.AtMost, AtLeast: row.AtLeast, Reason: row.Reason,
			})
		}
		r.Groups = append(r.Groups, result)
	}
	for _, c := range t.Growth {
		r.Growth = append(r.Growth, curveResult{What: c.What, Points: c.Points, Costs: make([][]float64, len(c.Points))})
	}
	return r
}

// measureAll runs the rounds, and tells how far it is.
func measureAll(ctx context.Context, s stage, t targets, rounds int, progress io.Writer) (results, error) {
	r := begin(t)
	for r.Rounds < rounds {
		fmt.Fprintf(progress, "round %d of %d\n", r.Rounds+1, rounds)
		if err := r.addRound(ctx, s, t); err != nil {
			return r, err
		}
		r.Rounds++
	}
	return r, nil
}

func (r *results) addRound(ctx context.Context, s stage, t targets) error {
	for i, g := range t.Groups {
		for j, row := range g.Rows {
			if err := r.Groups[i].Rows[j].add(ctx, s, row, r.Rounds%2 == 1); err != nil {
				return err
			}
		}
	}
	for i, c := range t.Growth {
		if err := r.Growth[i].add(ctx, s, c, r.Rounds%2 == 1); err != nil {
			return err
		}
	}
	return nil
}

// add measures both sides, one right after the other; which comes first alternates,
// so that a machine that grows slower wrongs neither.
func (r *rowResult) add(ctx context.Context, s stage, row row, peerFirst bool) error {
	sides := []side{row.Ours, row.Peer}
	figures := []*[]float64{&r.Ours, &r.Peer}
	for i := range sides {
		if peerFirst {
			i = 1 - i
		}
		if sides[i] == "" {
			continue
		}
		figure, err := s.measure(ctx, sides[i], row.Unit)
		if err != nil {
			return err
		}
		*figures[i] = append(*figures[i], figure)
	}
	return nil
}

// add measures every point, from the last to the first in every other round.
func (r *curveResult) add(ctx context.Context, s stage, c curve, backwards bool) error {
	for i := range c.Points {
		if backwards {
			i = len(c.Points) - 1 - i
		}
		figure, err := s.measure(ctx, c.at(c.Points[i]), "")
		if err != nil {
			return err
		}
		r.Costs[i] = append(r.Costs[i], figure)
	}
	return nil
}
