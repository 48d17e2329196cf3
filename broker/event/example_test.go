package event_test

import (
	"fmt"

	"github.com/eventbroker/eventbroker/broker/event"
)

func Example() {
	b, err := event.New(2, event.Options{}) // at most 2 records a partition
	if err != nil {
		panic(err)
	}
	defer b.Close()

	b.Create("orders", 1)
	b.Publish("orders", 0, "a")
	b.Publish("orders", 0, "b")
	b.Join("orders", "billing", "m1")

	records, _ := b.Poll("orders", "billing", "m1", 2)
	fmt.Println(records)
	b.Retry("orders", "billing", "m1", 0, 0) // not this time: deliver it again
	records, _ = b.Poll("orders", "billing", "m1", 2)
	fmt.Println(records)
	b.Ack("orders", "billing", "m1", 0, 0)
	records, _ = b.Poll("orders", "billing", "m1", 2)
	fmt.Println(records)
	// Output:
	// [{orders 0 0 a}]
	// [{orders 0 0 a}]
	// [{orders 0 1 b}]
}

// Names that are used again and again are found once, and many records are one
// call.
func ExampleTopic() {
	b, _ := event.New(10, event.Options{})
	defer b.Close()
	b.Create("orders", 2)

	orders, _ := b.Topic("orders")
	billing, _ := orders.Join("billing", "m1")
	offsets, _ := orders.PublishMany([]event.Message{{Partition: 0, Payload: "a"}, {Partition: 1, Payload: "b"}})
	fmt.Println(offsets)

	records, _ := billing.Poll(64)
	fmt.Println(records)
	var done []event.Position
	for _, r := range records {
		done = append(done, event.Position{Partition: r.Partition, Offset: r.Offset})
	}
	acked, _ := billing.AckMany(done)
	fmt.Println(acked)
	// Output:
	// [0 0]
	// [{orders 0 0 a} {orders 1 0 b}]
	// [true true]
}

func ExampleBroker_Join() {
	b, _ := event.New(10, event.Options{})
	defer b.Close()
	b.Create("orders", 3)

	a, _ := b.Join("orders", "billing", "a")
	fmt.Println("a owns", a)
	other, _ := b.Join("orders", "billing", "b")
	a, _ = b.Join("orders", "billing", "a") // joining again only asks
	fmt.Println("a owns", a, "and b owns", other)
	// Output:
	// a owns [0 1 2]
	// a owns [0 2] and b owns [1]
}
