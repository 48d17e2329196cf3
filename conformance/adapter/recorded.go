package adapter

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

// recorders is how many threads recorded has.
const recorders = 2

var errUntimed = errors.New(`a recorded call has no "at", or not a list of two times`)

// recorded has the smallest call made before, and again, twice each, by threads
// that run at once. Whether they meet cannot be asked: they need not.
func (a *Adapter) recorded(ctx context.Context) error {
	system := known(a.hello)[0]
	first := smallest[system].calls[0]
	calls := []corpus.Call{first.call, first.call}
	request := Request{ID: 200, System: system, New: smallest[system].new, Record: true, Before: calls[:1]}
	for range recorders {
		request.Threads = append(request.Threads, calls)
	}
	response, err := a.Do(ctx, request)
	if err != nil {
		return err
	}
	again := first
	if first.want == true {
		again.want = false // it is there by then
	}
	native := a.hello.Errors[surface.InvalidArgument]
	if err := (script{calls: []expected{first}}).judge(response, native); err != nil {
		return fmt.Errorf("before the threads: %w", err)
	}
	for _, results := range response.Results[1:] {
		thread := Response{Results: [][]Result{results}}
		if err := (script{calls: []expected{again, again}}).judge(thread, native); err != nil {
			return fmt.Errorf("in a thread: %w", err)
		}
		if slices.ContainsFunc(results, func(r Result) bool { return r.At == nil }) {
			return errUntimed
		}
	}
	return nil
}
