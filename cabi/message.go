package main

// #include "shim.h"
import "C"

import (
	"unsafe"

	"github.com/eventbroker/eventbroker/broker/message"
)

//export shim_go_message_new
func shim_go_message_new(maxAttempts, maxPayload C.int64_t, handle *C.uint64_t) C.int64_t {
	return opened(handle, func() (any, error) {
		return message.New(int(maxAttempts), message.Options{MaxPayload: int(maxPayload)})
	})
}

//export shim_go_message_close
func shim_go_message_close(handle C.uint64_t) C.int64_t { return closed[*message.Broker](handle) }

//export shim_go_message_check
func shim_go_message_check(handle C.uint64_t) C.int64_t { return check[*message.Broker](handle) }

//export shim_go_message_create_topic
func shim_go_message_create_topic(handle C.uint64_t, topic *C.char, topicLen C.int64_t) C.int64_t {
	return on(handle, func(b *message.Broker) (int64, error) {
		return truth(b.CreateTopic(borrow(topic, topicLen)))
	})
}

//export shim_go_message_publish
func shim_go_message_publish(handle C.uint64_t, topic *C.char, topicLen C.int64_t, payload *C.char, payloadLen C.int64_t) C.int64_t {
	return on(handle, func(b *message.Broker) (int64, error) {
		return b.Publish(borrow(topic, topicLen), copyIn(payload, payloadLen))
	})
}

//export shim_go_message_poll
func shim_go_message_poll(handle C.uint64_t, topic *C.char, topicLen C.int64_t, group *C.char, groupLen C.int64_t,
	buf unsafe.Pointer, room C.int64_t) C.int64_t {
	return on(handle, func(b *message.Broker) (int64, error) {
		d, waits, err := b.PollWithin(borrow(topic, topicLen), borrow(group, groupLen), int(room)-headerSize)
		if !waits {
			return 0, err
		}
		size := headerSize + len(d.Payload)
		if size > int(room) {
			return 0, needError(size)
		}
		f := newFrame(buf, size, 1)
		f.put(d.Offset, d.Attempt, d.Payload)
		return 1, nil
	})
}

//export shim_go_message_ack
func shim_go_message_ack(handle C.uint64_t, topic *C.char, topicLen C.int64_t, group *C.char, groupLen, offset, attempt C.int64_t) C.int64_t {
	return on(handle, func(b *message.Broker) (int64, error) {
		return truth(b.Ack(borrow(topic, topicLen), borrow(group, groupLen), int64(offset), int(attempt)))
	})
}

//export shim_go_message_nack
func shim_go_message_nack(handle C.uint64_t, topic *C.char, topicLen C.int64_t, group *C.char, groupLen, offset, attempt C.int64_t) C.int64_t {
	return on(handle, func(b *message.Broker) (int64, error) {
		return truth(b.Nack(borrow(topic, topicLen), borrow(group, groupLen), int64(offset), int(attempt)))
	})
}

//export shim_go_message_dead_letters
func shim_go_message_dead_letters(handle C.uint64_t, topic *C.char, topicLen C.int64_t, group *C.char, groupLen C.int64_t,
	buf unsafe.Pointer, room C.int64_t) C.int64_t {
	return on(handle, func(b *message.Broker) (int64, error) {
		letters, err := b.DeadLetters(borrow(topic, topicLen), borrow(group, groupLen))
		size := len(letters) * headerSize
		for i := range letters {
			size += len(letters[i].Payload)
		}
		if err == nil && size > int(room) {
			err = needError(size)
		}
		if err != nil {
			return 0, err
		}
		f := newFrame(buf, size, len(letters))
		for i := range letters {
			f.put(letters[i].Offset, letters[i].Attempts, letters[i].Payload)
		}
		return int64(len(letters)), nil
	})
}
