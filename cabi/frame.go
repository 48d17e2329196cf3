package main

// #include <stdint.h>
import "C"

import (
	"encoding/binary"
	"strings"
	"unsafe"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/event"
)

// borrow reads the caller's bytes in place. It is for names, which a broker
// looks up and copies where it keeps them; the string must not outlive the call.
func borrow(ptr *C.char, length C.int64_t) string {
	return unsafe.String((*byte)(unsafe.Pointer(ptr)), int(length))
}

// copyIn copies the caller's bytes. What is longer than any payload may be is
// refused anyway, and not worth a copy.
func copyIn(ptr *C.char, length C.int64_t) string {
	s := borrow(ptr, length)
	if len(s) > broker.MaxMaxPayload {
		return s
	}
	return strings.Clone(s)
}

// putRecords writes the frame that eventbroker.h describes: the headers of all
// records, little-endian, and then their payloads. Together they take size bytes.
func putRecords(buf unsafe.Pointer, size int, records []event.Record) {
	frame := unsafe.Slice((*byte)(buf), size)
	payloads := frame[len(records)*event.RecordOverhead:]
	for i := range records {
		r, header := &records[i], frame[i*event.RecordOverhead:]
		binary.LittleEndian.PutUint64(header, uint64(r.Offset))
		binary.LittleEndian.PutUint32(header[8:], uint32(r.Partition))
		binary.LittleEndian.PutUint32(header[12:], uint32(len(r.Payload)))
		payloads = payloads[copy(payloads, r.Payload):]
	}
}
