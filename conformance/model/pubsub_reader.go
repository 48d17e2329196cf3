package model

import "fmt"

// readHandler reads the rules of a handler. They are the case's own: what is
// wrong with them is no matter of the broker's.
func readHandler(value any) ([]*PubSubRule, error) {
	rules, is := value.([]any)
	if !is {
		return nil, fmt.Errorf("rules: %T is no list of rules", value)
	}
	var handler []*PubSubRule
	for _, value := range rules {
		rule, err := readRule(value)
		if err != nil {
			return nil, fmt.Errorf("rules: %w", err)
		}
		handler = append(handler, rule)
	}
	return handler, nil
}

func readRule(value any) (*PubSubRule, error) {
	fields, is := value.(map[string]any)
	if !is {
		return nil, fmt.Errorf("%T is no rule", value)
	}
	rule := &PubSubRule{Ret: true}
	for name, value := range fields {
		if err := rule.read(name, value); err != nil {
			return nil, err
		}
	}
	return rule, nil
}

func (r *PubSubRule) read(name string, value any) error {
	switch name {
	case "match":
		match, err := text(name, value)
		r.Match = &match
		return err
	case "times":
		times, is := value.(int64)
		if !is || times < 0 {
			return fmt.Errorf("times: %v is no number of times", value)
		}
		r.Times = &times
		return nil
	case "do":
		return r.readCalls(value)
	case "ret":
		if value != true && value != false && value != "throw" {
			return fmt.Errorf("ret: %v is none of true, false and throw", value)
		}
		r.Ret = value
		return nil
	}
	return fmt.Errorf("a rule has no %q", name)
}

func (r *PubSubRule) readCalls(value any) error {
	calls, is := value.([]any)
	if !is {
		return fmt.Errorf("do: %T is no list of calls", value)
	}
	for _, value := range calls {
		call, is := value.([]any)
		if !is || len(call) == 0 {
			return fmt.Errorf("do: %v is no call", value)
		}
		op, is := call[0].(string)
		if _, known := pubsubSystem.Find(op); !is || !known {
			return fmt.Errorf("do: %v is no operation", call[0])
		}
		r.Do = append(r.Do, HandlerCall{op, call[1:]})
	}
	return nil
}

// readFilter reads the two lists of a filter.
func readFilter(value any) (*PubSubFilter, error) {
	fields, is := value.(map[string]any)
	if !is {
		return nil, fmt.Errorf("filter: %T is no filter", value)
	}
	filter := &PubSubFilter{}
	for name, value := range fields {
		payloads, err := texts(name, value)
		if err != nil {
			return nil, fmt.Errorf("filter: %w", err)
		}
		switch name {
		case "pass":
			filter.Pass = payloads
		case "throw":
			filter.Throw = payloads
		default:
			return nil, fmt.Errorf("filter: there is no %q", name)
		}
	}
	return filter, nil
}

// texts reads a list of strings.
func texts(name string, value any) ([]string, error) {
	list, is := value.([]any)
	if !is {
		return nil, fmt.Errorf("%s: %T is no list", name, value)
	}
	var strings []string
	for _, value := range list {
		s, err := text(name, value)
		if err != nil {
			return nil, err
		}
		strings = append(strings, s)
	}
	return strings, nil
}
