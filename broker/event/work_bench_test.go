package event

import (
	"fmt"
	"sync"
	"testing"
)

// W, the unit of work: publish a 100-byte payload, poll it in one group, ack it.

var payload100 = fmt.Sprintf("%0100d", 0)

func BenchmarkMutex(b *testing.B) {
	var mu sync.Mutex
	n := 0
	for b.Loop() {
		mu.Lock()
		n++
		mu.Unlock()
	}
}

// A channel takes no names and knows neither groups nor acks: what remains when
// all of that is left out.
func BenchmarkChannel(b *testing.B) {
	c := make(chan string, MaxCapacity)
	for b.Loop() {
		c <- payload100
		<-c
	}
}

func BenchmarkWork(b *testing.B) {
	b.Run("simple", func(b *testing.B) {
		s := newSimple(MaxCapacity)
		s.create("orders", 1)
		s.join("orders", "billing", "m1")
		for b.Loop() {
			_, _ = s.publish("orders", 0, payload100)
			records, _ := s.poll("orders", "billing", "m1", 1)
			_, _ = s.ack("orders", "billing", "m1", 0, records[0].Offset)
		}
	})
	b.Run("plain", func(b *testing.B) {
		broker := benchBroker(b, 1)
		join(b, broker, "billing")
		for b.Loop() {
			_, _ = broker.Publish("t", 0, payload100)
			records, _ := broker.Poll("t", "billing", "m", 1)
			_, _ = broker.Ack("t", "billing", "m", 0, records[0].Offset)
		}
	})
	b.Run("append", func(b *testing.B) {
		broker := benchBroker(b, 1)
		join(b, broker, "billing")
		dst := make([]Record, 0, 1)
		for b.Loop() {
			_, _ = broker.Publish("t", 0, payload100)
			records, _ := broker.AppendPoll(dst, "t", "billing", "m", 1)
			_, _ = broker.Ack("t", "billing", "m", 0, records[0].Offset)
		}
	})
	b.Run("handles", func(b *testing.B) {
		topic, _ := benchBroker(b, 1).Topic("t")
		consumer, _ := topic.Join("billing", "m")
		dst := make([]Record, 0, 1)
		for b.Loop() {
			_, _ = topic.Publish(0, payload100)
			records, _ := consumer.AppendPoll(dst, 1)
			_, _ = consumer.Ack(0, records[0].Offset)
		}
	})
	b.Run("batches", func(b *testing.B) {
		topic, _ := benchBroker(b, MaxPartitions).Topic("t")
		consumer, _ := topic.Join("billing", "m")
		w := newBatch()
		for b.Loop() {
			w.work(b, topic, consumer)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*MaxPartitions), "ns/op")
	})
}

// A batch does W once in each of as many partitions as there can be, and keeps
// its memory.
type batch struct {
	messages  []Message
	offsets   []int64
	records   []Record
	positions []Position
	acked     []bool
}

func newBatch() *batch {
	w := &batch{}
	for p := range MaxPartitions {
		w.messages = append(w.messages, Message{p, payload100})
	}
	return w
}

func (w *batch) work(b *testing.B, topic *Topic, consumer *Consumer) {
	w.offsets, _ = topic.AppendPublishMany(w.offsets[:0], w.messages)
	w.records, _ = consumer.AppendPoll(w.records[:0], MaxPartitions)
	w.positions = w.positions[:0]
	for _, r := range w.records {
		w.positions = append(w.positions, Position{r.Partition, r.Offset})
	}
	w.acked, _ = consumer.AppendAckMany(w.acked[:0], w.positions)
	if len(w.acked) != MaxPartitions {
		b.Fatal("not acknowledged")
	}
}
