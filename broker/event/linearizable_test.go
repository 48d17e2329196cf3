package event

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// An operation is a call with what it did to the broker and would do to the
// naive one.
type operation struct {
	name  string
	call  func(way) (any, error)
	model func(*naive) any
	by    int // which of the ways to call

	began, ended int64 // ticks of one clock around the call
	got          any
	err          error
}

// Short histories of real goroutines: each must be explained by some order of
// its calls that the naive broker answers alike, and in which no call comes
// before one that had ended when it began (EB-15).
func TestConcurrentCallsAreLinearizable(t *testing.T) {
	const rounds, threads, calls = 200, 3, 4
	overlapped := 0
	for round := range rounds {
		random := rand.New(rand.NewPCG(uint64(round), 2))
		histories := make([][]operation, threads)
		for i := range histories {
			for range calls {
				o := randomOperation(random)
				o.by = random.IntN(2)
				histories[i] = append(histories[i], o)
			}
		}
		setup := setups[round%len(setups)]
		runHistories(t, setup, histories)
		if overlapping(histories) {
			overlapped++
		}
		if !explained(setup, histories, make([]int, threads), nil) {
			t.Fatalf("round %d: no order of these calls explains what they returned:\n%s", round, show(histories))
		}
	}
	require.Positive(t, overlapped, "the goroutines ran one after the other, which proves nothing")
}

// setups leave room in the partitions, or none, and something in flight.
var setups = [][]operation{
	{joining("g", "a"), publishing(0, "first"), polling("g", "a")},
	{joining("g", "a"), publishingMany(Message{0, "first"}, Message{1, "other"}, Message{0, "second"}, Message{1, "another"}), polling("g", "a")},
}

const naiveCapacity, naivePartitions = 2, 2

var naiveGroups, naiveMembers = []string{"g", "h"}, []string{"a", "b"}

func runHistories(t *testing.T, setup []operation, histories [][]operation) {
	b := newBroker(t, naiveCapacity)
	_, err := b.Create("t", naivePartitions)
	require.NoError(t, err)
	ways, err := waysOf(b, "t", naiveGroups, naiveMembers)
	require.NoError(t, err)
	for _, o := range setup {
		_, err := o.call(ways[o.by])
		require.NoError(t, err)
	}
	var clock atomic.Int64
	var wg sync.WaitGroup
	start := make(chan struct{})
	for _, history := range histories {
		wg.Go(func() {
			<-start
			for i := range history {
				o := &history[i]
				o.began = clock.Add(1)
				o.got, o.err = o.call(ways[o.by])
				o.ended = clock.Add(1)
			}
		})
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	close(start)
	contend(b, done)
	for _, history := range histories {
		for _, o := range history {
			require.NoError(t, o.err, o.name)
		}
	}
	require.NoError(t, b.check())
}

// contend takes the topic's lock again and again until done, so that the calls
// meet at it: one that lets go of it halfway loses it there.
func contend(b *Broker, done chan struct{}) {
	topic, _ := b.topics.find("t")
	for {
		select {
		case <-done:
			return
		default:
			topic.mu.Lock()
			runtime.Gosched()
			topic.mu.Unlock()
		}
	}
}

// explained tries every order that the clock allows: taken says how many calls
// of each thread stand in the order so far.
func explained(setup []operation, histories [][]operation, taken []int, order []operation) bool {
	done := true
	for i, history := range histories {
		if taken[i] == len(history) {
			continue
		}
		done = false
		next := history[taken[i]]
		if !first(next, histories, taken) || !answers(setup, order, next) {
			continue
		}
		taken[i]++
		if explained(setup, histories, taken, append(order[:len(order):len(order)], next)) {
			return true
		}
		taken[i]--
	}
	return done
}

// first reports whether no call that is still to come had ended when this one began.
func first(o operation, histories [][]operation, taken []int) bool {
	for i, history := range histories {
		if taken[i] < len(history) && history[taken[i]].ended < o.began {
			return false
		}
	}
	return true
}

// answers reports whether the naive broker answers like the real one after the
// order so far.
func answers(setup, order []operation, next operation) bool {
	n := newNaive(naiveCapacity, naivePartitions)
	for _, o := range append(setup[:len(setup):len(setup)], order...) {
		o.model(n)
	}
	return reflect.DeepEqual(next.model(n), next.got)
}

func overlapping(histories [][]operation) bool {
	for i, history := range histories {
		for _, o := range history {
			for _, other := range histories[(i+1)%len(histories)] {
				if o.began < other.ended && other.began < o.ended {
					return true
				}
			}
		}
	}
	return false
}

func randomOperation(random *rand.Rand) operation {
	group, member := pick(random, naiveGroups...), pick(random, naiveMembers...)
	partition, offset := random.IntN(naivePartitions), int64(random.IntN(2))
	switch random.IntN(10) {
	case 0:
		return joining(group, member)
	case 1:
		return operation{
			name:  "leave " + group + " " + member,
			call:  func(w way) (any, error) { return w.Leave(group, member) },
			model: func(n *naive) any { return n.leave(group, member) },
		}
	case 2:
		return publishing(partition, fmt.Sprint(random.Uint32()))
	case 3, 4:
		return polling(group, member)
	case 5:
		return settling("g", "a", 0, 0, random.IntN(2) > 0) // what the setup has put in flight
	case 6:
		return publishingMany(Message{1, fmt.Sprint(random.Uint32())}, Message{0, fmt.Sprint(random.Uint32())})
	case 7:
		return ackingMany(group, member, Position{1, offset}, Position{0, offset})
	case 8:
		return ackingMany("g", "a", Position{0, 0}, Position{1, 0})
	default:
		return settling(group, member, partition, offset, random.IntN(2) > 0)
	}
}

func joining(group, member string) operation {
	return operation{
		name:  "join " + group + " " + member,
		call:  func(w way) (any, error) { return w.Join(group, member) },
		model: func(n *naive) any { return n.join(group, member) },
	}
}

func polling(group, member string) operation {
	return operation{
		name:  "poll " + group + " " + member,
		call:  func(w way) (any, error) { return w.Poll(group, member, 2) },
		model: func(n *naive) any { return n.poll(group, member, 2) },
	}
}

func settling(group, member string, partition int, offset int64, commit bool) operation {
	return operation{
		name:  fmt.Sprintf("settle %s %s %d %d, commit %v", group, member, partition, offset, commit),
		call:  func(w way) (any, error) { return settle(w, group, member, partition, offset, commit) },
		model: func(n *naive) any { return n.settle(group, member, partition, offset, commit) },
	}
}

func publishing(partition int, payload string) operation {
	return operation{
		name:  fmt.Sprintf("publish %d %s", partition, payload),
		call:  func(w way) (any, error) { return w.Publish(partition, payload) },
		model: func(n *naive) any { return n.publish(partition, payload) },
	}
}

func publishingMany(messages ...Message) operation {
	return operation{
		name:  fmt.Sprintf("publish many %v", messages),
		call:  func(w way) (any, error) { return w.PublishMany(messages) },
		model: func(n *naive) any { return n.publishMany(messages) },
	}
}

func ackingMany(group, member string, positions ...Position) operation {
	return operation{
		name:  fmt.Sprintf("ack many %s %s %v", group, member, positions),
		call:  func(w way) (any, error) { return w.AckMany(group, member, positions) },
		model: func(n *naive) any { return n.ackMany(group, member, positions) },
	}
}

func show(histories [][]operation) string {
	var text string
	for i, history := range histories {
		for _, o := range history {
			text += fmt.Sprintf("thread %d, %3d to %3d: %s → %v\n", i, o.began, o.ended, o.name, o.got)
		}
	}
	return text
}
