package main

import (
	"fmt"

	"github.com/eventbroker/eventbroker/broker/event"
)

func main() {
	b, _ := event.New(1000, event.Options{})
	b.Create("orders", 1)
	// BLOCK
	fmt.Println(offsets, records, acked, err)
}
