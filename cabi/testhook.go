//go:build ebtest

package main

// #include "shim.h"
import "C"

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
