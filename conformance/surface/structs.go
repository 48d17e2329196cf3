package surface

// The structs and tuples that cross a border. Their fields are in the order in which cases
// write them.
var (
	Record = &Struct{"record", []Param{
		{"topic", Identifier}, {"partition", Int32}, {"offset", Int64}, {"payload", Text},
	}}
	Message = &Tuple{"message", []Param{{"partition", Int32}, {"payload", Text}}}

	Position = &Tuple{"position", []Param{{"partition", Int32}, {"offset", Int64}}}

	Delivery = &Struct{"delivery", []Param{
		{"topic", Identifier}, {"offset", Int64}, {"payload", Text}, {"attempt", Int32},
	}}
	DeadLetter = &Struct{"dead letter", []Param{
		{"topic", Identifier}, {"offset", Int64}, {"payload", Text}, {"attempts", Int32},
	}}
	TopicPartitions = &Struct{"topic partitions", []Param{
		{"topic", String}, {"partitions", List{Field32}},
	}}
	Subscription = &Struct{"subscription", []Param{
		{"version", Field16}, {"topics", List{String}}, {"user_data", Optional{Bytes}},
		{"owned_partitions", List{TopicPartitions}}, {"generation_id", Field32}, {"rack_id", Optional{String}},
	}}
	Assignment = &Struct{"assignment", []Param{
		{"version", Field16}, {"partitions", List{TopicPartitions}}, {"user_data", Optional{Bytes}},
	}}
	Member = &Struct{"member", []Param{
		{"id", String}, {"topics", List{String}}, {"instance_id", Optional{String}},
	}}
)

// What the system pubsub has of its own.
var (
	Letter = &Struct{"letter", []Param{{"offset", Int64}, {"payload", Text}, {"attempts", Int32}}}

	// Standing has disconnected where it is kept why the subscription ended.
	Standing = &Struct{"status", []Param{
		{"subscribed", Bool}, {"offset", Int64}, {"attempts", Int32}, {"lost", Int64}, {"disconnected", Bool},
	}}

	Dispatcher = &Choice{"dispatcher", []any{"synchronous", "lanes", "pool"}, true}
	Policy     = &Choice{"policy", []any{"drop", "disconnect", "block"}, true}

	// Rule is a line of what a handler does. The first rule whose payload
	// matches, any without a match, and whose times are not used up acts: its
	// calls are made in the handler, in order, those that fail being passed
	// over, and then the handler confirms, refuses or throws. Where there is no
	// such rule it confirms.
	Rule = &Options{"rule", []Param{
		{"match", Text}, {"times", Count}, {"do", List{Call{"pubsub"}}}, {"ret", Outcome},
	}}
	Outcome = &Choice{"outcome", []any{true, false, "throw"}, false}

	// Filter lets the payloads of pass through, throws over those of throw, and
	// passes all others over.
	Filter = &Options{"filter", []Param{{"pass", List{Text}}, {"throw", List{Text}}}}
)
