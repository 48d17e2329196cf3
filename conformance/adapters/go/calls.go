package main

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"time"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/cabi/overlap"
)

// began is the zero of the clock of recorded calls.
var began = time.Now()

// inTurn makes the calls of each thread, one thread after the other.
func inTurn(s system, threads []any) []any {
	results := make([]any, len(threads))
	for i, calls := range threads {
		results[i] = s.perform(calls.([]any))
	}
	return results
}

func (s system) perform(calls []any) []any {
	results := make([]any, len(calls))
	for i, call := range s.prepareAll(calls) {
		results[i] = result(call())
	}
	return results
}

// atOnce makes the calls of the threads at once, and counts those of them that
// met.
func atOnce(s system, threads []any) (results []any, met int64) {
	results = make([]any, len(threads))
	var meter overlap.Meter
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i, calls := range threads {
		calls := s.prepareAll(calls.([]any)) // so that there is nothing between two calls
		wg.Go(func() { <-start; results[i] = timed(&meter, calls) })
	}
	close(start)
	wg.Wait()
	return results, meter.Met()
}

func (s system) prepareAll(calls []any) []prepared {
	list := make([]prepared, len(calls))
	for i, c := range calls {
		opAndArgs := c.([]any)
		list[i] = s.prepare(opAndArgs[0].(string), opAndArgs[1:])
	}
	return list
}

// timed makes calls and notes when.
func timed(meter *overlap.Meter, calls []prepared) []any {
	results := make([]any, len(calls))
	for i, call := range calls {
		from := time.Since(began).Nanoseconds()
		meter.Enter()
		value, err := call()
		meter.Leave()
		to := time.Since(began).Nanoseconds()
		result := result(value, err)
		result["at"] = []any{from, to}
		results[i] = result
		runtime.Gosched() // a thread is through before the next begins, else
	}
	return results
}

// result is what a call came to.
func result(value reflect.Value, err error) map[string]any {
	if err != nil {
		return failure(err)
	}
	return map[string]any{"ok": fromGo(value)}
}

var sentinels = map[string]error{
	"broker.ErrInvalidArgument": broker.ErrInvalidArgument, "broker.ErrClosed": broker.ErrClosed, "broker.ErrTimedOut": broker.ErrTimedOut,
}

func failure(err error) map[string]any {
	name := fmt.Sprintf("%T", err)
	for is, sentinel := range sentinels {
		if errors.Is(err, sentinel) {
			name = is
		}
	}
	return map[string]any{"error": name, "message": err.Error()}
}
