package main

// #include "shim.h"
import "C"

import (
	"strconv"
	"unsafe"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/event"
)

//export shim_go_event_publish_many
func shim_go_event_publish_many(handle C.uint64_t, topic *C.char, topicLen C.int64_t,
	messages unsafe.Pointer, size, count C.int64_t, offsets *C.int64_t) C.int64_t {
	return onEntry(handle, func(e *entry, b *event.Broker) (int64, error) {
		t, err := b.Topic(borrow(topic, topicLen))
		if err != nil {
			return 0, err
		}
		return publishMany(e, t, messages, size, count, offsets)
	})
}

//export shim_go_event_ack_many
func shim_go_event_ack_many(handle C.uint64_t, topic *C.char, topicLen C.int64_t, group *C.char, groupLen C.int64_t,
	member *C.char, memberLen C.int64_t, positions *C.eb_event_position, count C.int64_t, acked *C.uint8_t) C.int64_t {
	return onEntry(handle, func(e *entry, b *event.Broker) (int64, error) {
		var scratch [64]event.Position
		copies, err := readPositions(scratch[:0], e, positions, count)
		if err != nil {
			return 0, err
		}
		_, err = b.AppendAckMany(bools(acked, count), borrow(topic, topicLen), borrow(group, groupLen), borrow(member, memberLen), copies)
		return C.EB_OK, err
	})
}

func publishMany(e *entry, t *event.Topic, frame unsafe.Pointer, size, count C.int64_t, offsets *C.int64_t) (int64, error) {
	if err := e.checkOpen(); err != nil {
		return 0, err
	}
	if err := broker.CheckCount("messages", int(count), event.MaxBatch); err != nil {
		return 0, err
	}
	var scratch [64]event.Message
	messages, err := readMessages(scratch[:0], unsafe.Slice((*byte)(frame), size), int(count))
	if err != nil {
		return 0, err
	}
	for i := range messages {
		messages[i].Payload = copied(messages[i].Payload)
	}
	_, err = t.AppendPublishMany(unsafe.Slice((*int64)(unsafe.Pointer(offsets)), count)[:0], messages)
	return C.EB_OK, err
}

const (
	messageSize = C.sizeof_eb_event_message
	nullLength  = -1 // of the null string, as in word frames
)

// readMessages judges the frame, whose payloads it does not copy yet.
func readMessages(dst []event.Message, frame []byte, count int) ([]event.Message, error) {
	if len(frame) < count*messageSize {
		return nil, wrongFrame("is shorter than its headers")
	}
	headers := unsafe.Slice((*C.eb_event_message)(unsafe.Pointer(unsafe.SliceData(frame))), count)
	payloads := frame[count*messageSize:]
	for i, h := range headers {
		length := h.payload_len
		if length == nullLength {
			return nil, wrongFrame("payload of message " + strconv.Itoa(i) + ": is null")
		}
		if length < 0 || length > C.int64_t(len(payloads)) {
			return nil, wrongFrame("does not have the payloads that its headers say")
		}
		dst = append(dst, event.Message{Partition: int(h.partition), Payload: unsafe.String(unsafe.SliceData(payloads), int(length))})
		payloads = payloads[length:]
	}
	if len(payloads) != 0 {
		return nil, wrongFrame("is longer than its headers say")
	}
	return dst, nil
}

func wrongFrame(reason string) error {
	return &broker.ArgumentError{Argument: "messages", Reason: reason}
}

// readPositions copies them: what was judged must not change under the call, where
// the caller's acked lies over them or another thread writes there.
func readPositions(dst []event.Position, e *entry, positions *C.eb_event_position, count C.int64_t) ([]event.Position, error) {
	if err := e.checkOpen(); err != nil {
		return nil, err
	}
	if err := broker.CheckCount("positions", int(count), event.MaxBatch); err != nil {
		return nil, err
	}
	return append(dst, unsafe.Slice((*event.Position)(unsafe.Pointer(positions)), count)...), nil
}

// bools is the caller's room for count of them: a bool of Go is one byte, 0 or 1.
func bools(room *C.uint8_t, count C.int64_t) []bool {
	return unsafe.Slice((*bool)(unsafe.Pointer(room)), count)[:0]
}
