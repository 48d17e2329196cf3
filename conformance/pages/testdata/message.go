package main

import (
	"fmt"

	"github.com/eventbroker/eventbroker/broker/message"
)

func main() {
	// BLOCK
	fmt.Println(made, offset, d, waits, acked, letters, err)
}
