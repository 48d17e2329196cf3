package main

import "fmt"

// Where things stand in the chart of growth, which is a grid of small ones.
const (
	growthColumns = 4
	growthCell    = 245.0
	growthTall    = 190.0
	growthPad     = 36.0
)

// growthChart draws what W costs at each point against the first.
func (r results) growthChart() string {
	lines := (len(r.Growth) + growthColumns - 1) / growthColumns
	d := &drawing{width: growthCell * growthColumns, height: growthTall * float64(lines)}
	top := r.greatestGrowth()
	for i, c := range r.Growth {
		c.draw(d, growthCell*float64(i%growthColumns), growthTall*float64(i/growthColumns), top)
	}
	return d.String()
}

// greatestGrowth is where all the axes end.
func (r results) greatestGrowth() float64 {
	top := 2.0
	for _, c := range r.Growth {
		for _, s := range c.relative() {
			top = max(top, s.Greatest)
		}
	}
	return top
}

func (c curveResult) draw(d *drawing, left, up, top float64) {
	right, bottom := left+growthCell-growthPad/2, up+growthTall-growthPad
	left += growthPad
	height := bottom - up - growthPad
	y := func(v float64) float64 { return bottom - v/top*height }
	d.text("title", "start", left, up+growthPad-14, "W by "+c.What)
	for v := 0; v <= int(top); v++ {
		d.line(map[bool]string{true: "even", false: "axis"}[v == 1], left, y(float64(v)), right, y(float64(v)))
		d.text("faint", "end", left-6, y(float64(v))+4, fmt.Sprint(v))
	}
	var xs, ys []float64
	for i, s := range c.relative() {
		x := left + 10 + (right-left-20)*float64(i)/float64(len(c.Points)-1)
		xs, ys = append(xs, x), append(ys, y(s.Median))
		d.line("plain", x, y(s.Least), x, y(s.Greatest))
		d.dot("plain", x, y(s.Median))
		d.text("faint", "middle", x, bottom+16, fmt.Sprint(c.Points[i]))
	}
	d.path("curve", xs, ys)
}
