package event

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker"
)

const workers = 8

// Everything at once on few names, while another goroutine walks the broker.
// With -race this also proves the locking (EB-15).
func TestConcurrentUseKeepsTheInvariants(t *testing.T) {
	b := newBroker(t, 3)
	for _, topic := range []string{"t", "u"} {
		_, err := b.Create(topic, 5)
		require.NoError(t, err)
	}
	ways := map[string][]way{}
	for _, topic := range []string{"t", "u"} {
		var err error
		ways[topic], err = waysOf(b, topic, []string{"g", "h"}, []string{"a", "b", "c"})
		require.NoError(t, err)
	}
	var calls, walks atomic.Int64
	var work, walk sync.WaitGroup
	stop := make(chan struct{})
	walk.Go(func() {
		for {
			assert.NoError(t, b.check())
			walks.Add(1)
			select {
			case <-stop:
				return
			default:
			}
		}
	})
	for seed := range workers {
		work.Go(func() {
			random := rand.New(rand.NewPCG(uint64(seed), 1))
			for range 4000 {
				assert.NoError(t, randomCall(ways, random))
				calls.Add(1)
			}
		})
	}
	work.Wait()
	close(stop)
	walk.Wait()
	require.NoError(t, b.check())
	require.EqualValues(t, workers*4000, calls.Load())
	require.Positive(t, walks.Load())
}

func randomCall(ways map[string][]way, random *rand.Rand) (err error) {
	w := ways[pick(random, "t", "u")][random.IntN(2)]
	group, member := pick(random, "g", "h"), pick(random, "a", "b", "c")
	partition, offset := random.IntN(5), int64(random.IntN(4))
	switch random.IntN(10) {
	case 0:
		_, err = w.Join(group, member)
	case 1:
		_, err = w.Leave(group, member)
	case 2, 3:
		_, err = w.Publish(partition, "x")
	case 4, 5:
		var records []Record
		records, err = w.Poll(group, member, 1+random.IntN(5))
		for _, r := range records {
			_, err = w.Ack(group, member, r.Partition, r.Offset)
		}
	case 6:
		_, err = w.Ack(group, member, partition, offset)
	case 7:
		_, err = w.Retry(group, member, partition, offset)
	case 8:
		_, err = w.PublishMany([]Message{{partition, "x"}, {(partition + 1) % 5, "y"}})
	case 9:
		err = pollAndAckMany(w, group, member, Position{partition, offset})
	}
	return err
}

// pollAndAckMany acknowledges what it is given, and one more position.
func pollAndAckMany(w way, group, member string, more Position) error {
	records, err := w.Poll(group, member, 5)
	if err != nil {
		return err
	}
	positions := []Position{more}
	for _, r := range records {
		positions = append(positions, Position{r.Partition, r.Offset})
	}
	_, err = w.AckMany(group, member, positions)
	return err
}

func pick(random *rand.Rand, names ...string) string { return names[random.IntN(len(names))] }

// Publishers and consumers of two groups: every offset is given out once, and
// each group sees every payload once and in order (EB-05, EB-12, EB-13).
func TestConcurrentPublishersAndConsumers(t *testing.T) {
	const total = workers * 500
	b := newBroker(t, 7)
	_, err := b.Create("t", 1)
	require.NoError(t, err)
	for _, group := range []string{"g", "h"} {
		_, err := b.Join("t", group, "m")
		require.NoError(t, err)
	}

	published := make([]string, total) // by offset
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := 0; i < total/workers && !t.Failed(); {
				payload := fmt.Sprint(w, "-", i)
				offset, err := b.Publish("t", 0, payload)
				if !assert.NoError(t, err) || offset == Full {
					runtime.Gosched()
					continue
				}
				assert.Empty(t, published[offset], "offset %d was given out twice", offset)
				published[offset] = payload
				i++
			}
		})
	}
	consumed := map[string][]string{"g": consume(t, b, &wg, "g", total), "h": consume(t, b, &wg, "h", total)}
	wg.Wait()
	for group, payloads := range consumed {
		assert.True(t, slices.Equal(published, payloads), "group %s saw something else than was published", group)
	}
	require.NoError(t, b.check())
}

// consume fills the list it returns from two goroutines that share the member,
// so that they compete for each delivery. The list is complete when wg is done.
func consume(t *testing.T, b *Broker, wg *sync.WaitGroup, group string, total int) []string {
	seen := make([]string, total)
	var done atomic.Int64
	for range 2 {
		wg.Go(func() {
			for done.Load() < int64(total) && !t.Failed() {
				records, err := b.Poll("t", group, "m", 1)
				assert.NoError(t, err)
				if len(records) == 0 {
					runtime.Gosched()
				}
				for _, r := range records {
					assert.Empty(t, seen[r.Offset], "offset %d was delivered twice at once", r.Offset)
					seen[r.Offset] = r.Payload
					ok, err := b.Ack("t", group, "m", 0, r.Offset)
					assert.True(t, ok && err == nil, "the only delivery is acknowledged")
					done.Add(1)
				}
			}
		})
	}
	return seen
}

// Many goroutines make the same topics: each is made once, and found from then on.
func TestConcurrentCreate(t *testing.T) {
	b := newBroker(t, 1)
	var made atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range 500 {
				name := fmt.Sprint("t", i)
				created, err := b.Create(name, 1)
				assert.NoError(t, err)
				if created {
					made.Add(1)
				}
				_, err = b.Publish(name, 0, "x")
				assert.NoError(t, err)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 500, made.Load())
	require.NoError(t, b.check())
}

func TestCloseAmongCalls(t *testing.T) {
	b := newBroker(t, 1000)
	_, err := b.Create("t", 1)
	require.NoError(t, err)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				if _, err := b.Publish("t", 0, "x"); err != nil {
					assert.ErrorIs(t, err, broker.ErrClosed)
					return
				}
			}
		})
	}
	require.NoError(t, b.Close())
	wg.Wait()
}

func newBroker(t *testing.T, capacity int) *Broker {
	b, err := New(capacity, Options{})
	require.NoError(t, err)
	return b
}
