// Package surface is the one description of what every implementation offers:
// the systems, their operations with argument types, and the kinds of error.
// The runner, the schema of the cases, the adapters' dispatch and the
// documentation follow these tables, and tests fail where one drifts.
package surface

// A Param is one argument, by position, or one option or field, by name.
type Param struct {
	Name string
	Type Type
}

// An Operation is one call of a system.
type Operation struct {
	Name    string // as on the wire and in YAML
	Params  []Param
	Returns Type
}

// A System is one of the brokers: how it is made and what it can do.
type System struct {
	Name       string
	New        []Param // positional
	Options    []Param // in the map behind the positional ones
	Operations []Operation
}

// InvalidArgument is the kind of error a case may expect with `raises`.
const InvalidArgument = "invalid_argument"

// Features that a case may need and a surface may have.
const (
	NullStrings  = "null_strings"  // the language can say a null string
	WideIntegers = "wide_integers" // ... an integer outside signed 64 bits
	RawBytes     = "raw_bytes"     // ... a string that is not UTF-8
)

// Features are all there are.
var Features = []string{NullStrings, WideIntegers, RawBytes}

// Systems in the order in which reports show them.
var Systems = []System{
	{
		Name:    "event",
		New:     []Param{{"capacity_per_partition", Int32}},
		Options: []Param{{"max_payload", Int32}},
		Operations: []Operation{
			{"create", []Param{{"topic", Identifier}, {"partition_count", Int32}}, Bool},
			{"join", []Param{{"topic", Identifier}, {"group", Identifier}, {"member", Identifier}}, List{Int32}},
			{"leave", []Param{{"topic", Identifier}, {"group", Identifier}, {"member", Identifier}}, Bool},
			{"publish", []Param{{"topic", Identifier}, {"partition", Int32}, {"payload", Text}}, Int64},
			{"poll", []Param{{"topic", Identifier}, {"group", Identifier}, {"member", Identifier}, {"max_records", Int32}}, List{Record}},
			{"ack", []Param{{"topic", Identifier}, {"group", Identifier}, {"member", Identifier}, {"partition", Int32}, {"offset", Int64}}, Bool},
			{"retry", []Param{{"topic", Identifier}, {"group", Identifier}, {"member", Identifier}, {"partition", Int32}, {"offset", Int64}}, Bool},
		},
	},
	{
		Name:    "message",
		New:     []Param{{"max_attempts", Int32}},
		Options: []Param{{"max_payload", Int32}},
		Operations: []Operation{
			{"create_topic", []Param{{"topic", Identifier}}, Bool},
			{"publish", []Param{{"topic", Identifier}, {"payload", Text}}, Int64},
			{"poll", []Param{{"topic", Identifier}, {"group", Identifier}}, Optional{Delivery}},
			{"ack", []Param{{"topic", Identifier}, {"group", Identifier}, {"offset", Int64}, {"attempt", Int32}}, Bool},
			{"nack", []Param{{"topic", Identifier}, {"group", Identifier}, {"offset", Int64}, {"attempt", Int32}}, Bool},
			{"dead_letters", []Param{{"topic", Identifier}, {"group", Identifier}}, List{DeadLetter}},
		},
	},
	{
		Name: "assign",
		Operations: []Operation{
			{"decode_subscription", []Param{{"bytes", Bytes}}, Subscription},
			{"encode_subscription", []Param{{"subscription", Subscription}}, Bytes},
			{"decode_assignment", []Param{{"bytes", Bytes}}, Assignment},
			{"encode_assignment", []Param{{"assignment", Assignment}}, Bytes},
			{"range_assign", []Param{{"partitions_by_topic", Map{Int32}}, {"members", List{Member}}}, Map{Map{List{Int32}}}},
		},
	},
}

// FindSystem returns the system of that name.
func FindSystem(name string) (System, bool) {
	for _, s := range Systems {
		if s.Name == name {
			return s, true
		}
	}
	return System{}, false
}

// Find returns the operation of that name.
func (s System) Find(name string) (Operation, bool) {
	for _, o := range s.Operations {
		if o.Name == name {
			return o, true
		}
	}
	return Operation{}, false
}
