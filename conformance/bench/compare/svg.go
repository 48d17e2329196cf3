package main

import (
	"fmt"
	"html"
	"strings"
)

// A drawing is an SVG that reads on a light and on a dark page: it brings its own
// ground, and follows what the reader's system prefers.
type drawing struct {
	width, height float64
	body          strings.Builder
}

const style = `<style>
.ground { fill: #ffffff } text { fill: #1f2328; font: 12px system-ui, sans-serif } .title { font-weight: 600 } .faint { fill: #59636e }
.axis { stroke: #d1d9e0 } .even { stroke: #818b98; stroke-dasharray: 3 3 } .target { stroke: #1f2328; stroke-width: 2 }
.met { stroke: #1a7f37; fill: #1a7f37 } .missed { stroke: #bc4c00; fill: #bc4c00 } .plain { stroke: #0969da; fill: #0969da } .curve { stroke: #0969da; stroke-width: 2; fill: none }
@media (prefers-color-scheme: dark) {
.ground { fill: #0d1117 } text { fill: #f0f6fc } .faint { fill: #9198a1 }
.axis { stroke: #3d444d } .even { stroke: #656c76 } .target { stroke: #f0f6fc }
.met { stroke: #3fb950; fill: #3fb950 } .missed { stroke: #f0883e; fill: #f0883e } .plain { stroke: #4493f8; fill: #4493f8 } .curve { stroke: #4493f8 }
}
</style>
`

func (d *drawing) String() string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" width="%g" height="%g">`+"\n%s"+
		`<rect class="ground" width="100%%" height="100%%"/>`+"\n%s</svg>\n", d.width, d.height, d.width, d.height, style, d.body.String())
}

func (d *drawing) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&d.body, `<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`+"\n", class, x1, y1, x2, y2)
}

func (d *drawing) dot(class string, x, y float64) {
	fmt.Fprintf(&d.body, `<circle class="%s" cx="%.1f" cy="%.1f" r="3.5"/>`+"\n", class, x, y)
}

// text stands on y; the anchor is start, middle or end.
func (d *drawing) text(class, anchor string, x, y float64, text string) {
	fmt.Fprintf(&d.body, `<text class="%s" text-anchor="%s" x="%.1f" y="%.1f">%s</text>`+"\n", class, anchor, x, y, html.EscapeString(text))
}

func (d *drawing) path(class string, xs, ys []float64) {
	points := make([]string, len(xs))
	for i := range xs {
		points[i] = fmt.Sprintf("%.1f,%.1f", xs[i], ys[i])
	}
	fmt.Fprintf(&d.body, `<polyline class="%s" points="%s"/>`+"\n", class, strings.Join(points, " "))
}
