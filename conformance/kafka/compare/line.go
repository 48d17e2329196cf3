package main

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/eventbroker/eventbroker/broker/assign"
)

// The forms of a line, as the Java program has them: bytes and strings are an x
// and hexadecimal digits, or a minus for null.

func text[T string | []byte](value T) string { return "x" + hex.EncodeToString([]byte(value)) }

func nullableText(s *string) string {
	if s == nil {
		return "-"
	}
	return text(*s)
}

func nullableBytes(b []byte) string {
	if b == nil {
		return "-"
	}
	return text(b)
}

func unhex(field string) ([]byte, error) {
	digits, found := strings.CutPrefix(field, "x")
	if !found {
		return nil, fmt.Errorf("%.64q are not bytes", field)
	}
	return hex.DecodeString(digits)
}

func plainSubscription(s assign.Subscription) string {
	topics := make([]string, len(s.Topics))
	for i, topic := range s.Topics {
		topics[i] = text(topic)
	}
	return fmt.Sprintf("%d;%s;%s;%s;%d;%s", s.Version, strings.Join(topics, ","), nullableBytes(s.UserData),
		plainPartitions(s.OwnedPartitions), s.GenerationID, nullableText(s.RackID))
}

func plainAssignment(a assign.Assignment) string {
	return fmt.Sprintf("%d;%s;%s", a.Version, plainPartitions(a.Partitions), nullableBytes(a.UserData))
}

func plainPartitions(list []assign.TopicPartitions) string {
	plain := make([]string, len(list))
	for i, p := range list {
		plain[i] = text(p.Topic)
		for _, partition := range p.Partitions {
			plain[i] += fmt.Sprintf(":%d", partition)
		}
	}
	return strings.Join(plain, ",")
}
