package main

// #include "shim.h"
import "C"

import (
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"strconv"
	"unsafe"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/event"
)

// A needError says how many bytes of buffer a call would have needed.
type needError int

func (e needError) Error() string {
	return "buffer too small: " + strconv.Itoa(int(e)) + " bytes are needed"
}

// on is what every exported function does: it looks up the handle, calls, and
// turns the outcome into the number that crosses the border. A panic poisons
// the broker, since nobody knows what state it left behind.
func on[T any](handle C.uint64_t, call func(T) (int64, error)) C.int64_t {
	return onEntry(handle, func(_ *entry, value T) (int64, error) { return call(value) })
}

// onEntry is on for a call that asks for more than the value: for the broker that
// it belongs to.
func onEntry[T any](handle C.uint64_t, call func(*entry, T) (int64, error)) (answer C.int64_t) {
	e := handles.get(uint64(handle))
	if e == nil {
		return report(closedOf[T]())
	}
	entered()
	defer e.recover(&answer)
	if e.poison.Load() != nil {
		return e.poisoned()
	}
	value, ok := e.value.(T)
	if !ok { // a handle of something else
		return report(closedOf[T]())
	}
	n, err := call(e, value)
	if err != nil {
		return report(err)
	}
	return C.int64_t(n)
}

// closedOf says what there is not: a topic's handle may be closed while its
// broker is open.
func closedOf[T any]() error {
	switch any(*new(T)).(type) {
	case *event.Topic:
		return closedHandle("topic")
	case *event.Consumer:
		return closedHandle("consumer")
	}
	return broker.ErrClosed
}

type closedHandle string

func (c closedHandle) Error() string { return string(c) + " is closed" }

func (c closedHandle) Is(target error) bool { return target == broker.ErrClosed }

// opened is what every constructor does.
func opened(handle *C.uint64_t, open func() (any, error)) (answer C.int64_t) {
	defer recoverPure(&answer)
	made, err := open()
	if err != nil {
		return report(err)
	}
	*handle = C.uint64_t(handles.add(made))
	return C.EB_OK
}

// closed closes the handle of a broker of this kind, if it is open.
func closed[T io.Closer](handle C.uint64_t) (answer C.int64_t) {
	if e := handles.get(uint64(handle)); e != nil {
		entered()
		defer e.recover(&answer)
		if b, ok := e.value.(T); ok && handles.remove(uint64(handle)) == e {
			_ = b.Close() // of something in memory: it never fails
		}
	}
	return C.EB_OK
}

// dropped takes the handle of something that belongs to a broker, and changes
// nothing there, also where the broker is unusable.
func dropped[T any](handle C.uint64_t) C.int64_t {
	if e := handles.get(uint64(handle)); e != nil {
		if _, ok := e.value.(T); ok {
			handles.remove(uint64(handle))
		}
	}
	return C.EB_OK
}

// truth is a bool as the border says it.
func truth(yes bool, err error) (int64, error) {
	if yes {
		return 1, err
	}
	return 0, err
}

// recover ends a call.
func (e *entry) recover(answer *C.int64_t) {
	left()
	if cause := recover(); cause != nil {
		text := defect(cause, "the broker is unusable from now on; ")
		e.poison.CompareAndSwap(nil, &text)
		*answer = e.poisoned()
	}
}

// recoverPure is for calls that have no broker to poison.
func recoverPure(answer *C.int64_t) {
	if cause := recover(); cause != nil {
		setError(defect(cause, ""))
		*answer = C.EB_INTERNAL
	}
}

func defect(cause any, consequence string) string {
	return fmt.Sprintf("internal error: %v; %splease report this:\n%s", cause, consequence, debug.Stack())
}

func (e *entry) poisoned() C.int64_t {
	setError(*e.poison.Load())
	return C.EB_INTERNAL
}

// report keeps the error's text for eb_last_error and returns its status.
func report(err error) C.int64_t {
	setError(err.Error())
	var need needError
	if errors.As(err, &need) {
		C.shim_set_needed(C.int64_t(need))
		return C.EB_BUFFER_TOO_SMALL
	}
	for _, s := range statuses {
		if errors.Is(err, s.err) {
			return s.status
		}
	}
	panic("cabi: an error without a status: " + err.Error())
}

var statuses = []struct {
	err    error
	status C.int64_t
}{
	{broker.ErrInvalidArgument, C.EB_INVALID_ARGUMENT},
	{broker.ErrClosed, C.EB_CLOSED},
	{broker.ErrTimedOut, C.EB_TIMED_OUT},
	{broker.ErrInUse, C.EB_IN_USE},
	{broker.ErrDamaged, C.EB_DAMAGED},
	{broker.ErrDiskFull, C.EB_DISK_FULL},
	{broker.ErrStorage, C.EB_STORAGE},
}

func setError(text string) {
	C.shim_set_error((*C.char)(unsafe.Pointer(unsafe.StringData(text))), C.int64_t(len(text)))
}

// check is EB_OK for an open handle of this kind whose broker is open as well.
func check[T any](handle C.uint64_t) C.int64_t {
	return onEntry(handle, func(e *entry, _ T) (int64, error) { return C.EB_OK, e.checkOpen() })
}
