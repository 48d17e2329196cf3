package pubsub

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// subscribers are as many as the benchmarks have.
var subscribers = []int{1, 10, 100, 1000}

// ahead is how many messages are published before their deliveries are waited for.
const ahead = 100

// Of all subscribers on a pool of 2 workers one is busy: each has a topic of its
// own, and a delivery to it must cost the same however many others are idle.
func BenchmarkDeliveryBesideIdleSubscribers(b *testing.B) {
	for _, n := range subscribers {
		b.Run(fmt.Sprintf("subscribers=%d", n), func(b *testing.B) {
			s := newStage(b, Options{Dispatcher: Pool, Workers: 2})
			for i := range n {
				s.subscribe(fmt.Sprint("t", i), "a")
			}
			s.deliver("t0", 1)
		})
	}
}

// The same where the idle ones are on the busy one's topic: members of its group
// whose turn it is not.
func BenchmarkDeliveryBesideIdleMembers(b *testing.B) {
	for _, n := range subscribers {
		b.Run(fmt.Sprintf("members=%d", n), func(b *testing.B) {
			s := newStage(b, Options{Dispatcher: Pool, Workers: 2})
			for i := range n {
				s.subscribe("t", fmt.Sprint("s", i), InGroup("g"))
			}
			s.deliver("t", 1)
		})
	}
}

// A delivery to a subscription that has given up many messages must cost the same
// however many those are: the topic's publishers wait for its lock.
func BenchmarkDeliveryBesideDeadLetters(b *testing.B) {
	for _, n := range []int{0, 1000, 30000} {
		b.Run(fmt.Sprintf("letters=%d", n), func(b *testing.B) {
			s := newStage(b, Options{MaxAttempts: 1})
			s.subscribe("t", "a")
			s.park("t", n)
			s.deliver("t", 1)
		})
	}
}

// Every message goes to all subscribers of its topic. An operation is one
// delivery.
func BenchmarkFanOut(b *testing.B) {
	for dispatcher, name := range []string{"synchronous", "lanes", "pool"} {
		for _, n := range subscribers {
			b.Run(fmt.Sprintf("%s/subscribers=%d", name, n), func(b *testing.B) {
				s := newStage(b, Options{Dispatcher: engine.Dispatcher(dispatcher)})
				for i := range n {
					s.subscribe("t", fmt.Sprint("s", i))
				}
				s.deliver("t", n)
			})
		}
	}
}

// What remains of a delivery when there are neither offsets nor retries: a channel
// for each subscriber, which a goroutine of its own receives from.
func BenchmarkChannels(b *testing.B) {
	for _, n := range subscribers {
		b.Run(fmt.Sprintf("subscribers=%d", n), func(b *testing.B) {
			var owed sync.WaitGroup
			channels := make([]chan string, n)
			for i := range channels {
				channels[i] = make(chan string, 1000)
				defer close(channels[i])
				go func() {
					for range channels[i] {
						owed.Done()
					}
				}()
			}
			sendMany(b.N, channels, &owed)
		})
	}
}

// sendMany makes that many deliveries, some messages at a time.
func sendMany(deliveries int, channels []chan string, owed *sync.WaitGroup) {
	for left := deliveries; left > 0; {
		for range ahead {
			if left <= 0 {
				break
			}
			owed.Add(len(channels))
			for _, c := range channels {
				c <- "x"
			}
			left -= len(channels)
		}
		owed.Wait()
	}
}

// A stage is a broker whose handlers count.
type stage struct {
	*testing.B
	broker *Broker
	drains bool
	fails  bool           // what is drained; only with a drain
	owed   sync.WaitGroup // deliveries to come
}

func newStage(b *testing.B, o Options) *stage {
	broker, err := New(o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = broker.Close() })
	return &stage{B: b, broker: broker, drains: o.Dispatcher == Synchronous}
}

func (s *stage) subscribe(topic, name string, options ...SubscribeOption) {
	_, err := s.broker.CreateTopic(topic, Retain(1000))
	if err != nil {
		s.Fatal(err)
	}
	err = s.broker.Subscribe(topic, name, func(context.Context, Message) error {
		s.owed.Done()
		if s.fails {
			return errors.New("refused")
		}
		return nil
	}, options...)
	if err != nil {
		s.Fatal(err)
	}
}

// park makes dead letters of n messages.
func (s *stage) park(topic string, n int) {
	s.fails = true
	for range n {
		s.publish(topic, 1)
		s.drain()
	}
	s.fails = false
}

// deliver publishes until b.N deliveries came of it, some messages at a time.
func (s *stage) deliver(topic string, each int) {
	s.ResetTimer()
	for left := s.N; left > 0; {
		for range ahead {
			if left <= 0 {
				break
			}
			s.publish(topic, each)
			left -= each
		}
		if s.drains {
			s.drain()
		}
		s.owed.Wait()
	}
}

func (s *stage) publish(topic string, each int) {
	s.owed.Add(each)
	if _, err := s.broker.Publish(topic, "x"); err != nil {
		s.Fatal(err)
	}
}

func (s *stage) drain() {
	if _, err := s.broker.Drain(); err != nil {
		s.Fatal(err)
	}
}
