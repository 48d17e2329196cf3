package main

// #include <stdint.h>
import "C"

import (
	"encoding/binary"
	"unsafe"

	"github.com/eventbroker/eventbroker/broker"
)

// borrow reads the caller's bytes in place. It is for names, which a broker
// looks up and copies where it keeps them; the string must not outlive the call.
func borrow(ptr *C.char, length C.int64_t) string {
	return unsafe.String((*byte)(unsafe.Pointer(ptr)), int(length))
}

// copyIn copies the caller's bytes.
func copyIn(ptr *C.char, length C.int64_t) string { return copied(borrow(ptr, length)) }

// copied copies a payload. What is longer than any may be is refused anyway, and
// not worth a copy. By a conversion and not strings.Clone, which AddressSanitizer
// does not see read.
func copied(s string) string {
	if len(s) > broker.MaxMaxPayload {
		return s
	}
	return string(unsafe.Slice(unsafe.StringData(s), len(s)))
}

// A frame is how payloads go out: a header for each of them, little-endian, and
// behind all headers the payloads. See eb_event_record and eb_message_header.
type frame struct{ headers, payloads []byte }

const headerSize = 16

// newFrame lays a frame for count payloads over the caller's buffer, of which
// it takes size bytes.
func newFrame(buf unsafe.Pointer, size, count int) frame {
	bytes := unsafe.Slice((*byte)(buf), size)
	return frame{bytes[:count*headerSize], bytes[count*headerSize:]}
}

// put adds one payload. The number is 32-bit by contract.
func (f *frame) put(offset int64, number int, payload string) {
	binary.LittleEndian.PutUint64(f.headers, uint64(offset))
	binary.LittleEndian.PutUint32(f.headers[8:], uint32(number))
	binary.LittleEndian.PutUint32(f.headers[12:], uint32(len(payload)))
	f.headers = f.headers[headerSize:]
	f.payloads = f.payloads[copy(f.payloads, payload):]
}
