package event_test

import (
	"errors"
	"fmt"

	"github.com/eventbroker/eventbroker/broker"
	"github.com/eventbroker/eventbroker/broker/event"
)

func Example() {
	b, err := event.New(1000, event.Options{}) // at most 1,000 records a partition
	if err != nil {
		panic(err)
	}
	defer b.Close()

	b.Create("orders", 1)
	offset, _ := b.Publish("orders", 0, "a book")
	fmt.Println("published at", offset)

	owned, _ := b.Join("orders", "billing", "m1")
	fmt.Println("m1 owns", owned)
	records, _ := b.Poll("orders", "billing", "m1", event.MaxRecords)
	fmt.Println(records)
	acked, _ := b.Ack("orders", "billing", "m1", records[0].Partition, records[0].Offset)
	fmt.Println(acked)
	// Output:
	// published at 0
	// m1 owns [0]
	// [{orders 0 0 a book}]
	// true
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

// A partition takes no more than the broker's capacity: whoever publishes learns
// that the groups are behind.
func ExampleBroker_Publish() {
	b, _ := event.New(1, event.Options{})
	defer b.Close()
	b.Create("orders", 1)

	fmt.Println(b.Publish("orders", 0, "a"))
	offset, _ := b.Publish("orders", 0, "b")
	fmt.Println(offset == event.Full)
	_, err := b.Publish("order", 0, "b")
	fmt.Println(err, errors.Is(err, broker.ErrInvalidArgument))
	// Output:
	// 0 <nil>
	// true
	// invalid argument: topic: "order" does not exist true
}

// A member has one record of a partition at a time: it gets the next when it has
// acknowledged that one, and the same one again when it gave it back.
func ExampleBroker_Retry() {
	b, _ := event.New(2, event.Options{})
	defer b.Close()
	b.Create("orders", 1)
	b.Publish("orders", 0, "a")
	b.Publish("orders", 0, "b")
	b.Join("orders", "billing", "m1")

	fmt.Println(b.Poll("orders", "billing", "m1", 2))
	b.Retry("orders", "billing", "m1", 0, 0) // not this time: deliver it again
	fmt.Println(b.Poll("orders", "billing", "m1", 2))
	b.Ack("orders", "billing", "m1", 0, 0)
	fmt.Println(b.Poll("orders", "billing", "m1", 2))
	// Output:
	// [{orders 0 0 a}] <nil>
	// [{orders 0 0 a}] <nil>
	// [{orders 0 1 b}] <nil>
}

// Whoever uses the same names again and again finds them once.
func ExampleBroker_Topic() {
	b, _ := event.New(10, event.Options{})
	defer b.Close()
	b.Create("orders", 1)

	orders, err := b.Topic("orders")
	if err != nil {
		panic(err)
	}
	m1, err := orders.Join("billing", "m1")
	if err != nil {
		panic(err)
	}
	orders.Publish(0, "a book")
	records, _ := m1.Poll(event.MaxRecords)
	for _, r := range records {
		fmt.Println(r.Partition, r.Offset, r.Payload)
		m1.Ack(r.Partition, r.Offset)
	}
	// Output:
	// 0 0 a book
}

// A batch does what its elements would do in turn, but at one point.
func ExampleTopic_PublishMany() {
	b, _ := event.New(2, event.Options{})
	defer b.Close()
	b.Create("orders", 2)
	orders, _ := b.Topic("orders")

	offsets, _ := orders.PublishMany([]event.Message{
		{Partition: 0, Payload: "a"}, {Partition: 1, Payload: "b"}, {Partition: 0, Payload: "c"}, {Partition: 0, Payload: "d"},
	})
	fmt.Println(offsets) // the last found its partition full
	_, err := orders.PublishMany([]event.Message{{Partition: 1, Payload: "e"}, {Partition: 2, Payload: "f"}})
	fmt.Println(err) // and nothing was published
	// Output:
	// [0 0 1 -1]
	// invalid argument: messages: partition of message 1: 2 is outside 0 through 1
}

func ExampleConsumer_AckMany() {
	b, _ := event.New(2, event.Options{})
	defer b.Close()
	b.Create("orders", 2)
	orders, _ := b.Topic("orders")
	orders.PublishMany([]event.Message{{Partition: 0, Payload: "a"}, {Partition: 1, Payload: "b"}})
	m1, _ := orders.Join("billing", "m1")
	records, _ := m1.Poll(event.MaxRecords)

	var done []event.Position
	for _, r := range records {
		done = append(done, event.Position{Partition: r.Partition, Offset: r.Offset})
	}
	fmt.Println(m1.AckMany(done))
	// Output:
	// [true true] <nil>
}
