package adaptertest

import (
	"errors"

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
	for _, calls := range r.Threads {
		results := []any{}
		for _, call := range calls {
			results = append(results, carryOut(m, decode(call).([]any)))
		}
		threads = append(threads, results)
	}
	response["results"] = threads
	return line(response)
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
