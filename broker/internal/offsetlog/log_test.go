package offsetlog

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestZeroLogIsEmptyAtOffsetZero(t *testing.T) {
	var l Log[string]
	assert.Zero(t, l.Base())
	assert.Zero(t, l.Next())
	assert.Zero(t, l.Len())
	assert.False(t, l.Has(0))
	assert.Panics(t, func() { l.At(0) })
	assert.Panics(t, l.TrimFront)
}

func TestOffsetsStayAbsoluteAcrossTrimming(t *testing.T) {
	var l Log[int]
	for i := range 100 {
		require.EqualValues(t, i, l.Append(10*i))
		if i >= 3 {
			l.TrimFront()
		}
	}
	require.EqualValues(t, 97, l.Base())
	require.EqualValues(t, 100, l.Next())
	for o := l.Base(); o < l.Next(); o++ {
		assert.EqualValues(t, 10*o, *l.At(o))
	}
	assert.False(t, l.Has(96))
	assert.False(t, l.Has(100))
	assert.Len(t, l.ring, firstSize, "a log that keeps three entries has no reason to grow")
}

func TestTrimFrontLetsGoOfTheEntry(t *testing.T) {
	var l Log[*int]
	l.Append(new(int))
	l.TrimFront()
	assert.Nil(t, l.ring[0])
}

// A slice that is never trimmed is the oracle: the log must keep its tail.
func TestLogAgreesWithASlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var l Log[int]
		var all []int
		trimmed := 0
		t.Repeat(map[string]func(*rapid.T){
			"append": func(t *rapid.T) {
				v := rapid.Int().Draw(t, "v")
				require.EqualValues(t, len(all), l.Append(v))
				all = append(all, v)
			},
			"trim": func(t *rapid.T) {
				if l.Len() == 0 {
					t.Skip("nothing to trim")
				}
				l.TrimFront()
				trimmed++
			},
			"": func(t *rapid.T) {
				require.EqualValues(t, trimmed, l.Base())
				require.EqualValues(t, len(all), l.Next())
				for o := l.Base(); o < l.Next(); o++ {
					require.Equal(t, all[o], *l.At(o))
				}
			},
		})
	})
}
