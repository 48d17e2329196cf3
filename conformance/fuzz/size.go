package fuzz

import (
	"math/big"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// sizeOf a case is how much there is to read: steps first of all.
func sizeOf(c *corpus.Case) int {
	size := sizeOfAll(c.New) + sizeOfValue(c.Options)
	for _, step := range c.Steps {
		size += 1_000_000 + sizeOfAll(step.Call.Args)
	}
	return size
}

func sizeOfAll(values []any) int {
	size := 0
	for _, v := range values {
		size += sizeOfValue(v)
	}
	return size
}

// sizeOfValue: a value takes at least 1, so that one less in a list is smaller.
func sizeOfValue(value any) int {
	switch v := value.(type) {
	case int64:
		return 1 + sizeOfInteger(v)
	case *big.Int:
		return 5000 + v.BitLen() + len(v.String())
	case string:
		return 1 + sizeOfText(v)
	case wire.Bytes:
		return 1 + 3*len(v)
	case []any:
		return 1 + sizeOfAll(v)
	case map[string]any:
		size := 0
		for key, element := range v {
			size += 1 + sizeOfText(key) + sizeOfValue(element)
		}
		return size
	}
	return 1
}

// sizeOfInteger: below a thousand every number counts, above only its bits.
func sizeOfInteger(n int64) int {
	if n < 0 {
		return 2000 + big.NewInt(n).BitLen()
	}
	return int(min(n, 1000)) + big.NewInt(n).BitLen()
}

// sizeOfText: of two that are as long, the one that everybody would take.
func sizeOfText(s string) int {
	usual := slices.Index([]string{"", "t", "g", "a", "u", "h", "b"}, s)
	if usual < 0 {
		usual = 9
	}
	return 10*len(s) + usual
}
