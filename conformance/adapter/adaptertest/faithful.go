package adaptertest

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// faithful answers as the reference model does.
func faithful(r request) string {
	response := map[string]any{"id": r.ID}
	m, err := r.model()
	if err != nil {
		response["new"], response["results"] = failure(err), []any{}
		return line(response)
	}
	threads := []any{}
	for _, calls := range r.lists() {
		results := []any{}
		for _, call := range calls {
			results = append(results, carryOut(m, decode(call).([]any)))
		}
		threads = append(threads, results)
	}
	response["results"] = threads
	return line(response)
}

// lists are the lists of calls that are answered, in their order.
func (r request) lists() [][]json.RawMessage {
	if r.Before == nil {
		return r.Threads
	}
	return append([][]json.RawMessage{r.Before}, r.Threads...)
}

// timed answers as the model does, and says of each call of a recorded case that
// it was made at these times.
func timed(at string) func(request) string {
	return func(r request) string {
		if !r.Record {
			return faithful(r)
		}
		return strings.ReplaceAll(faithful(r), `{"ok":`, `{"at":`+at+`,"ok":`)
	}
}

// model makes the broker of the model that the request asks for.
func (r request) model() (model.System, error) {
	arguments := decode(r.New).([]any)
	if n := len(arguments) - 1; n >= 0 {
		if options, ok := arguments[n].(map[string]any); ok {
			return model.New(r.System, arguments[:n], options)
		}
	}
	return model.New(r.System, arguments, nil)
}

func carryOut(m model.System, call []any) any {
	value, err := m.Call(call[0].(string), call[1:])
	if err != nil {
		return failure(err)
	}
	return map[string]any{"ok": value}
}

func failure(err error) map[string]any {
	name := "StubMisuse"
	var invalid *model.InvalidArgument
	var late *model.TimedOut
	switch {
	case errors.As(err, &invalid):
		name = Error
	case errors.As(err, &late):
		name = "StubTimeout"
	}
	return map[string]any{"error": name, "message": err.Error()}
}

func decode(data []byte) any {
	value, err := wire.Decode(data)
	if err != nil {
		panic(err)
	}
	return value
}

func line(value any) string {
	data, err := wire.Encode(value)
	if err != nil {
		panic(err)
	}
	return string(data) + "\n"
}
