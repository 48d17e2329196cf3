package main

// #include <stdint.h>
import "C"

import (
	"maps"
	"slices"
	"unsafe"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/assign"
)

//export shim_go_assign_decode_subscription
func shim_go_assign_decode_subscription(in *C.char, inLen C.int64_t, buf unsafe.Pointer, room C.int64_t) C.int64_t {
	return pure(in, inLen, buf, room, func(in []byte) ([]byte, error) {
		s, err := assign.DecodeSubscription(in)
		var w wordWriter
		w.subscription(s)
		return w.bytes, err
	})
}

//export shim_go_assign_encode_subscription
func shim_go_assign_encode_subscription(in *C.char, inLen C.int64_t, buf unsafe.Pointer, room C.int64_t) C.int64_t {
	return pure(in, inLen, buf, room, func(in []byte) ([]byte, error) {
		r := wordReader{left: in}
		s := r.subscription()
		if err := r.end(); err != nil {
			return nil, err
		}
		return assign.EncodeSubscription(s)
	})
}

//export shim_go_assign_decode_assignment
func shim_go_assign_decode_assignment(in *C.char, inLen C.int64_t, buf unsafe.Pointer, room C.int64_t) C.int64_t {
	return pure(in, inLen, buf, room, func(in []byte) ([]byte, error) {
		a, err := assign.DecodeAssignment(in)
		var w wordWriter
		w.assignment(a)
		return w.bytes, err
	})
}

//export shim_go_assign_encode_assignment
func shim_go_assign_encode_assignment(in *C.char, inLen C.int64_t, buf unsafe.Pointer, room C.int64_t) C.int64_t {
	return pure(in, inLen, buf, room, func(in []byte) ([]byte, error) {
		r := wordReader{left: in}
		a := r.assignment()
		if err := r.end(); err != nil {
			return nil, err
		}
		return assign.EncodeAssignment(a)
	})
}

//export shim_go_assign_range
func shim_go_assign_range(in *C.char, inLen C.int64_t, buf unsafe.Pointer, room C.int64_t) C.int64_t {
	return pure(in, inLen, buf, room, func(in []byte) ([]byte, error) {
		r := wordReader{left: in}
		counts, members := r.counts(), r.members()
		if err := r.end(); err != nil {
			return nil, err
		}
		assigned, err := assign.Range(counts, members)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(members, assign.Member.Compare)
		var w wordWriter
		w.assigned(members, assigned)
		return w.bytes, nil
	})
}

// pure is a call that depends on its input alone and needs no broker.
func pure(in *C.char, inLen C.int64_t, buf unsafe.Pointer, room C.int64_t, call func([]byte) ([]byte, error)) (answer C.int64_t) {
	defer recoverPure(&answer)
	out, err := call(unsafe.Slice((*byte)(unsafe.Pointer(in)), int(inLen)))
	if err == nil && len(out) > int(room) {
		err = needError(len(out))
	}
	if err != nil {
		return report(err)
	}
	copy(unsafe.Slice((*byte)(buf), len(out)), out)
	return C.int64_t(len(out))
}

func (w *wordWriter) subscription(s assign.Subscription) {
	w.number(int64(s.Version))
	w.number(int64(len(s.Topics)))
	for _, topic := range s.Topics {
		w.text(topic)
	}
	w.userData(s.UserData)
	w.partitions(s.OwnedPartitions)
	w.number(int64(s.GenerationID))
	w.nullable(s.RackID)
}

func (w *wordWriter) assignment(a assign.Assignment) {
	w.number(int64(a.Version))
	w.partitions(a.Partitions)
	w.userData(a.UserData)
}

func (w *wordWriter) partitions(list []assign.TopicPartitions) {
	w.number(int64(len(list)))
	for _, p := range list {
		w.text(p.Topic)
		w.int32s(p.Partitions)
	}
}

func (w *wordWriter) userData(data []byte) {
	if data == nil {
		w.nullable(nil)
		return
	}
	w.text(unsafe.String(unsafe.SliceData(data), len(data)))
}

func (w *wordWriter) assigned(members []assign.Member, assigned map[string]map[string][]int32) {
	w.number(int64(len(members)))
	for _, m := range members {
		w.text(m.ID)
		owned := assigned[m.ID]
		w.number(int64(len(owned)))
		for _, topic := range slices.Sorted(maps.Keys(owned)) {
			w.text(topic)
			w.int32s(owned[topic])
		}
	}
}

func (r *wordReader) subscription() assign.Subscription {
	const argument = "subscription"
	return assign.Subscription{
		Version:         narrow[int16](r, argument, "version"),
		Topics:          r.texts(argument, "a topic"),
		UserData:        r.userData(),
		OwnedPartitions: r.partitions(argument),
		GenerationID:    narrow[int32](r, argument, "generation_id"),
		RackID:          r.nullable(),
	}
}

func (r *wordReader) assignment() assign.Assignment {
	const argument = "assignment"
	return assign.Assignment{
		Version:    narrow[int16](r, argument, "version"),
		Partitions: r.partitions(argument),
		UserData:   r.userData(),
	}
}

func (r *wordReader) texts(argument, field string) []string {
	return list(r, wordSize, func() string { return r.text(argument, field) })
}

func (r *wordReader) partitions(argument string) []assign.TopicPartitions {
	return list(r, 2*wordSize, func() assign.TopicPartitions {
		return assign.TopicPartitions{Topic: r.text(argument, "a topic"), Partitions: r.int32s()}
	})
}

func (r *wordReader) userData() []byte {
	if s := r.nullable(); s != nil {
		return []byte(*s)
	}
	return nil
}

func (r *wordReader) counts() map[string]int {
	counts := map[string]int{}
	for range r.count(2 * wordSize) {
		topic, count := r.text("partitions_by_topic", "a topic"), r.number()
		if _, twice := counts[topic]; twice && r.err == nil {
			r.err = &broker.ArgumentError{Argument: "partitions_by_topic", Reason: "has a topic twice"}
		}
		counts[topic] = int(count)
	}
	return counts
}

func (r *wordReader) members() []assign.Member {
	return list(r, 3*wordSize, func() assign.Member {
		return assign.Member{
			ID:         r.text("members", "an id"),
			InstanceID: r.nullable(),
			Topics:     r.texts("members", "a topic"),
		}
	})
}
