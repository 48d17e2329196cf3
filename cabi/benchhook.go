//go:build ebbench

package main

// #include "shim.h"
import "C"

// eb_bench_empty takes what eb_event_publish takes and does nothing: what it
// costs is the way into Go and back. It is only in libraries built with the tag
// ebbench.
//
//export eb_bench_empty
func eb_bench_empty(handle C.uint64_t, topic *C.char, topicLen, partition C.int64_t, payload *C.char, payloadLen C.int64_t) C.int64_t {
	return C.EB_OK
}
