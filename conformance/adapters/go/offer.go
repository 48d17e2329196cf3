package main

import (
	"fmt"
	"maps"
	"reflect"
	"runtime"
	"slices"
)

// An offer is what the adapter has as one surface.
type offer struct {
	surface  string
	features []any

	// system => the Go function that makes it, which takes the constructor's
	// arguments and, where there are any, its options
	constructors map[string]any
}

var (
	plain = offer{
		"go", []any{"raw_bytes", "batch", "redeliver", "status"},
		map[string]any{"event": newEvent, "message": newMessage, "pubsub": newPubSub, "assign": newAssign},
	}
	byHandles = offer{"go-handles", []any{"raw_bytes", "batch"}, map[string]any{"event": newEventByHandles}}
)

func (o offer) hello() map[string]any {
	systems := []any{}
	for _, name := range slices.Sorted(maps.Keys(o.constructors)) {
		systems = append(systems, name)
	}
	return map[string]any{
		"protocol": int64(1), "surface": o.surface, "implementation": "eventbroker", "runtime": runtime.Version(),
		"systems": systems, "features": o.features,
		"errors": map[string]any{"invalid_argument": "broker.ErrInvalidArgument", "timed_out": "broker.ErrTimedOut"},
	}
}

// construct makes a system. A constructor may be given no options.
func (o offer) construct(name string, args []any) (system, error) {
	constructor, ok := o.constructors[name]
	if !ok {
		return system{}, misuse(fmt.Sprintf("there is no system %q", name))
	}
	if len(args) < reflect.TypeOf(constructor).NumIn() {
		args = append(args, map[string]any{})
	}
	made, err := prepare(constructor, args)()
	if err != nil {
		return system{}, err
	}
	return made.Interface().(system), nil
}
