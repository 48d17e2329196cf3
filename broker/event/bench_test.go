package event

import (
	"fmt"
	"testing"
	"time"
)

// An ack must cost the same however many groups hold the record back. Only acks
// are timed, those of what one poll gave together.
func BenchmarkAck(b *testing.B) {
	for _, groups := range []int{1, 128} {
		b.Run(fmt.Sprintf("groups=%d", groups), func(b *testing.B) {
			topic, _ := benchBroker(b, MaxPartitions).Topic("t")
			consumers := make([]*Consumer, groups)
			for g := range consumers {
				consumers[g], _ = topic.Join(fmt.Sprint("g", g), "m")
			}
			w, turn, spent := newBatch(), 0, time.Duration(0)
			for b.Loop() {
				if turn%groups == 0 {
					w.offsets, _ = topic.AppendPublishMany(w.offsets[:0], w.messages)
				}
				spent += w.ack(b, consumers[turn%groups])
				turn++
			}
			b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N*MaxPartitions), "ns/op")
		})
	}
}

// ack acks what a poll gives, and tells how long the acks took.
func (w *batch) ack(b *testing.B, c *Consumer) time.Duration {
	w.records, _ = c.AppendPoll(w.records[:0], MaxPartitions)
	began := time.Now()
	for _, r := range w.records {
		if acked, _ := c.Ack(r.Partition, r.Offset); !acked {
			b.Fatal("not acknowledged")
		}
	}
	return time.Since(began)
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
