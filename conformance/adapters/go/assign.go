package main

import "github.com/eventbroker/eventbroker/broker/assign"

func newAssign() (system, error) {
	return system{operations: map[string]any{
		"decode_subscription": assign.DecodeSubscription,
		"encode_subscription": assign.EncodeSubscription,
		"decode_assignment":   assign.DecodeAssignment,
		"encode_assignment":   assign.EncodeAssignment,
		"range_assign":        assign.Range,
	}}, nil
}
