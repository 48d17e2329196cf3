package bench

import (
	"fmt"
	"sync"
	"testing"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/ThreeDotsLabs/watermill/pubsub/gochannel"
	"github.com/stretchr/testify/require"
)

// payload is that of W, the unit of work: publish 100 bytes, poll them in one
// group, ack them.
var payload = []byte(fmt.Sprintf("%0100d", 0))

// Messages have no UUID, which would cost as much again and which a program can do
// without.
func BenchmarkWatermillWork(b *testing.B) {
	channel := gochannel.NewGoChannel(gochannel.Config{OutputChannelBuffer: 1000}, nil)
	defer func() { _ = channel.Close() }()
	messages, err := channel.Subscribe(b.Context(), "orders")
	require.NoError(b, err)
	for b.Loop() {
		_ = channel.Publish("orders", message.NewMessage("", payload))
		if !(<-messages).Ack() {
			b.Fatal("not acknowledged")
		}
	}
}

// Every message goes to all subscribers. An operation is one delivery.
func BenchmarkWatermillFanOut(b *testing.B) {
	for _, n := range []int{1, 10} {
		b.Run(fmt.Sprintf("subscribers=%d", n), func(b *testing.B) { fanOut(b, n) })
	}
}

func fanOut(b *testing.B, subscribers int) {
	channel := gochannel.NewGoChannel(gochannel.Config{OutputChannelBuffer: 1000}, nil)
	defer func() { _ = channel.Close() }()
	var owed sync.WaitGroup
	for range subscribers {
		messages, err := channel.Subscribe(b.Context(), "orders")
		require.NoError(b, err)
		go func() {
			for m := range messages {
				m.Ack()
				owed.Done()
			}
		}()
	}
	b.ResetTimer()
	for left := b.N; left > 0; {
		for range 100 { // before deliveries are waited for, as in package pubsub
			if left <= 0 {
				break
			}
			owed.Add(subscribers)
			_ = channel.Publish("orders", message.NewMessage("", payload[:1]))
			left -= subscribers
		}
		owed.Wait()
	}
}
