package main

// #include "shim.h"
import "C"

import (
	"errors"
	"fmt"
	"sync"
	"time"
	"unsafe"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/pubsub/disk"
	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// A pubsub is a broker behind a handle. Its handle outlives its closing until
// the last delivery is settled.
type pubsub struct {
	*engine.Engine
	reap sync.Once
}

//export shim_go_pubsub_new
func shim_go_pubsub_new(dispatcher, workers, handlerTimeout, maxAttempts, blockTimeout, maxPayload C.int64_t,
	path *C.char, pathLen C.int64_t, sync C.int64_t, handle *C.uint64_t) C.int64_t {
	options := engine.Options{
		Dispatcher: engine.Dispatcher(dispatcher), Workers: int(workers), HandlerTimeout: millis(handlerTimeout),
		MaxAttempts: int(maxAttempts), BlockTimeout: millis(blockTimeout), MaxPayload: int(maxPayload),
	}
	return opened(handle, func() (any, error) {
		if path == nil {
			if sync != 0 {
				return nil, &broker.ArgumentError{Argument: "sync", Reason: "needs a path"}
			}
			return openPubsub(options)
		}
		return openPubsubAt(copyIn(path, pathLen), sync, options)
	})
}

// millis is a time-out that may be out of range, but not wrapped into one that
// is not.
func millis(n C.int64_t) time.Duration {
	const most = C.int64_t(engine.MaxTimeout/time.Millisecond) + 1
	return time.Duration(max(-1, min(n, most))) * time.Millisecond
}

func openPubsub(options engine.Options) (any, error) {
	e, err := engine.New(options)
	if err != nil {
		return nil, err
	}
	return &pubsub{Engine: e}, nil
}

func openPubsubAt(path string, sync C.int64_t, options engine.Options) (any, error) {
	if err := options.Check(); err != nil {
		return nil, err
	}
	if err := broker.CheckRange("sync", int(sync), 0, 1); err != nil {
		return nil, err
	}
	journal, err := disk.Open(path, disk.Options{Sync: sync == 1})
	if err != nil {
		return nil, err
	}
	options.Journal = journal
	made, err := openPubsub(options)
	if err != nil {
		return nil, errors.Join(err, journal.Close())
	}
	return made, nil
}

//export shim_go_pubsub_check
func shim_go_pubsub_check(handle C.uint64_t) C.int64_t {
	return on(handle, func(value any) (int64, error) {
		switch v := value.(type) {
		case *pubsub:
			if v.Closed() {
				return 0, broker.ErrClosed
			}
			return C.EB_OK, nil
		case *walk, *engine.Worker, *held:
			return C.EB_OK, nil
		}
		return 0, broker.ErrClosed
	})
}

//export shim_go_pubsub_close
func shim_go_pubsub_close(handle C.uint64_t, timeout, thread C.int64_t) C.int64_t {
	e := handles.get(uint64(handle))
	if e == nil {
		return C.EB_OK
	}
	b, ours := e.value.(*pubsub)
	if !ours { // a handle of another system
		return C.EB_OK
	}
	if e.poison.Load() != nil { // nobody knows what its calls, and its closing, would wait for
		handles.remove(uint64(handle))
		go b.wakeAll()
		return C.EB_OK
	}
	return on(handle, func(b *pubsub) (int64, error) {
		b.Close()
		b.reap.Do(func() {
			go func() {
				<-b.Done()
				handles.remove(uint64(handle))
			}()
		})
		if inside.has(int64(thread)) {
			return C.EB_OK, nil
		}
		select {
		case <-b.Done(): // also where there is no time to wait
			return C.EB_OK, nil
		default:
		}
		select {
		case <-b.Done():
			return C.EB_OK, nil
		case <-time.After(wait(timeout)):
			return 0, errStillRunning
		}
	})
}

// wakeAll closes a broker that is unusable, as far as that goes: threads that
// wait in it are to end.
func (b *pubsub) wakeAll() {
	defer func() { _ = recover() }()
	b.Close()
}

var errStillRunning = fmt.Errorf("%w: closed, but a handler's call has not ended yet", broker.ErrTimedOut)

// wait is how long a call may wait: far longer than anybody does, at most.
func wait(ms C.int64_t) time.Duration {
	const most = C.int64_t(1 << 53 / int64(time.Millisecond))
	return time.Duration(min(ms, most)) * time.Millisecond
}

//export shim_go_pubsub_create_topic
func shim_go_pubsub_create_topic(handle C.uint64_t, topic *C.char, topicLen, retain C.int64_t) C.int64_t {
	return on(handle, func(b *pubsub) (int64, error) {
		return truth(b.CreateTopic(borrow(topic, topicLen), engine.TopicOptions{Retain: int(retain)}))
	})
}

//export shim_go_pubsub_subscribe
func shim_go_pubsub_subscribe(handle C.uint64_t, topic *C.char, topicLen C.int64_t, name *C.char, nameLen C.int64_t,
	cookie C.uint64_t, group *C.char, groupLen, policy, filtered C.int64_t, worker *C.uint64_t) C.int64_t {
	return onEntry(handle, func(e *entry, b *pubsub) (int64, error) {
		options := engine.SubscribeOptions{Policy: engine.Policy(policy), Filtered: filtered != 0}
		if group != nil {
			options.Group = new(string)
			*options.Group = copyIn(group, groupLen)
		}
		lanes := b.Options().Dispatcher == engine.Lanes
		if worker == nil && lanes && !b.Closed() {
			return 0, &broker.ArgumentError{Argument: "worker", Reason: "is null"}
		}
		lane, err := b.Subscribe(borrow(topic, topicLen), borrow(name, nameLen), uint64(cookie), options)
		if err == nil && worker != nil {
			*worker = 0
			if lane != nil {
				*worker = C.uint64_t(handles.addTo(e, lane))
			}
		}
		return C.EB_OK, err
	})
}

//export shim_go_pubsub_unsubscribe
func shim_go_pubsub_unsubscribe(handle C.uint64_t, topic *C.char, topicLen C.int64_t, name *C.char, nameLen C.int64_t) C.int64_t {
	return on(handle, func(b *pubsub) (int64, error) {
		return truth(b.Unsubscribe(borrow(topic, topicLen), borrow(name, nameLen)))
	})
}

//export shim_go_pubsub_publish
func shim_go_pubsub_publish(handle C.uint64_t, topic *C.char, topicLen C.int64_t, payload *C.char, payloadLen C.int64_t) C.int64_t {
	return on(handle, func(b *pubsub) (int64, error) {
		return b.TryPublish(borrow(topic, topicLen), copyIn(payload, payloadLen))
	})
}

//export shim_go_pubsub_publish_wait
func shim_go_pubsub_publish_wait(handle C.uint64_t, topic *C.char, topicLen C.int64_t, payload *C.char, payloadLen C.int64_t,
	timeout, thread C.int64_t) C.int64_t {
	return on(handle, func(b *pubsub) (int64, error) {
		limit := wait(timeout)
		if timeout == -1 {
			limit = b.Options().BlockTimeout
		}
		if inside.has(int64(thread)) {
			limit = 0
		}
		return b.Publish(borrow(topic, topicLen), copyIn(payload, payloadLen), limit)
	})
}

//export shim_go_pubsub_seek
func shim_go_pubsub_seek(handle C.uint64_t, topic *C.char, topicLen C.int64_t, name *C.char, nameLen, offset C.int64_t) C.int64_t {
	return on(handle, func(b *pubsub) (int64, error) {
		return truth(b.Seek(borrow(topic, topicLen), borrow(name, nameLen), int64(offset)))
	})
}

//export shim_go_pubsub_offset
func shim_go_pubsub_offset(handle C.uint64_t, topic *C.char, topicLen C.int64_t, name *C.char, nameLen C.int64_t) C.int64_t {
	return on(handle, func(b *pubsub) (int64, error) { return b.Offset(borrow(topic, topicLen), borrow(name, nameLen)) })
}

//export shim_go_pubsub_dead_letters
func shim_go_pubsub_dead_letters(handle C.uint64_t, topic *C.char, topicLen C.int64_t, name *C.char, nameLen C.int64_t,
	buf unsafe.Pointer, room C.int64_t) C.int64_t {
	return on(handle, func(b *pubsub) (int64, error) {
		letters, err := b.DeadLetters(borrow(topic, topicLen), borrow(name, nameLen))
		size := 0
		for _, l := range letters {
			size += letterSize + len(l.Payload) + len(l.Error)
		}
		if err == nil && size > int(room) {
			err = needError(size)
		}
		if err != nil {
			return 0, err
		}
		putLetters(unsafe.Slice((*byte)(buf), size), letters)
		return int64(len(letters)), nil
	})
}

//export shim_go_pubsub_redeliver
func shim_go_pubsub_redeliver(handle C.uint64_t, topic *C.char, topicLen C.int64_t, name *C.char, nameLen C.int64_t) C.int64_t {
	return on(handle, func(b *pubsub) (int64, error) {
		n, err := b.Redeliver(borrow(topic, topicLen), borrow(name, nameLen))
		return int64(n), err
	})
}

//export shim_go_pubsub_status
func shim_go_pubsub_status(handle C.uint64_t, topic *C.char, topicLen C.int64_t, name *C.char, nameLen C.int64_t,
	buf unsafe.Pointer, room C.int64_t) C.int64_t {
	return on(handle, func(b *pubsub) (int64, error) {
		s, err := b.Status(borrow(topic, topicLen), borrow(name, nameLen))
		size := standingSize + len(s.Reason)
		if err == nil && size > int(room) {
			err = needError(size)
		}
		if err != nil {
			return 0, err
		}
		putStanding(unsafe.Slice((*byte)(buf), size), s)
		return truth(s.Subscribed, nil)
	})
}
