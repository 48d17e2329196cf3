package main

import (
	"fmt"
	"math"
)

// Where things stand in the chart of the ratios.
const (
	ratioPeer   = 330.0 // what the peer is
	ratioLeft   = 590.0 // of the axis
	ratioRight  = 930.0
	ratioRow    = 22.0
	ratioWidth  = 1060.0
	ratioMargin = 24.0
)

// A scale is logarithmic, from 10 to the low to 10 to the high.
type scale struct{ low, high float64 }

func (s scale) x(ratio float64) float64 {
	part := (math.Log10(ratio) - s.low) / (s.high - s.low)
	return ratioLeft + part*(ratioRight-ratioLeft)
}

// ratioChart draws a row for each ratio: the median as a dot, the spread as a
// line, the target as a bar across.
func (r results) ratioChart() string {
	groups, s, rows := r.charted()
	d := &drawing{width: ratioWidth, height: ratioMargin*3 + ratioRow*float64(rows)}
	s.drawAxis(d)
	y := ratioMargin * 2
	for _, g := range groups {
		d.text("title", "start", ratioMargin, y+4, g.Title)
		for _, row := range g.Rows {
			y += ratioRow
			s.drawRow(d, row, y)
		}
		y += ratioRow
	}
	return d.String()
}

// charted are the groups without figures that are no ratios, the scale that holds
// all of them, and how many lines they take with their titles.
func (r results) charted() (groups []groupResult, s scale, rows int) {
	s = scale{-1, 1}
	for _, g := range r.Groups {
		kept := groupResult{Title: g.Title}
		for _, row := range g.Rows {
			if row.Peer == nil {
				continue
			}
			kept.Rows = append(kept.Rows, row)
			f := row.figure()
			s.low = min(s.low, math.Floor(math.Log10(f.Least)))
			s.high = max(s.high, math.Ceil(math.Log10(f.Greatest)))
		}
		if kept.Rows != nil {
			groups, rows = append(groups, kept), rows+len(kept.Rows)+1
		}
	}
	return groups, s, rows
}

func (s scale) drawAxis(d *drawing) {
	d.text("faint", "start", ratioMargin, ratioMargin, "Time against the peer's, or rate where ≥ is wanted. Dot: median; line: least to greatest; bar: target.")
	for power := s.low; power <= s.high; power++ {
		x := s.x(math.Pow(10, power))
		class := "axis"
		if power == 0 {
			class = "even"
		}
		d.line(class, x, ratioMargin*1.5, x, d.height-ratioMargin)
		d.text("faint", "middle", x, d.height-ratioMargin/3, fmt.Sprint(math.Pow(10, power)))
	}
}

func (s scale) drawRow(d *drawing, r rowResult, y float64) {
	f, class := r.figure(), "plain"
	if r.hasTarget() {
		class = map[bool]string{true: "met", false: "missed"}[r.met()]
		x := s.x(r.AtMost + r.AtLeast) // one of them is 0
		d.line("target", x, y-7, x, y+7)
	}
	d.text("", "start", ratioMargin*1.5, y+4, r.What)
	d.text("faint", "start", ratioPeer, y+4, r.Against)
	d.line(class, s.x(f.Least), y, s.x(f.Greatest), y)
	d.dot(class, s.x(f.Median), y)
	d.text("", "start", ratioRight+16, y+4, short(f.Median))
	d.text("faint", "start", ratioRight+70, y+4, r.target())
}
