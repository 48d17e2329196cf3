package message_test

import (
	"fmt"
	"log"

	"github.com/eventbroker/eventbroker/broker/message"
)

// A message that the group refuses as often as the broker allows becomes a dead
// letter, and the next message is delivered.
func Example() {
	b, err := message.New(2, message.Options{})
	if err != nil {
		log.Fatal(err)
	}
	_, _ = b.CreateTopic("orders")
	_, _ = b.Publish("orders", "bad")
	_, _ = b.Publish("orders", "good")
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
