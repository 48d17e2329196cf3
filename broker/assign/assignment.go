package assign

// An Assignment is what the leader of a group tells a member: Kafka's
// ConsumerProtocolAssignment, which is alike in every version.
type Assignment struct {
	Version    int16
	Partitions []TopicPartitions
	UserData   []byte // nil for null, which is not the same as empty
}

// DecodeAssignment reads an assignment (RA-02, RA-03), of which nothing may be
// missing. Any version from 0 is read and kept in the result; bytes left over
// are ignored. Empty lists are nil. Errors are those of [DecodeSubscription].
func DecodeAssignment(bytes []byte) (Assignment, error) {
	r := reader{left: bytes}
	a := Assignment{
		Version:    r.version(),
		Partitions: r.topicPartitions("partitions"),
		UserData:   r.nullableBytes(whole("user_data")),
	}
	if r.err != nil {
		return Assignment{}, r.err
	}
	return a, nil
}

// EncodeAssignment writes an assignment in its version, from 0 through
// [MaxVersion] (RA-03). Topics are valid UTF-8 of at most 32,767 bytes.
func EncodeAssignment(assignment Assignment) ([]byte, error) {
	w := writer{argument: "assignment"}
	w.version(assignment.Version)
	w.topicPartitions("partitions", assignment.Partitions)
	w.nullableBytes(whole("user_data"), assignment.UserData)
	return w.bytes()
}
