package assign

import (
	"slices"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

func TestCompare(t *testing.T) {
	ordered := []Member{
		static("z", "A"),
		static("y", "a"),
		static("b", "a-1"),
		static("c", "a-10"),
		static("a", "a-2"),
		static("d", "\U0001F600"),
		static("e", "\uFB01"),
		member("A"),
		member("a"),
		member("a\x00"),
		member("aa"),
		member("\x7f"),
		member("\u0080"),
		member("\u07FF"),
		member("\u0800"),
		member("\uD7FF"),
		member("\U00010000"),
		member("\U0001F600"),
		member("\U0010FFFF"),
		member("\uE000"),
		member("\uEFFF"),
		member("\uF000"),
		member("\uFFFF"),
	}
	for i, a := range ordered {
		for j, b := range ordered {
			assert.Equal(t, sign(i-j), sign(a.Compare(b)), "%+v %+v", a, b)
		}
	}
}

// RA-04: the order of the code units, with nothing converted.
func TestCompareUTF16(t *testing.T) {
	edges := rapid.SampledFrom([]rune("a\u0080\u07FF\u0800\uD7FF\uE000\uEFFF\uF000\uFFFD\uFFFF\U00010000\U0001F600\U0010FFFF"))
	text := rapid.StringOf(rapid.OneOf(edges, rapid.Rune()))
	rapid.Check(t, func(t *rapid.T) {
		common := text.Draw(t, "common")
		a, b := common+text.Draw(t, "a"), common+text.Draw(t, "b")
		want := slices.Compare(utf16.Encode([]rune(a)), utf16.Encode([]rune(b)))
		assert.Equal(t, want, compareUTF16(a, b), "%+q %+q", a, b)
	})
}

func sign(n int) int { return min(max(n, -1), 1) }
