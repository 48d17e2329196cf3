package event

import (
	"fmt"
	"sync"
	"testing"
)

// What W costs by plain calls as one thing or another grows; it should cost the
// same.
func BenchmarkGrowth(b *testing.B) {
	curve(b, "partitions", []int{1, 2, 4, 8, 16, 32, 64}, func(b *testing.B, n int) {
		w := newWorker(b, 1, n, 1)
		for i := 0; b.Loop(); i++ {
			w.work(0, i%n, 0)
		}
	})
	curve(b, "members", []int{1, 2, 4, 8, 16, 32, 64}, func(b *testing.B, n int) {
		w := newWorker(b, 1, MaxPartitions, n)
		for i := 0; b.Loop(); i++ {
			w.work(0, i%MaxPartitions, i%MaxPartitions%n)
		}
	})
	curve(b, "topics", []int{1, 2, 4, 8, 16, 32}, func(b *testing.B, n int) {
		w := newWorker(b, n, 1, 1)
		for i := 0; b.Loop(); i++ {
			w.work(i%n, 0, 0)
		}
	})
	curve(b, "capacity", []int{1, 10, 100, 1000}, func(b *testing.B, n int) {
		w := newWorker(b, 1, 1, 1)
		for b.Loop() {
			w.fill(n)
			w.drain("g", n)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/op")
	})
	curve(b, "groups", []int{1, 2, 4, 8, 16, 32, 64, 128}, workBesideGroups)
}

func curve(b *testing.B, what string, points []int, run func(b *testing.B, n int)) {
	for _, n := range points {
		b.Run(fmt.Sprintf("%s=%d", what, n), func(b *testing.B) { run(b, n) })
	}
}

// workBesideGroups times the first group of n; the others follow while the clock
// stands.
func workBesideGroups(b *testing.B, n int) {
	w := newWorker(b, 1, 1, 1)
	var others []string
	for i := range n - 1 {
		others = append(others, fmt.Sprint("other", i))
		_, _ = w.broker.Join(w.topics[0], others[i], w.members[0])
	}
	for i := 1; b.Loop(); i++ {
		w.work(0, 0, 0)
		if i%MaxCapacity == 0 {
			b.StopTimer()
			for _, group := range others {
				w.drain(group, MaxCapacity)
			}
			b.StartTimer()
		}
	}
}

// A worker does W in a broker of several topics with a group each.
type worker struct {
	*testing.B
	broker  *Broker
	topics  []string
	members []string
	dst     []Record
}

func newWorker(b *testing.B, topics, partitions, members int) *worker {
	broker, _ := New(MaxCapacity, Options{})
	w := &worker{B: b, broker: broker, dst: make([]Record, 0, 1)}
	for i := range topics {
		w.topics = append(w.topics, fmt.Sprint("t", i))
		_, _ = broker.Create(w.topics[i], partitions)
	}
	for i := range members {
		w.members = append(w.members, fmt.Sprintf("m%02d", i))
	}
	for _, topic := range w.topics {
		for _, member := range w.members {
			_, _ = broker.Join(topic, "g", member)
		}
	}
	return w
}

// work does W in a partition, which the member owns.
func (w *worker) work(topic, partition, member int) {
	_, _ = w.broker.Publish(w.topics[topic], partition, payload100)
	w.take(w.topics[topic], "g", w.members[member])
}

func (w *worker) take(topic, group, member string) {
	records, _ := w.broker.AppendPoll(w.dst, topic, group, member, 1)
	if acked, _ := w.broker.Ack(topic, group, member, records[0].Partition, records[0].Offset); !acked {
		w.Fatal("not acknowledged")
	}
}

func (w *worker) fill(n int) {
	for range n {
		_, _ = w.broker.Publish(w.topics[0], 0, payload100)
	}
}

func (w *worker) drain(group string, n int) {
	for range n {
		w.take(w.topics[0], group, w.members[0])
	}
}

// Threads with a partition each, together in one topic or apart in topics of
// their own: what happens in one topic should not slow another down. An operation
// is one W of any of them.
func BenchmarkThreads(b *testing.B) {
	for _, apart := range []bool{false, true} {
		name := map[bool]string{false: "together", true: "apart"}[apart]
		curve(b, name, []int{1, 2, 4, 8}, func(b *testing.B, n int) {
			consumers := threadConsumers(n, apart)
			b.ResetTimer()
			var work sync.WaitGroup
			for i, c := range consumers {
				work.Go(func() { workMany(b, c, i, b.N/n) })
			}
			work.Wait()
		})
	}
}

// threadConsumers joins n members, of which the ith owns partition i.
func threadConsumers(n int, apart bool) []*Consumer {
	broker, _ := New(MaxCapacity, Options{})
	consumers := make([]*Consumer, n)
	for i := range consumers {
		name := "t"
		if apart {
			name = fmt.Sprint("t", i)
		}
		_, _ = broker.Create(name, n)
		topic, _ := broker.Topic(name)
		consumers[i], _ = topic.Join("g", fmt.Sprint("m", i))
	}
	return consumers
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
