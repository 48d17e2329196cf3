package pubsub_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/eventbroker/eventbroker/broker/pubsub"
	"github.com/eventbroker/eventbroker/broker/pubsub/disk"
)

func Example() {
	b, err := pubsub.New(pubsub.Options{}) // or Dispatcher: pubsub.Lanes, pubsub.Pool
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()

	b.CreateTopic("orders")
	b.Subscribe("orders", "billing", func(_ context.Context, m pubsub.Message) error {
		fmt.Println(m.Offset, m.Payload)
		return nil // confirms; an error or a panic: it is offered again
	})
	b.Publish("orders", "a book")
	confirmed, _ := b.Drain()
	fmt.Println(confirmed, "confirmed")
	// Output:
	// 0 a book
	// 1 confirmed
}

// Each subscription is given every message at its own pace. One that fails is
// offered its message again by the next drain, and the others do not notice.
func ExampleBroker_Drain() {
	b, err := pubsub.New(pubsub.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()

	b.CreateTopic("orders")
	b.Subscribe("orders", "billing", func(_ context.Context, m pubsub.Message) error {
		fmt.Println("billing:", m.Payload, "try", m.Attempt)
		if m.Offset == 1 && m.Attempt == 1 {
			return errors.New("the bank does not answer")
		}
		return nil // confirms
	})
	b.Subscribe("orders", "email", func(_ context.Context, m pubsub.Message) error {
		fmt.Println("email:", m.Payload)
		return nil
	})
	b.Publish("orders", "order-1")
	b.Publish("orders", "order-2")

	for range 2 {
		confirmed, _ := b.Drain()
		fmt.Println(confirmed, "confirmed")
	}
	// Output:
	// billing: order-1 try 1
	// billing: order-2 try 1
	// email: order-1
	// email: order-2
	// 3 confirmed
	// billing: order-2 try 2
	// 1 confirmed
}

// With a pool, a publish wakes delivery, and a slow handler delays nobody else.
func Example_pool() {
	b, err := pubsub.New(pubsub.Options{
		Dispatcher: pubsub.Pool, Workers: 2, HandlerTimeout: 30 * time.Second,
	})
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close() // waits for the handlers under way

	b.CreateTopic("orders")
	var wg sync.WaitGroup
	wg.Add(3)
	b.Subscribe("orders", "billing", func(_ context.Context, m pubsub.Message) error {
		fmt.Println(m.Offset, m.Payload)
		wg.Done()
		return nil
	})
	for _, payload := range []string{"order-1", "order-2", "order-3"} {
		b.Publish("orders", payload)
	}
	wg.Wait()
	// Output:
	// 0 order-1
	// 1 order-2
	// 2 order-3
}

// A message that fails as often as it may becomes a dead letter. It can be
// offered again.
func ExampleBroker_Redeliver() {
	b, _ := pubsub.New(pubsub.Options{MaxAttempts: 1})
	defer b.Close()
	b.CreateTopic("orders")
	bankAnswers := false
	b.Subscribe("orders", "billing", func(context.Context, pubsub.Message) error {
		if !bankAnswers {
			return errors.New("the bank does not answer")
		}
		return nil
	})
	b.Publish("orders", "order-1")
	b.Drain()
	letters, _ := b.DeadLetters("orders", "billing")
	fmt.Printf("%+v\n", letters)

	bankAnswers = true
	count, _ := b.Redeliver("orders", "billing")
	confirmed, _ := b.Drain()
	fmt.Println(count, "offered again,", confirmed, "confirmed")
	// Output:
	// [{Offset:0 Payload:order-1 Attempts:1 Error:the bank does not answer}]
	// 1 offered again, 1 confirmed
}

// The members of a group share one place: each message goes to one of them.
func ExampleInGroup() {
	b, _ := pubsub.New(pubsub.Options{})
	defer b.Close()
	b.CreateTopic("orders")
	for _, name := range []string{"clerk-1", "clerk-2"} {
		b.Subscribe("orders", name, func(_ context.Context, m pubsub.Message) error {
			fmt.Println(name, m.Payload)
			return nil
		}, pubsub.InGroup("clerks"))
	}
	for _, payload := range []string{"order-1", "order-2", "order-3"} {
		b.Publish("orders", payload)
	}
	b.Drain()
	// Output:
	// clerk-1 order-1
	// clerk-2 order-2
	// clerk-1 order-3
}

// A topic may keep only its last messages. A subscription that fell behind goes
// on with the earliest one kept, and knows how many it lost.
func ExampleRetain() {
	b, _ := pubsub.New(pubsub.Options{})
	defer b.Close()
	b.CreateTopic("ticks", pubsub.Retain(2))
	b.Subscribe("ticks", "screen", func(_ context.Context, m pubsub.Message) error {
		fmt.Println(m.Payload)
		return nil
	}, pubsub.Where(func(m pubsub.Message) bool { return m.Payload != "tick-4" }))
	for i := range 5 {
		b.Publish("ticks", fmt.Sprint("tick-", i))
	}
	b.Drain()
	status, _ := b.Status("ticks", "screen")
	fmt.Println(status.Lost, "lost")
	// Output:
	// tick-3
	// 3 lost
}

// With a journal, topics, messages and places survive a restart: a subscription
// goes on where it was.
func Example_restart() {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	open := func() *pubsub.Broker {
		journal, err := disk.Open(filepath.Join(folder, "orders.db"), disk.Options{})
		if err != nil {
			log.Fatal(err)
		}
		b, err := pubsub.New(pubsub.Options{Journal: journal})
		if err != nil {
			log.Fatal(err)
		}
		return b
	}
	show := func(_ context.Context, m pubsub.Message) error {
		fmt.Println(m.Offset, m.Payload)
		return nil
	}

	b := open()
	b.CreateTopic("orders")
	b.Subscribe("orders", "billing", show)
	b.Publish("orders", "order-1")
	b.Drain()
	b.Publish("orders", "order-2")
	b.Close()

	b = open()
	defer b.Close()
	b.Subscribe("orders", "billing", show)
	b.Drain()
	// Output:
	// 0 order-1
	// 1 order-2
}
