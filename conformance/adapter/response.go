package adapter

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/eventbroker/eventbroker/conformance/wire"
)

// A Result is what became of one call.
type Result struct {
	Value   any    // of package wire, or Unreadable; nil after an error
	Error   string // the native type's full name; "" when the call returned
	Message string // what came with the error
	At      *Span  // when the call was made; nil where that is not said
}

// A Span is the times at which a call was made and returned, in nanoseconds of
// one clock of the adapter's.
type Span struct{ Call, Return int64 }

// Unreadable is JSON that is no value of the wire, a fraction say. An
// implementation that returns such a thing is wrong; its adapter is not.
type Unreadable string

// A Response is what became of one case.
type Response struct {
	New     *Result    // the constructor's error; nil when it returned
	Results [][]Result // for each thread, for each call; of a recorded case, first those of Before
	Overlap *int64     // how many calls began while another was under way; nil where nobody counts
}

// parse reads the answer to a request and refuses one that leaves open what
// became of any call.
func (r Request) parse(line []byte) (Response, error) {
	var response Response
	fields, err := object(line)
	if err != nil {
		return response, broken(line, "it wrote a line that is %w", err)
	}
	if err := r.checkID(fields["id"]); err != nil {
		return response, broken(line, "%v", err)
	}
	want := r.lists()
	if raw, ok := fields["new"]; ok {
		failed, err := parseResult(raw)
		if err != nil || failed.Error == "" {
			return response, broken(line, `"new" has to be {"error": …}`)
		}
		response.New, want = &failed, nil // nothing was there to make calls on
	}
	lists, err := list(fields["results"], "results", len(want))
	if err != nil {
		return response, broken(line, "%v", err)
	}
	for i, raw := range lists {
		results, err := parseThread(raw, len(want[i]))
		if err != nil {
			return response, broken(line, "%v", err)
		}
		response.Results = append(response.Results, results)
	}
	if raw, ok := fields["overlap"]; ok {
		count, ok := decode(raw).(int64)
		if !ok || count < 0 {
			return response, broken(line, `"overlap" has to be a count of calls`)
		}
		response.Overlap = &count
	}
	return response, nil
}

func (r Request) checkID(raw json.RawMessage) error {
	want := strconv.FormatInt(r.ID, 10)
	if raw == nil {
		return fmt.Errorf("its answer to id %s has no id", want)
	}
	if string(raw) != want {
		return fmt.Errorf("its answer has id %.40s where %s was asked", raw, want)
	}
	return nil
}

func parseThread(raw json.RawMessage, calls int) ([]Result, error) {
	items, err := list(raw, "a thread's results", calls)
	if err != nil {
		return nil, err
	}
	results := make([]Result, len(items))
	for i, item := range items {
		if results[i], err = parseResult(item); err != nil {
			return nil, fmt.Errorf("result %d %w", i+1, err)
		}
		if i > 0 && results[i].beginsWithin(results[i-1]) {
			return nil, fmt.Errorf("result %d was called before the one before it returned, in one thread", i+1)
		}
	}
	return results, nil
}

// beginsWithin: calls of one thread that overlap would let any order pass.
func (r Result) beginsWithin(before Result) bool {
	return r.At != nil && before.At != nil && r.At.Call < before.At.Return
}

func list(raw json.RawMessage, what string, length int) ([]json.RawMessage, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil || items == nil {
		return nil, fmt.Errorf("%s must be a list of length %d", what, length)
	}
	if len(items) != length {
		return nil, fmt.Errorf("%s must have length %d, not %d", what, length, len(items))
	}
	return items, nil
}

func parseResult(raw json.RawMessage) (Result, error) {
	fields, err := object(raw)
	if err != nil {
		return Result{}, fmt.Errorf("is %w", err)
	}
	value, ok := fields["ok"]
	name, failed := fields["error"]
	if ok == failed {
		return Result{}, errors.New(`must have exactly one of "ok" and "error"`)
	}
	result := Result{}
	if at, ok := fields["at"]; ok {
		if result.At, err = parseSpan(at); err != nil {
			return Result{}, err
		}
	}
	if ok {
		result.Value = decode(value)
		return result, nil
	}
	if err := json.Unmarshal(name, &result.Error); err != nil || result.Error == "" {
		return Result{}, errors.New("must name the error's type")
	}
	if message, ok := fields["message"]; ok && json.Unmarshal(message, &result.Message) != nil {
		return Result{}, errors.New("must have a string as its message")
	}
	return result, nil
}

func parseSpan(raw json.RawMessage) (*Span, error) {
	times, _ := decode(raw).([]any)
	if len(times) == 2 {
		call, ok := times[0].(int64)
		end, too := times[1].(int64)
		if ok && too && call <= end {
			return &Span{call, end}, nil
		}
	}
	return nil, errors.New(`must have as "at" the times of call and return, in this order`)
}

func decode(raw json.RawMessage) any {
	value, err := wire.Decode(raw)
	if err != nil {
		return Unreadable(excerpt(raw))
	}
	return value
}
