package disk_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/eventbroker/eventbroker/broker/pubsub"
	"github.com/eventbroker/eventbroker/broker/pubsub/disk"
)

const (
	kept   = "kept"  // a topic that keeps every message
	short  = "short" // one that keeps the last few
	few    = 5
	single = "single" // a subscription of the first, that fails every fifth message
	group  = "group"  // a group of two
	tries  = 2
)

func init() {
	// Publishes, and delivers, and tells everything that it did before it goes on.
	roles["publisher"] = func(args []string) {
		lanes, sync := args[1] == "lanes", args[2] == "true"
		options := pubsub.Options{MaxAttempts: tries, Journal: must(disk.Open(args[0], disk.Options{Sync: sync}))}
		if lanes {
			options.Dispatcher = pubsub.Lanes
		}
		b := must(pubsub.New(options))
		must(b.CreateTopic(kept))
		must(b.CreateTopic(short, pubsub.Retain(few)))
		check(b.Subscribe(kept, single, telling(single, !lanes)))
		for _, member := range []string{"one", "two"} {
			check(b.Subscribe(kept, member, telling(group, false), pubsub.InGroup(group)))
		}
		for {
			for _, topic := range []string{kept, short} {
				tell("published", topic, must(b.Publish(topic, topic)))
			}
			must(b.Drain())
		}
	}
}

// tell writes a line in one step, so that those of several threads stay whole.
func tell(event, name string, offset int64) {
	must(os.Stdout.Write(fmt.Appendln(nil, event, name, offset)))
}

func telling(name string, fails bool) pubsub.Handler {
	return func(_ context.Context, m pubsub.Message) error {
		tell("began", name, m.Offset)
		defer tell("ended", name, m.Offset)
		if fails && m.Offset%5 == 0 {
			return errors.New("no")
		}
		return nil
	}
}

// told is what a publisher said last of each name.
type told struct {
	last    map[string]int64 // topic or subscription => offset
	running map[string]bool  // subscription => whether its call had not ended
}

func (told told) read(t *testing.T, lines *bufio.Scanner, many int) {
	for ; many != 0 && lines.Scan(); many-- {
		var event, name string
		var offset int64
		_, err := fmt.Sscan(lines.Text(), &event, &name, &offset)
		require.NoError(t, err)
		told.last[name], told.running[name] = offset, event == "began"
	}
}

// PS-15: after a kill at any moment the broker has every message whose offset
// was returned, and no subscription is past what was confirmed, or more than the
// one message behind whose confirmation was not kept yet.
func TestKill_Broker(t *testing.T) {
	var path string
	var told told
	for round := range rounds(t, 8) {
		mode := []string{"synchronous", "lanes"}[round/4%2]
		if round%4 == 0 {
			path, told = newPath(t), newTold()
		}
		p := start(t, play(t, "publisher", path, mode, fmt.Sprint(round%4 == 1)))
		lines := bufio.NewScanner(p.output)
		told.read(t, lines, rand.IntN(2)*rand.IntN(1000))
		require.NoError(t, p.Process.Kill())
		told.read(t, lines, -1)
		_ = p.Wait()
		told.verify(t, path, mode == "synchronous")
	}
}

func newTold() told { return told{map[string]int64{}, map[string]bool{}} }

func (told told) verify(t *testing.T, path string, failing bool) {
	b, err := pubsub.New(pubsub.Options{Journal: open(t, path, disk.Options{})})
	require.NoError(t, err)
	for topic, retain := range map[string]int64{kept: 1 << 40, short: few} {
		last, published := told.last[topic]
		if published {
			messages := readBack(t, b, topic, retain)
			require.GreaterOrEqual(t, messages[len(messages)-1].Offset, last, "of %s", topic)
			require.LessOrEqual(t, messages[len(messages)-1].Offset, last+1, "of %s", topic)
		}
	}
	told.stands(t, b, single, single)
	if letters, err := b.DeadLetters(kept, single); failing && told.last[single] > 0 {
		require.NoError(t, err)
		require.Len(t, letters, int(must(b.Offset(kept, single))+4)/5, "one in five")
		require.Equal(t, pubsub.Letter{Offset: 0, Payload: kept, Attempts: tries, Error: "no"}, letters[0])
	}
	if _, served := told.last[group]; served {
		require.NoError(t, b.Subscribe(kept, "one", telling(group, false), pubsub.InGroup(group)))
		told.stands(t, b, group, "one")
	}
	require.NoError(t, b.Close())
}

// stands fails unless the place of name, known by that of a subscription, is
// where it was told last.
func (told told) stands(t *testing.T, b *pubsub.Broker, name, subscription string) {
	last, served := told.last[name]
	if !served {
		return
	}
	offset, err := b.Offset(kept, subscription)
	require.NoError(t, err)
	require.GreaterOrEqual(t, offset, last, name)
	if told.running[name] {
		require.Equal(t, last, offset, "%s is past a message that it did not confirm", name)
	}
	require.LessOrEqual(t, offset, last+1, name)
}

// readBack returns the messages of a topic, by a subscription of its own.
func readBack(t *testing.T, b *pubsub.Broker, topic string, retain int64) []pubsub.Message {
	var messages []pubsub.Message
	require.NoError(t, b.Subscribe(topic, "reader", func(_ context.Context, m pubsub.Message) error {
		messages = append(messages, m)
		return nil
	}))
	end, err := b.Offset(topic, "reader")
	require.NoError(t, err)
	first := max(0, end-retain)
	require.True(t, must(b.Seek(topic, "reader", first)))
	must(b.Drain())
	require.Len(t, messages, int(end-first))
	for i, m := range messages {
		require.Equal(t, first+int64(i), m.Offset)
	}
	require.True(t, must(b.Unsubscribe(topic, "reader")))
	return messages
}
