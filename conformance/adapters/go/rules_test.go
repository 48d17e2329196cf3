package main

import (
	"github.com/eventbroker/eventbroker/conformance/surface"
	"pgregory.net/rapid"
)

// drawRule draws a rule that is used up in the end: a handler that publishes
// without end would have a drain that has none.
func drawRule(t *rapid.T) any {
	rule := drawOptions(t, surface.Rule.Fields)
	rule["times"] = rapid.SampledFrom(integers(1, 2, 9)).Draw(t, "times")
	if calls, ok := rule["do"].([]any); ok {
		rule["do"], rule["times"] = calls[:min(2, len(calls))], rapid.SampledFrom(integers(1, 1, 2)).Draw(t, "times")
	}
	return rule
}

// drawCall draws a call from inside a handler, with an end to handlers that are
// subscribed from inside handlers.
func drawCall(t *rapid.T, of surface.Call) any {
	system, _ := surface.FindSystem(of.System)
	op := rapid.SampledFrom(system.Operations).Draw(t, "operation")
	if op.Name == "subscribe" {
		return []any{op.Name, "t", draw(t, "name", surface.Identifier), []any{map[string]any{"times": int64(1), "ret": false}}}
	}
	return append([]any{op.Name}, drawArguments(t, op)...)
}

// drawChoice draws no dispatcher whose threads deliver when they like.
func drawChoice(t *rapid.T, name string, of *surface.Choice) any {
	var odd []any
	if of.Open {
		odd = texts("no such word")
	}
	if of == surface.Dispatcher {
		return seldom(t, name, texts("synchronous"), odd)
	}
	return seldom(t, name, of.Values, odd)
}
