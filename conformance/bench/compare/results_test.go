package main

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestSpread(t *testing.T) {
	assert.Equal(t, spread{2.5, 1, 4}, spreadOf([]float64{4, 1, 3, 2}))
	assert.Equal(t, "0.46 (0.040 to 123)", spread{0.456, 0.04, 123.4}.String())
}

// A ratio is made round by round, since a machine drifts between rounds.
func TestRatioIsOfARound(t *testing.T) {
	r := rowResult{Ours: []float64{10, 100}, Peer: []float64{20, 200}, AtMost: 0.5}
	assert.Equal(t, spread{0.5, 0.5, 0.5}, r.figure())
	assert.True(t, r.met())
	r.AtMost = 0.49
	assert.False(t, r.met())
}

func TestRatesAreWantedHigh(t *testing.T) {
	r := rowResult{Ours: []float64{50}, Peer: []float64{100}, AtLeast: 1.9}
	assert.Equal(t, spread{2, 2, 2}, r.figure())
	assert.True(t, r.met())
	r.AtLeast = 2.1
	assert.False(t, r.met())
}

func TestFigureWithoutPeer(t *testing.T) {
	r := rowResult{Unit: "B/record", Ours: []float64{27, 29, 28}, AtMost: 28}
	assert.Equal(t, []string{"", "28.0 B/record", "", "", "28.0 (27.0 to 29.0)", "≤ 28", "yes"}, r.cells())
}

func TestAmounts(t *testing.T) {
	for want, r := range map[string]rowResult{
		"1.50 ns":        {Unit: "ns", Ours: []float64{1.5}},
		"12.0 µs":        {Unit: "ns", Ours: []float64{12_000}},
		"1.20 ms":        {Unit: "ns", Ours: []float64{1_200_000}},
		"28.0 B/record":  {Unit: "B/record", Ours: []float64{28}},
		"4000000 acks/s": {Unit: "ns", Rate: "acks", Ours: []float64{250}},
	} {
		assert.Equal(t, want, r.amount(r.Ours))
	}
}

func sample() results {
	return results{
		Date: "2026-01-02", Rounds: 2, Machine: machine{"a CPU", 2, "1.26", "3.11", "12"},
		Groups: []groupResult{
			{"Go", []rowResult{
				{What: "W", Against: "<maps>", Unit: "ns", AtMost: 0.5, Ours: []float64{100, 100}, Peer: []float64{100, 50}, Reason: "the lock."},
				{What: "bytes", Unit: "B", Ours: []float64{1, 1}},
			}},
		},
		Growth: []curveResult{{"groups", []int{1, 128}, [][]float64{{10, 20}, {20, 20}}}},
	}
}

func TestMarkdown(t *testing.T) {
	assert.Equal(t, `| | ours | against | peer | ratio | target | met |
| --- | --- | --- | --- | --- | --- | --- |
| **Go** | | | | | | |
| W | 100 ns | <maps> | 75.0 ns | 1.50 (1.00 to 2.00) | ≤ 0.5 | no |

- Missed: Go, W against <maps>: the lock.

Medians of 2 rounds, with the least and the greatest ratio; 2026-01-02. Times are this machine's: a CPU, 2 cores, Go 1.26, Python 3.11, gcc 12.
`, sample().markdown(rowResult.hasTarget))
}

func TestTextHasGrowth(t *testing.T) {
	var b strings.Builder
	require.NoError(t, sample().writeText(&b))
	assert.Regexp(t, `(?m)^  groups: 128 +20\.0 ns +1 +15\.0 ns +1\.50 \(1\.00 to 2\.00\)`, b.String())
}

func TestGrowthIsOfARound(t *testing.T) {
	assert.Equal(t, []spread{{1, 1, 1}, {1.5, 1, 2}}, sample().Growth[0].relative())
}

func TestChartsAreXML(t *testing.T) {
	for _, chart := range []string{sample().ratioChart(), sample().growthChart(), results{}.ratioChart()} {
		d := xml.NewDecoder(strings.NewReader(chart))
		var err error
		for err == nil {
			_, err = d.Token()
		}
		assert.ErrorIs(t, err, io.EOF, chart)
	}
}

func TestBetween(t *testing.T) {
	changed, err := between("a\n"+firstMarker+"old\n"+lastMarker+"b\n", "new\n")
	require.NoError(t, err)
	assert.Equal(t, "a\n"+firstMarker+"new\n"+lastMarker+"b\n", changed)
	_, err = between("a\n"+lastMarker+firstMarker, "new\n")
	assert.ErrorContains(t, err, "missing behind")
	_, err = between("a\n", "new\n")
	assert.ErrorContains(t, err, "is missing")
}
