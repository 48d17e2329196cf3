package model

import "fmt"

// An Assign is the model of range assignment and of its encodings. It keeps
// nothing from one call to the next.
type Assign struct{ Rules AssignRules }

// NewAssign makes one that follows the contract.
func NewAssign(args []any, options map[string]any) (*Assign, error) {
	return NewAssignWith(CorrectAssignRules(), args, options)
}

// NewAssignWith makes one that follows other rules than the contract's.
func NewAssignWith(rules AssignRules, args []any, options map[string]any) (*Assign, error) {
	if len(args)+len(options) > 0 {
		return nil, fmt.Errorf("new: %d arguments and %d options where none are due", len(args), len(options))
	}
	return &Assign{Rules: rules}, nil
}

// Call performs one operation.
func (a *Assign) Call(op string, args []any) (any, error) {
	values, _, err := arguments(assignSystem, op, args)
	if err != nil {
		return nil, err
	}
	return assignOperations[op](a, values)
}

// String shows the state, of which there is none.
func (a *Assign) String() string { return "nothing is kept\n" }

var assignOperations = map[string]func(*Assign, map[string]any) (any, error){
	"decode_subscription": (*Assign).decodeSubscription,
	"encode_subscription": (*Assign).encodeSubscription,
	"decode_assignment":   (*Assign).decodeAssignment,
	"encode_assignment":   (*Assign).encodeAssignment,
	"range_assign":        (*Assign).rangeAssign,
}
