package assign_test

import (
	"encoding/hex"
	"fmt"

	"github.com/eventbroker/eventbroker/broker/assign"
)

func Example() {
	sent := []byte("\x00\x00\x00\x00\x00\x01\x00\x06orders\xff\xff\xff\xff") // by a member
	wanted, err := assign.DecodeSubscription(sent)
	if err != nil {
		panic(err)
	}
	owned, err := assign.Range(map[string]int{"orders": 3}, []assign.Member{{ID: "m1", Topics: wanted.Topics}})
	if err != nil {
		panic(err)
	}
	fmt.Println(owned)
	// Output:
	// map[m1:map[orders:[0 1 2]]]
}

// What the leader of a group does between the two halves of a rebalance.
func ExampleRange() {
	joined := map[string]string{ // member id => what it sent, in hexadecimal
		"consumer-2":  "000000000001000161ffffffff",
		"consumer-10": "00000000000200016100016200000000",
	}
	var members []assign.Member
	for id, sent := range joined {
		data, err := hex.DecodeString(sent)
		if err != nil {
			panic(err)
		}
		subscription, err := assign.DecodeSubscription(data)
		if err != nil {
			panic(err)
		}
		members = append(members, assign.Member{ID: id, Topics: subscription.Topics})
	}
	assigned, err := assign.Range(map[string]int{"a": 3, "b": 2}, members)
	if err != nil {
		panic(err)
	}
	fmt.Println(assigned["consumer-10"])
	fmt.Println(assigned["consumer-2"])
	// Output:
	// map[a:[0 1] b:[0 1]]
	// map[a:[2]]
}

func ExampleDecodeSubscription() {
	_, err := assign.DecodeSubscription([]byte("\x00\x00\x00\x00\x00\x01\xff\xfb"))
	fmt.Println(err)
	// Output:
	// invalid argument: bytes: topics[0] length -5 at byte 6 is negative
}
