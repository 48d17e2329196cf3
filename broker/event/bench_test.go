package event

import (
	"fmt"
	"testing"
)

// The unit of work: publish a 100-byte payload, poll it in one group, ack it.
func BenchmarkPublishPollAck(b *testing.B) {
	broker := benchBroker(b, 1)
	payload := fmt.Sprintf("%0100d", 0)
	join(b, broker, "g")
	dst := make([]Record, 0, 1)
	for b.Loop() {
		_, _ = broker.Publish("t", 0, payload)
		records, _ := broker.AppendPoll(dst, "t", "g", "m", 1)
		_, _ = broker.Ack("t", "g", "m", 0, records[0].Offset)
	}
}

// An ack must cost the same however many groups hold the record back.
func BenchmarkAck(b *testing.B) {
	for _, groups := range []int{1, 128} {
		b.Run(fmt.Sprintf("groups=%d", groups), func(b *testing.B) {
			broker := benchBroker(b, 1)
			for g := range groups {
				join(b, broker, fmt.Sprint("g", g))
			}
			// One group after the other acks what is retained, so that each ack
			// is made with all the groups in the topic.
			dst, name, next := make([]Record, 0, 1), "", 0
			for b.Loop() {
				if next%MaxCapacity == 0 {
					b.StopTimer()
					group := next / MaxCapacity % groups
					if name = fmt.Sprint("g", group); group == 0 {
						fill(b, broker)
					}
					b.StartTimer()
				}
				records, _ := broker.AppendPoll(dst, "t", name, "m", 1)
				if acked, _ := broker.Ack("t", name, "m", 0, records[0].Offset); !acked {
					b.Fatal("not acknowledged")
				}
				next++
			}
		})
	}
}

func fill(b *testing.B, broker *Broker) {
	for range MaxCapacity {
		if offset, err := broker.Publish("t", 0, "x"); err != nil || offset == Full {
			b.Fatal(offset, err)
		}
	}
}

// A poll that finds nothing must cost the same however many partitions it looks at.
func BenchmarkEmptyPoll(b *testing.B) {
	for _, partitions := range []int{1, 64} {
		b.Run(fmt.Sprintf("partitions=%d", partitions), func(b *testing.B) {
			broker := benchBroker(b, partitions)
			join(b, broker, "g")
			for b.Loop() {
				_, _ = broker.AppendPoll(nil, "t", "g", "m", 64)
			}
		})
	}
}

func benchBroker(b *testing.B, partitions int) *Broker {
	broker, err := New(MaxCapacity, Options{})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := broker.Create("t", partitions); err != nil {
		b.Fatal(err)
	}
	return broker
}

func join(b *testing.B, broker *Broker, group string) {
	if _, err := broker.Join("t", group, "m"); err != nil {
		b.Fatal(err)
	}
}
