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
	Options []Param // in a map behind the arguments; a case may leave it out
	Feature string  // that a surface must have to have the operation; "" when all of them do
}

// A System is one of the brokers: how it is made and what it can do.
type System struct {
	Name       string
	New        []Param // positional
	Options    []Param // in a map behind the positional ones; a case may leave it out
	Operations []Operation
}

// Kinds of error that a case may expect with `raises`.
const (
	InvalidArgument = "invalid_argument"
	TimedOut        = "timed_out"
)

// Kinds are all there are.
var Kinds = []string{InvalidArgument, TimedOut}

// Features that a case may need and a surface may have.
const (
	NullStrings  = "null_strings"  // the language can say a null string
	WideIntegers = "wide_integers" // ... an integer outside signed 64 bits
	RawBytes     = "raw_bytes"     // ... a string that is not UTF-8
	Batch        = "batch"         // what is done to many records may be one call
	Redeliver    = "redeliver"     // dead letters can be offered again
	Status       = "status"        // a subscription can be asked how it stands
)

// Features are all there are.
var Features = []string{NullStrings, WideIntegers, RawBytes, Batch, Redeliver, Status}

// aSubscription names one of the system pubsub.
var aSubscription = []Param{{"topic", Identifier}, {"name", Identifier}}

// Systems in the order in which reports show them.
var Systems = []System{
	{
		Name:    "event",
		New:     []Param{{"capacity_per_partition", Int32}},
		Options: []Param{{"max_payload", Limit}},
		Operations: []Operation{
			{Name: "create", Params: []Param{{"topic", Identifier}, {"partition_count", Int32}}, Returns: Bool},
			{Name: "join", Params: []Param{{"topic", Identifier}, {"group", Identifier}, {"member", Identifier}}, Returns: List{Int32}},
			{Name: "leave", Params: []Param{{"topic", Identifier}, {"group", Identifier}, {"member", Identifier}}, Returns: Bool},
			{Name: "publish", Params: []Param{{"topic", Identifier}, {"partition", Int32}, {"payload", Text}}, Returns: Int64},
			{Name: "poll", Params: []Param{{"topic", Identifier}, {"group", Identifier}, {"member", Identifier}, {"max_records", Int32}}, Returns: List{Record}},
			{Name: "ack", Params: []Param{{"topic", Identifier}, {"group", Identifier}, {"member", Identifier}, {"partition", Int32}, {"offset", Int64}}, Returns: Bool},
			{Name: "retry", Params: []Param{{"topic", Identifier}, {"group", Identifier}, {"member", Identifier}, {"partition", Int32}, {"offset", Int64}}, Returns: Bool},
			{Name: "publish_many", Params: []Param{{"topic", Identifier}, {"messages", List{Message}}}, Returns: List{Int64}, Feature: Batch},
			{Name: "ack_many", Params: []Param{{"topic", Identifier}, {"group", Identifier}, {"member", Identifier}, {"positions", List{Position}}}, Returns: List{Bool}, Feature: Batch},
		},
	},
	{
		Name:    "message",
		New:     []Param{{"max_attempts", Int32}},
		Options: []Param{{"max_payload", Limit}},
		Operations: []Operation{
			{Name: "create_topic", Params: []Param{{"topic", Identifier}}, Returns: Bool},
			{Name: "publish", Params: []Param{{"topic", Identifier}, {"payload", Text}}, Returns: Int64},
			{Name: "poll", Params: []Param{{"topic", Identifier}, {"group", Identifier}}, Returns: Optional{Delivery}},
			{Name: "ack", Params: []Param{{"topic", Identifier}, {"group", Identifier}, {"offset", Int64}, {"attempt", Int32}}, Returns: Bool},
			{Name: "nack", Params: []Param{{"topic", Identifier}, {"group", Identifier}, {"offset", Int64}, {"attempt", Int32}}, Returns: Bool},
			{Name: "dead_letters", Params: []Param{{"topic", Identifier}, {"group", Identifier}}, Returns: List{DeadLetter}},
		},
	},
	{
		Name:    "pubsub",
		Options: []Param{{"dispatcher", Dispatcher}, {"workers", Limit}, {"max_attempts", Int32}, {"max_payload", Limit}},
		Operations: []Operation{
			{Name: "create_topic", Params: []Param{{"topic", Identifier}}, Returns: Bool, Options: []Param{{"retain", Limit}}},
			{Name: "subscribe", Params: []Param{{"topic", Identifier}, {"name", Identifier}, {"rules", List{Rule}}}, Returns: Null,
				Options: []Param{{"group", Identifier}, {"policy", Policy}, {"filter", Filter}}},
			{Name: "unsubscribe", Params: aSubscription, Returns: Bool},
			{Name: "publish", Params: []Param{{"topic", Identifier}, {"payload", Text}}, Returns: Int64},
			{Name: "drain", Returns: Int32},
			{Name: "seek", Params: []Param{{"topic", Identifier}, {"name", Identifier}, {"offset", Int64}}, Returns: Bool},
			{Name: "offset", Params: aSubscription, Returns: Int64},
			{Name: "dead_letters", Params: aSubscription, Returns: List{Letter}},
			{Name: "calls_of", Params: aSubscription, Returns: List{Text}}, // the adapter's own
			{Name: "redeliver", Params: aSubscription, Returns: Int32, Feature: Redeliver},
			{Name: "status", Params: aSubscription, Returns: Standing, Feature: Status},
		},
	},
	{
		Name: "assign",
		Operations: []Operation{
			{Name: "decode_subscription", Params: []Param{{"bytes", Bytes}}, Returns: Subscription},
			{Name: "encode_subscription", Params: []Param{{"subscription", Subscription}}, Returns: Bytes},
			{Name: "decode_assignment", Params: []Param{{"bytes", Bytes}}, Returns: Assignment},
			{Name: "encode_assignment", Params: []Param{{"assignment", Assignment}}, Returns: Bytes},
			{Name: "range_assign", Params: []Param{{"partitions_by_topic", Map{Int32}}, {"members", List{Member}}}, Returns: Map{Map{List{Int32}}}},
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
