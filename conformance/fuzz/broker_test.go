package fuzz_test

import (
	"context"
	"errors"

	"github.com/eventbroker/eventbroker/conformance/adapter"
	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/eventbroker/eventbroker/conformance/surface"
)

// A maker makes a broker for one case.
type maker func(system string, args []any, options map[string]any) (model.System, error)

// inProcess is a surface whose adapter is in this process. Errors go by the
// names of their kinds.
func inProcess(name string, maker maker, features ...string) runner.Surface {
	hello := adapter.Hello{Surface: name, Features: features}
	for _, s := range surface.Systems {
		hello.Systems = append(hello.Systems, s.Name)
	}
	return runner.Surface{Name: name, Start: func(context.Context) (runner.Adapter, error) {
		return &inner{hello, maker}, nil
	}}
}

type inner struct {
	hello adapter.Hello
	maker maker
}

func (a *inner) Hello() adapter.Hello        { return a.hello }
func (a *inner) Stderr() string              { return "" }
func (a *inner) Close(context.Context) error { return nil }

func (a *inner) Do(_ context.Context, r adapter.Request) (adapter.Response, error) {
	system, _ := surface.FindSystem(r.System)
	args, options := r.New[:len(system.New)], map[string]any(nil)
	if len(r.New) > len(args) {
		options = r.New[len(args)].(map[string]any)
	}
	broker, err := a.maker(r.System, args, options)
	if err != nil {
		failed := result(nil, err)
		return adapter.Response{New: &failed}, nil
	}
	var response adapter.Response
	for _, calls := range r.Threads {
		results, err := carryOut(broker, calls)
		if err != nil {
			return adapter.Response{}, err
		}
		response.Results = append(response.Results, results)
	}
	return response, nil
}

// carryOut ends where the broker takes its adapter with it.
func carryOut(broker model.System, calls []corpus.Call) (results []adapter.Result, err error) {
	for _, call := range calls {
		value, err := broker.Call(call.Op, call.Args)
		var crash *adapter.Crash
		var timeout *adapter.Timeout
		if errors.As(err, &crash) || errors.As(err, &timeout) {
			return nil, err
		}
		results = append(results, result(value, err))
	}
	return results, nil
}

func result(value any, err error) adapter.Result {
	var argument *model.InvalidArgument
	switch {
	case errors.As(err, &argument):
		return adapter.Result{Error: surface.InvalidArgument, Message: err.Error()}
	case err != nil:
		return adapter.Result{Error: "another", Message: err.Error()}
	}
	return adapter.Result{Value: value}
}
