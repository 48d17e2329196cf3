package history

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// Encode writes a history as JSON, a line a call.
func Encode(h History) ([]byte, error) {
	arguments := slices.Clone(h.New)
	if h.Options != nil {
		arguments = append(arguments, h.Options)
	}
	head, err := wire.Encode(map[string]any{"system": h.System, "new": append([]any{}, arguments...)})
	if err != nil {
		return nil, err
	}
	data := bytes.TrimSuffix(head, []byte("}"))
	data = append(data, ",\"calls\":[\n"...)
	for i, op := range h.Ops {
		line, err := wire.Encode(op.value())
		if err != nil {
			return nil, err
		}
		data = append(data, line...)
		if i < len(h.Ops)-1 {
			data = append(data, ',')
		}
		data = append(data, '\n')
	}
	return append(data, "]}\n"...), nil
}

func (o Op) value() map[string]any {
	v := map[string]any{
		"thread": int64(o.Thread), "at": []any{o.From, o.To},
		"call": append([]any{o.Call.Op}, o.Call.Args...),
	}
	if o.Error != "" {
		v["error"] = o.Error
	} else {
		v["ok"] = o.Value
	}
	return v
}

// A saved history as JSON has it.
type saved struct {
	System string            `json:"system"`
	New    json.RawMessage   `json:"new"`
	Calls  []json.RawMessage `json:"calls"`
}

// Decode reads a history that [Encode] wrote, and refuses one that cannot be
// judged.
func Decode(data []byte) (History, error) {
	var s saved
	if err := json.Unmarshal(data, &s); err != nil {
		return History{}, fmt.Errorf("not a saved history: %w", err)
	}
	h := History{System: s.System}
	if !slices.Contains(Systems, s.System) {
		return h, fmt.Errorf("system: %q has no histories", s.System)
	}
	if err := h.readNew(s.New); err != nil {
		return h, err
	}
	for i, raw := range s.Calls {
		op, err := h.readOp(raw)
		if err != nil {
			return h, fmt.Errorf("calls: number %d: %w", i+1, err)
		}
		h.Ops = append(h.Ops, op)
	}
	return h, h.bounds()
}

func (h *History) readNew(raw json.RawMessage) error {
	v, err := wire.Decode(raw)
	arguments, ok := v.([]any)
	if err != nil || !ok {
		return fmt.Errorf("new: a list of arguments is due")
	}
	if n := len(arguments) - 1; n >= 0 {
		if options, ok := arguments[n].(map[string]any); ok {
			h.Options, arguments = options, arguments[:n]
		}
	}
	h.New = arguments
	if _, err = h.begin(); err != nil {
		return fmt.Errorf("new: %w", err)
	}
	return nil
}

func (h *History) readOp(raw json.RawMessage) (Op, error) {
	v, err := wire.Decode(raw)
	fields, ok := v.(map[string]any)
	if err != nil || !ok {
		return Op{}, fmt.Errorf("a map is due")
	}
	op := Op{Value: fields["ok"]}
	if op.Call, err = h.readCall(fields["call"]); err != nil {
		return op, err
	}
	thread, ok := fields["thread"].(int64)
	if !ok || thread < 0 || thread > MaxThreads {
		return op, fmt.Errorf("thread: 0 through %d is due", MaxThreads)
	}
	op.Thread = int(thread)
	if at, _ := fields["at"].([]any); len(at) == 2 {
		from, ok := at[0].(int64)
		to, too := at[1].(int64)
		if op.From, op.To = from, to; ok && too && from <= to {
			return op, op.readError(fields)
		}
	}
	return op, fmt.Errorf("at: the times of call and return are due, in this order")
}

func (h *History) readCall(v any) (corpus.Call, error) {
	system, _ := surface.FindSystem(h.System)
	list, _ := v.([]any)
	if len(list) == 0 {
		return corpus.Call{}, fmt.Errorf("call: a list is due")
	}
	name, _ := list[0].(string)
	operation, ok := system.Find(name)
	if !ok {
		return corpus.Call{}, fmt.Errorf("call: %s has no operation %s", h.System, wire.Format(list[0]))
	}
	call := corpus.Call{Op: name, Args: list[1:]}
	if len(call.Args) != len(operation.Params) {
		return call, fmt.Errorf("call: %s takes %d arguments, %d are given", name, len(operation.Params), len(call.Args))
	}
	m, err := h.begin()
	if err != nil {
		return call, err
	}
	if _, err := m.Call(name, call.Args); err != nil && !isKind(err) {
		return call, fmt.Errorf("call: %w", err)
	}
	return call, nil
}

func (o *Op) readError(fields map[string]any) error {
	_, ok := fields["ok"]
	name, failed := fields["error"]
	text, _ := name.(string)
	if o.Error = text; ok == failed || failed && text == "" {
		return fmt.Errorf("exactly one of ok and error is due")
	}
	return nil
}

// bounds refuses more than can be judged, and a thread that does two things at
// once.
func (h History) bounds() error {
	last := map[int]Op{}
	count := 0
	for i, op := range h.Ops {
		if before, ok := last[op.Thread]; ok && op.From < before.To {
			return fmt.Errorf("calls: number %d begins before the one before it in thread %d returned", i+1, op.Thread)
		}
		if last[op.Thread] = op; op.Thread > 0 {
			count++
		}
	}
	if count == 0 || count > MaxCalls {
		return fmt.Errorf("calls: %d of threads, where 1 through %d are due", count, MaxCalls)
	}
	return nil
}
