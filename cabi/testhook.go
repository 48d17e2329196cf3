//go:build ebtest

package main

// #include "shim.h"
import "C"

import "github.com/eventbroker/eventbroker/cabi/overlap"

// eb_test_panic panics inside a call, which nothing else can be made to do. The
// hooks are only in libraries built with the tag ebtest.
//
//export eb_test_panic
func eb_test_panic(handle C.uint64_t) C.int64_t {
	return on(handle, func(any) (int64, error) { panic("asked to") })
}

// eb_test_panic_new panics inside a constructor.
//
//export eb_test_panic_new
func eb_test_panic_new(handle *C.uint64_t) C.int64_t {
	return opened(handle, func() (any, error) { panic("asked to") })
}

// meter is around every call on a broker.
var meter overlap.Meter

func entered() { meter.Enter() }
func left()    { meter.Leave() }

// eb_test_overlap is how many calls began while another was inside.
//
//export eb_test_overlap
func eb_test_overlap() C.int64_t { return C.int64_t(meter.Met()) }
