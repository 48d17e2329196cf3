package main

import (
	"fmt"

	"github.com/eventbroker/eventbroker/broker/event"
)

func main() {
	// BLOCK
	fmt.Println(made, offset, owned, records, acked, err)
}
