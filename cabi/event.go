package main

// #include "shim.h"
import "C"

import (
	"unsafe"

	"github.com/eventbroker/eventbroker/broker/event"
)

//export shim_go_event_new
func shim_go_event_new(capacity, maxPayload C.int64_t, handle *C.uint64_t) C.int64_t {
	return opened(handle, func() (any, error) {
		return event.New(int(capacity), event.Options{MaxPayload: int(maxPayload)})
	})
}

//export shim_go_event_close
func shim_go_event_close(handle C.uint64_t) C.int64_t { return closed[*event.Broker](handle) }

//export shim_go_event_check
func shim_go_event_check(handle C.uint64_t) C.int64_t { return check[*event.Broker](handle) }

//export shim_go_event_create
func shim_go_event_create(handle C.uint64_t, topic *C.char, topicLen, partitionCount C.int64_t) C.int64_t {
	return on(handle, func(b *event.Broker) (int64, error) {
		return truth(b.Create(borrow(topic, topicLen), int(partitionCount)))
	})
}

//export shim_go_event_join
func shim_go_event_join(handle C.uint64_t, topic *C.char, topicLen C.int64_t, group *C.char, groupLen C.int64_t,
	member *C.char, memberLen C.int64_t, partitions *C.int32_t, room C.int64_t) C.int64_t {
	return on(handle, func(b *event.Broker) (int64, error) {
		owned, need, err := b.JoinWithin(borrow(topic, topicLen), borrow(group, groupLen), borrow(member, memberLen), int(room))
		return putPartitions(partitions, room, owned, need, err)
	})
}

func putPartitions(out *C.int32_t, room C.int64_t, owned []int, need int, err error) (int64, error) {
	if err == nil && need > int(room) {
		err = needError(need * C.sizeof_int32_t)
	}
	for i, p := range owned {
		unsafe.Slice(out, len(owned))[i] = C.int32_t(p)
	}
	return int64(len(owned)), err
}

//export shim_go_event_leave
func shim_go_event_leave(handle C.uint64_t, topic *C.char, topicLen C.int64_t, group *C.char, groupLen C.int64_t,
	member *C.char, memberLen C.int64_t) C.int64_t {
	return on(handle, func(b *event.Broker) (int64, error) {
		return truth(b.Leave(borrow(topic, topicLen), borrow(group, groupLen), borrow(member, memberLen)))
	})
}

//export shim_go_event_publish
func shim_go_event_publish(handle C.uint64_t, topic *C.char, topicLen, partition C.int64_t, payload *C.char, payloadLen C.int64_t) C.int64_t {
	return on(handle, func(b *event.Broker) (int64, error) {
		return b.Publish(borrow(topic, topicLen), int(partition), copyIn(payload, payloadLen))
	})
}

//export shim_go_event_poll
func shim_go_event_poll(handle C.uint64_t, topic *C.char, topicLen C.int64_t, group *C.char, groupLen C.int64_t,
	member *C.char, memberLen, maxRecords C.int64_t, buf unsafe.Pointer, room C.int64_t) C.int64_t {
	return on(handle, func(b *event.Broker) (int64, error) {
		if maxRecords <= fewRecords { // which have less memory to clear
			var scratch [fewRecords]event.Record
			records, need, err := b.AppendPollWithin(scratch[:0], borrow(topic, topicLen), borrow(group, groupLen),
				borrow(member, memberLen), int(maxRecords), int(room))
			return putRecords(buf, int(room), records, need, err)
		}
		var scratch [event.MaxRecords]event.Record
		records, need, err := b.AppendPollWithin(scratch[:0], borrow(topic, topicLen), borrow(group, groupLen),
			borrow(member, memberLen), int(maxRecords), int(room))
		return putRecords(buf, int(room), records, need, err)
	})
}

const fewRecords = 4

func putRecords(buf unsafe.Pointer, room int, records []event.Record, need int, err error) (int64, error) {
	if err == nil && need > room {
		err = needError(need)
	}
	if len(records) > 0 {
		f := newFrame(buf, need, len(records))
		for i := range records {
			f.put(records[i].Offset, records[i].Partition, records[i].Payload)
		}
	}
	return int64(len(records)), err
}

//export shim_go_event_ack
func shim_go_event_ack(handle C.uint64_t, topic *C.char, topicLen C.int64_t, group *C.char, groupLen C.int64_t,
	member *C.char, memberLen, partition, offset C.int64_t) C.int64_t {
	return on(handle, func(b *event.Broker) (int64, error) {
		return truth(b.Ack(borrow(topic, topicLen), borrow(group, groupLen), borrow(member, memberLen), int(partition), int64(offset)))
	})
}

//export shim_go_event_retry
func shim_go_event_retry(handle C.uint64_t, topic *C.char, topicLen C.int64_t, group *C.char, groupLen C.int64_t,
	member *C.char, memberLen, partition, offset C.int64_t) C.int64_t {
	return on(handle, func(b *event.Broker) (int64, error) {
		return truth(b.Retry(borrow(topic, topicLen), borrow(group, groupLen), borrow(member, memberLen), int(partition), int64(offset)))
	})
}
