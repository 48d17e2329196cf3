package event

import (
	"runtime"
	"testing"
)

// What a retained record takes beyond its payload, where the partitions are full:
// all payloads are the same string, so that none is counted.
func BenchmarkRetained(b *testing.B) {
	const records = MaxPartitions * MaxCapacity
	total := uint64(0)
	for b.Loop() {
		before := heap()
		broker := fullBroker(b)
		total += heap() - before
		runtime.KeepAlive(broker)
	}
	b.ReportMetric(float64(total)/float64(b.N*records), "B/record")
}

func fullBroker(b *testing.B) *Broker {
	broker := benchBroker(b, MaxPartitions)
	for p := range MaxPartitions {
		for range MaxCapacity {
			_, _ = broker.Publish("t", p, payload100)
		}
	}
	return broker
}

func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
