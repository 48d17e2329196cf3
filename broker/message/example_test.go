package message_test

import (
	"fmt"
	"log"

	"github.com/eventbroker/eventbroker/broker/message"
)

func Example() {
	b, err := message.New(3, message.Options{}) // 3 deliveries of a message to a group
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()

	b.CreateTopic("orders")
	b.Publish("orders", "a book")
	d, waits, _ := b.Poll("orders", "billing")
	fmt.Printf("%t %+v\n", waits, d)
	acked, _ := b.Ack("orders", "billing", d.Offset, d.Attempt) // or b.Nack
	_, waits, _ = b.Poll("orders", "billing")
	fmt.Println(acked, waits)
	// Output:
	// true {Topic:orders Offset:0 Payload:a book Attempt:1}
	// true false
}

// A message that the group refuses as often as the broker allows becomes a dead
// letter, and the next message is delivered.
func ExampleBroker_Nack() {
	b, err := message.New(2, message.Options{})
	if err != nil {
		log.Fatal(err)
	}
	b.CreateTopic("orders")
	b.Publish("orders", "bad")
	b.Publish("orders", "good")
	for {
		d, waits, err := b.Poll("orders", "billing")
		if err != nil {
			log.Fatal(err)
		}
		if !waits {
			break
		}
		fmt.Printf("%+v\n", d)
		settle := b.Ack
		if d.Payload == "bad" {
			settle = b.Nack
		}
		if _, err := settle("orders", "billing", d.Offset, d.Attempt); err != nil {
			log.Fatal(err)
		}
	}
	letters, _ := b.DeadLetters("orders", "billing")
	fmt.Printf("%+v\n", letters)
	// Output:
	// {Topic:orders Offset:0 Payload:bad Attempt:1}
	// {Topic:orders Offset:0 Payload:bad Attempt:2}
	// {Topic:orders Offset:1 Payload:good Attempt:1}
	// [{Topic:orders Offset:0 Payload:bad Attempts:2}]
}
