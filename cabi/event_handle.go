package main

// #include "shim.h"
import "C"

import (
	"unsafe"

	"github.com/eventbroker/eventbroker/broker/event"
)

//export shim_go_event_topic
func shim_go_event_topic(handle C.uint64_t, topic *C.char, topicLen C.int64_t, out *C.uint64_t) C.int64_t {
	return onEntry(handle, func(e *entry, b *event.Broker) (int64, error) {
		t, err := b.Topic(borrow(topic, topicLen))
		if err == nil {
			*out = C.uint64_t(handles.addTo(e, t))
		}
		return C.EB_OK, err
	})
}

//export shim_go_event_topic_close
func shim_go_event_topic_close(handle C.uint64_t) C.int64_t { return dropped[*event.Topic](handle) }

//export shim_go_event_topic_check
func shim_go_event_topic_check(handle C.uint64_t) C.int64_t { return check[*event.Topic](handle) }

//export shim_go_event_topic_publish
func shim_go_event_topic_publish(handle C.uint64_t, partition C.int64_t, payload *C.char, payloadLen C.int64_t) C.int64_t {
	return on(handle, func(t *event.Topic) (int64, error) {
		return t.Publish(int(partition), copyIn(payload, payloadLen))
	})
}

//export shim_go_event_topic_publish_many
func shim_go_event_topic_publish_many(handle C.uint64_t, messages unsafe.Pointer, size, count C.int64_t, offsets *C.int64_t) C.int64_t {
	return onEntry(handle, func(e *entry, t *event.Topic) (int64, error) {
		return publishMany(e, t, messages, size, count, offsets)
	})
}

//export shim_go_event_consumer
func shim_go_event_consumer(handle C.uint64_t, group *C.char, groupLen C.int64_t, member *C.char, memberLen C.int64_t, out *C.uint64_t) C.int64_t {
	return onEntry(handle, func(e *entry, t *event.Topic) (int64, error) {
		c, err := t.Consumer(borrow(group, groupLen), borrow(member, memberLen))
		if err == nil {
			*out = C.uint64_t(handles.addTo(e, c))
		}
		return C.EB_OK, err
	})
}

//export shim_go_event_consumer_close
func shim_go_event_consumer_close(handle C.uint64_t) C.int64_t {
	return dropped[*event.Consumer](handle)
}

//export shim_go_event_consumer_check
func shim_go_event_consumer_check(handle C.uint64_t) C.int64_t { return check[*event.Consumer](handle) }

//export shim_go_event_consumer_join
func shim_go_event_consumer_join(handle C.uint64_t, partitions *C.int32_t, room C.int64_t) C.int64_t {
	return on(handle, func(c *event.Consumer) (int64, error) {
		owned, need, err := c.JoinWithin(int(room))
		return putPartitions(partitions, room, owned, need, err)
	})
}

//export shim_go_event_consumer_leave
func shim_go_event_consumer_leave(handle C.uint64_t) C.int64_t {
	return on(handle, func(c *event.Consumer) (int64, error) { return truth(c.Leave()) })
}

//export shim_go_event_consumer_poll
func shim_go_event_consumer_poll(handle C.uint64_t, maxRecords C.int64_t, buf unsafe.Pointer, room C.int64_t) C.int64_t {
	return on(handle, func(c *event.Consumer) (int64, error) {
		if maxRecords <= fewRecords {
			var scratch [fewRecords]event.Record
			records, need, err := c.AppendPollWithin(scratch[:0], int(maxRecords), int(room))
			return putRecords(buf, int(room), records, need, err)
		}
		var scratch [event.MaxRecords]event.Record
		records, need, err := c.AppendPollWithin(scratch[:0], int(maxRecords), int(room))
		return putRecords(buf, int(room), records, need, err)
	})
}

//export shim_go_event_consumer_ack
func shim_go_event_consumer_ack(handle C.uint64_t, partition, offset C.int64_t) C.int64_t {
	return on(handle, func(c *event.Consumer) (int64, error) { return truth(c.Ack(int(partition), int64(offset))) })
}

//export shim_go_event_consumer_ack_many
func shim_go_event_consumer_ack_many(handle C.uint64_t, positions *C.eb_event_position, count C.int64_t, acked *C.uint8_t) C.int64_t {
	return onEntry(handle, func(e *entry, c *event.Consumer) (int64, error) {
		var scratch [64]event.Position
		copies, err := readPositions(scratch[:0], e, positions, count)
		if err != nil {
			return 0, err
		}
		_, err = c.AppendAckMany(bools(acked, count), copies)
		return C.EB_OK, err
	})
}

//export shim_go_event_consumer_retry
func shim_go_event_consumer_retry(handle C.uint64_t, partition, offset C.int64_t) C.int64_t {
	return on(handle, func(c *event.Consumer) (int64, error) { return truth(c.Retry(int(partition), int64(offset))) })
}
