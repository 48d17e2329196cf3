package main

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/eventbroker/eventbroker/broker"
)

// began is the zero of the clock of recorded calls.
var began = time.Now()

// run makes the calls of each thread, one thread after the other or, when they
// are recorded, all at once.
func run(s system, threads []any, record bool) []any {
	results := make([]any, len(threads))
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i, calls := range threads {
		if !record {
			results[i] = perform(s, calls.([]any), false)
			continue
		}
		wg.Go(func() { <-start; results[i] = perform(s, calls.([]any), true) })
	}
	close(start)
	wg.Wait()
	return results
}

func perform(s system, calls []any, record bool) []any {
	results := make([]any, len(calls))
	for i, c := range calls {
		opAndArgs := c.([]any)
		from := time.Since(began).Nanoseconds()
		value, err := s.call(opAndArgs[0].(string), opAndArgs[1:])
		to := time.Since(began).Nanoseconds()
		result := map[string]any{"ok": value}
		if err != nil {
			result = failure(err)
		}
		if record {
			result["at"] = []any{from, to}
		}
		results[i] = result
	}
	return results
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
