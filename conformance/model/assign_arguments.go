package model

import (
	"errors"
	"fmt"
	"math"

	"github.com/eventbroker/eventbroker/conformance/surface"
)

// assignSystem is the row of the surface.
var assignSystem, _ = surface.FindSystem("assign")

// int32s are the integers of 32 bits.
var int32s = Range{math.MinInt32, math.MaxInt32}

func mapOf(name string, value any) (map[string]any, error) {
	fields, ok := value.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s: %T is not a map", name, value)
	}
	return fields, nil
}

func listOf(name string, value any) ([]any, error) {
	list, ok := value.([]any)
	if !ok {
		return nil, fmt.Errorf("%s: %T is not a list", name, value)
	}
	return list, nil
}

// within says of which argument it is a part that is invalid.
func within(argument string, err error) error {
	var part *InvalidArgument
	if errors.As(err, &part) {
		return &InvalidArgument{argument, part.Argument + ": " + part.Reason}
	}
	return err
}
