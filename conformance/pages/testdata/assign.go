package main

import (
	"fmt"

	"github.com/eventbroker/eventbroker/broker/assign"
)

func main() {
	sent, _ := assign.EncodeSubscription(assign.Subscription{Topics: []string{"orders"}})
	// BLOCK
	fmt.Println(owned, err)
}
