package message

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// The oracle of the model test writes down every settled delivery of a group
// and derives everything else from that history.
type history []settled

type settled struct {
	offset  int64
	attempt int
	acked   bool
}

func (h history) position(maxAttempts int) (offset int64, attempt int) {
	attempt = 1
	for _, s := range h {
		if s.acked || s.attempt == maxAttempts {
			offset, attempt = s.offset+1, 1
		} else {
			attempt = s.attempt + 1
		}
	}
	return offset, attempt
}

func (h history) dead(maxAttempts int) []DeadLetter {
	letters := []DeadLetter{}
	for _, s := range h {
		if !s.acked && s.attempt == maxAttempts {
			letters = append(letters, DeadLetter{"t", s.offset, fmt.Sprint(s.offset), s.attempt})
		}
	}
	return letters
}

// Random calls on a broker must answer what the histories of its groups say.
func TestBrokerAgreesWithTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		maxAttempts := rapid.IntRange(1, 4).Draw(t, "max attempts")
		b, err := New(maxAttempts, Options{})
		must(t, err)
		_, err = b.CreateTopic("t")
		must(t, err)
		published := int64(0)
		histories, polled := map[string]history{}, map[string]bool{}
		group := rapid.SampledFrom([]string{"g", "h"})

		settle := func(acked bool) func(*rapid.T) {
			return func(t *rapid.T) {
				g := group.Draw(t, "group")
				offset, attempt := histories[g].position(maxAttempts)
				offset += int64(rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(t, "ahead"))
				attempt += rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(t, "too many")
				call := b.Nack
				if acked {
					call = b.Ack
				}
				got, err := call("t", g, offset, attempt)
				must(t, err)
				atOffset, atAttempt := histories[g].position(maxAttempts)
				same(t, polled[g] && offset == atOffset && attempt == atAttempt, got)
				if got {
					histories[g] = append(histories[g], settled{offset, attempt, acked})
					polled[g] = false
				}
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"publish": func(t *rapid.T) {
				offset, err := b.Publish("t", fmt.Sprint(published))
				must(t, err)
				same(t, published, offset)
				published++
			},
			"poll": func(t *rapid.T) {
				g := group.Draw(t, "group")
				got, waits, err := b.Poll("t", g)
				must(t, err)
				offset, attempt := histories[g].position(maxAttempts)
				same(t, offset < published, waits)
				if waits {
					same(t, Delivery{"t", offset, fmt.Sprint(offset), attempt}, got)
					polled[g] = true
				}
			},
			"ack":  settle(true),
			"nack": settle(false),
			"": func(t *rapid.T) {
				must(t, b.check())
				for g, h := range histories {
					letters, err := b.DeadLetters("t", g)
					must(t, err)
					same(t, h.dead(maxAttempts), letters)
				}
			},
		})
	})
}

func must(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func same(t *rapid.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("the model says (-), the broker says (+):\n%s", diff)
	}
}
