package assign

import (
	"fmt"
	"strconv"

	"github.com/eventbroker/eventbroker/broker"
)

// A field is where a message keeps a value: owned_partitions[2].topic, say. It
// is spelled out only for an error.
type field struct {
	name  string
	index int    // into a list, or none
	part  string // of the list's element
}

const none = -1

func whole(name string) field { return field{name, none, ""} }

func (f field) String() string {
	if f.index == none {
		return f.name
	}
	return f.name + "[" + strconv.Itoa(f.index) + "]" + f.part
}

// invalid is the error for an argument; the rest says what was wrong with it.
func invalid(argument, format string, values ...any) error {
	return &broker.ArgumentError{Argument: argument, Reason: fmt.Sprintf(format, values...)}
}
