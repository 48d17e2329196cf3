package faults

import (
	"math"
	"math/big"
)

// InArgument changes an integer of one operation before it is judged.
func InArgument(op, name string, change func(int64) int64) func(*Call) {
	return func(c *Call) {
		if n, ok := c.Args[name].(int64); ok && c.Op == op {
			c.Args[name] = change(n)
		}
	}
}

// Cut changes how an integer of one operation arrives, within 64 bits or not.
func Cut(op, name string, to func(*big.Int) int64) func(*Call) {
	return func(c *Call) {
		if c.Op != op {
			return
		}
		switch n := c.Args[name].(type) {
		case int64:
			c.Args[name] = to(big.NewInt(n))
		case *big.Int:
			c.Args[name] = to(n)
		}
	}
}

// To32Bits is the lowest 32 bits in two's complement.
func To32Bits(n *big.Int) int64 { return int64(int32(To64Bits(n))) }

// To64Bits is the lowest 64 bits in two's complement.
func To64Bits(n *big.Int) int64 {
	lowest := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64))
	return int64(lowest.Uint64())
}

// Saturated is the nearest of 64 bits.
func Saturated(n *big.Int) int64 {
	if n.IsInt64() {
		return n.Int64()
	}
	if n.Sign() < 0 {
		return math.MinInt64
	}
	return math.MaxInt64
}
