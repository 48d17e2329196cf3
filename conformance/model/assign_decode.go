package model

import "math"

// anyInteger are all integers there are.
var anyInteger = Range{math.MinInt64, math.MaxInt64}

func (a *Assign) reader(values map[string]any) (*assignReader, error) {
	bytes, err := text("bytes", values["bytes"])
	return &assignReader{rules: a.Rules, bytes: bytes}, err
}

// decodeSubscription: version, topics and user data must be there (RA-01).
func (a *Assign) decodeSubscription(values map[string]any) (any, error) {
	r, err := a.reader(values)
	if err != nil {
		return nil, err
	}
	version := r.number("version", 2, a.Rules.ReadVersion)
	topics := r.list("topics", r.text)
	userData := r.userData("user_data")
	if r.err != nil {
		return nil, r.err
	}
	tail := a.decodeTail(r, version)
	if r.err != nil && a.Rules.Forgives(version) {
		tail, r.err, r.at = absentTail(), nil, len(r.bytes)
	}
	a.judgeRemainder(r)
	return map[string]any{
		"version": version, "topics": topics, "user_data": userData,
		"owned_partitions": tail["owned_partitions"], "generation_id": tail["generation_id"], "rack_id": tail["rack_id"],
	}, r.err
}

// absentTail is what stands for fields that are not there (RA-01).
func absentTail() map[string]any {
	return map[string]any{"owned_partitions": []any{}, "generation_id": int64(-1), "rack_id": nil}
}

// decodeTail reads the fields that the version has, until the input ends before
// one of them (RA-01).
func (a *Assign) decodeTail(r *assignReader, version int64) map[string]any {
	fields := []struct {
		name string
		read func(field string) any
	}{
		{"owned_partitions", func(field string) any { return r.list(field, r.topicPartitions) }},
		{"generation_id", r.int32},
		{"rack_id", r.rack},
	}
	tail := absentTail()
	for _, field := range fields {
		if min(version, a.Rules.Latest) < a.Rules.Since[field.name] {
			continue
		}
		if r.ended() && a.Rules.MayStop(field.name, version) {
			break
		}
		tail[field.name] = field.read(field.name)
	}
	return tail
}

// decodeAssignment: alike in every version, and nothing may be missing (RA-03).
func (a *Assign) decodeAssignment(values map[string]any) (any, error) {
	r, err := a.reader(values)
	if err != nil {
		return nil, err
	}
	assignment := map[string]any{}
	assignment["version"] = r.number("version", 2, a.Rules.ReadVersion)
	assignment["partitions"] = r.list("partitions", r.topicPartitions)
	assignment["user_data"] = r.userData("user_data")
	a.judgeRemainder(r)
	return assignment, r.err
}

// judgeRemainder: bytes left over are ignored (RA-01).
func (a *Assign) judgeRemainder(r *assignReader) {
	if left := len(r.bytes) - r.at; !a.Rules.MayRemain(left) {
		r.fail("the end", r.at, "%d bytes are left over", left)
	}
}
