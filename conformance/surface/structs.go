package surface

// The structs that cross a border. Their fields are in the order in which cases
// write them.
var (
	Record = &Struct{"record", []Param{
		{"topic", Identifier}, {"partition", Int32}, {"offset", Int64}, {"payload", Text},
	}}
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
