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
}

// Two goroutines, each with a partition of its own, in one topic or in two: what
// happens in one topic should not slow another down.
func BenchmarkTwoGoroutines(b *testing.B) {
	for _, topics := range []int{1, 2} {
		b.Run(fmt.Sprintf("topics=%d", topics), func(b *testing.B) {
			broker, _ := New(MaxCapacity, Options{})
			var consumers [2]*Consumer
			for i := range consumers {
				name := fmt.Sprint("t", i%topics)
				_, _ = broker.Create(name, 2)
				topic, _ := broker.Topic(name)
				consumers[i], _ = topic.Join("g", fmt.Sprint("m", i))
			}
			b.ResetTimer()
			var work sync.WaitGroup
			for i, c := range consumers {
				work.Go(func() { workMany(b, c, i, b.N/2) })
			}
			work.Wait()
		})
	}
}

func workMany(b *testing.B, c *Consumer, partition, rounds int) {
	dst := make([]Record, 0, 1)
	for range rounds {
		_, _ = c.topic.Publish(partition, payload100)
		records, _ := c.AppendPoll(dst, 1)
		if acked, _ := c.Ack(partition, records[0].Offset); !acked {
			b.Fail()
			return
		}
	}
}
