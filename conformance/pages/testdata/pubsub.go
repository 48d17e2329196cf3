package main

import (
	"context"
	"fmt"

	"github.com/eventbroker/eventbroker/broker/pubsub"
)

func bill(payload string) error {
	fmt.Println(payload)
	return nil
}

func main() {
	// BLOCK
	fmt.Println(made, offset, confirmed, err)
}
