// Command cabi is the border: built with -buildmode=c-shared it is
// libeventbroker.so, whose contract is eventbroker.h.
//
// A call comes in through shim.c, which checks what needs no Go, and reaches one
// exported function here. That looks up the handle, calls the broker, and
// answers with a number; see on.
package main

import "strconv"

// An int must hold every int64_t, or 2^32 would arrive as 0.
var _ = [1]struct{}{}[64-strconv.IntSize]

func main() {}
