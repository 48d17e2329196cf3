package message

import (
	"fmt"
	"testing"
)

// W, the unit of work: publish a 100-byte payload, poll it in one group, ack it.
func BenchmarkWork(b *testing.B) {
	broker, _ := New(3, Options{})
	_, _ = broker.CreateTopic("orders")
	payload := fmt.Sprintf("%0100d", 0)
	_, _, _ = broker.Poll("orders", "billing") // makes the group
	for b.Loop() {
		_, _ = broker.Publish("orders", payload)
		d, _, _ := broker.Poll("orders", "billing")
		if acked, _ := broker.Ack("orders", "billing", d.Offset, d.Attempt); !acked {
			b.Fatal("not acknowledged")
		}
	}
}
