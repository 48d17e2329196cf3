package history

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/model"
)

// A generator draws calls from the state of the model.
type generator interface {
	model.System
	// begin sets the broker up; do makes a call.
	begin(do func(op string, args ...any))
	draw() corpus.Call
}

// Generate makes a script for so many threads of so many calls each: the same
// one for the same seed. The calls of a round, one of each thread, are all drawn
// from one state of the model, as if the threads had looked at it together, so
// that they meet at the same records; then the model makes them in some order,
// which is a guess at what will happen.
func Generate(system string, seed uint64, threads, calls int) (Script, error) {
	random := rand.New(rand.NewPCG(seed, 0))
	g, s, err := newGenerator(system, random)
	if err != nil {
		return s, err
	}
	g.begin(func(op string, args ...any) {
		s.Before = append(s.Before, corpus.Call{Op: op, Args: args})
		_, _ = g.Call(op, args)
	})
	s.Threads = make([][]corpus.Call, threads)
	for range calls {
		for i := range s.Threads {
			s.Threads[i] = append(s.Threads[i], g.draw())
		}
		for _, i := range random.Perm(threads) {
			last := s.Threads[i][len(s.Threads[i])-1]
			if !progress[last.Op] || random.IntN(3) == 0 {
				_, _ = g.Call(last.Op, last.Args) // one that is refused changes nothing
			}
		}
	}
	return s, nil
}

// progress are the operations that the model makes only one time in three: where
// it got ahead of what happens, every later call would come too early and be
// about nothing.
var progress = map[string]bool{"ack": true, "ack_many": true, "nack": true}

func newGenerator(system string, random *rand.Rand) (generator, Script, error) {
	s := Script{System: system, New: []any{[]int64{1, 2, 3, 4, 200}[random.IntN(5)]}}
	switch system {
	case "event":
		m, err := model.NewEvent(s.New, nil)
		return newEventGenerator(m, random), s, err
	case "message":
		m, err := model.NewMessage(s.New, nil)
		return newMessageGenerator(m, random), s, err
	}
	return nil, s, fmt.Errorf("there are no histories of the system %q", system)
}

// A drawer is what the generators share.
type drawer struct {
	*rand.Rand
	payloads int
	mix      []weight
}

// payload is another one each time, so that a record is known by it.
func (d *drawer) payload() string {
	d.payloads++
	return fmt.Sprintf("p%d", d.payloads)
}

func (d *drawer) chance(percent int) bool { return d.IntN(100) < percent }

// weighted picks an operation, each as often as its weight says.
func (d *drawer) weighted(weights []weight) string {
	all := 0
	for _, w := range weights {
		all += w.times
	}
	n := d.IntN(all)
	for _, w := range weights {
		if n -= w.times; n < 0 {
			return w.op
		}
	}
	panic("history: no operation drawn")
}

type weight struct {
	op    string
	times int
}

// topic is "t", which is there from the first, or now and then one that comes into
// being on the way: of u1, u2 and so on the first that is not there yet, where the
// call makes it, else the last that is. All threads of a round make the same one.
// Where a history presses on beginnings, most calls are about the last ones.
func (d *drawer) topic(makes bool, there func(topic string) bool) string {
	next := 1
	for there(young(next)) {
		next++
	}
	switch {
	case makes:
		return young(next)
	case next == 1 && d.chance(3):
		return young(1) // which may be there by then
	case next > 1 && d.chance(d.youth()):
		return young(max(1, next-1-d.IntN(2)))
	}
	return "t"
}

func young(n int) string { return fmt.Sprintf("u%d", n) }

// youth is how often a call is about a topic that came into being on the way.
func (d *drawer) youth() int {
	if slices.ContainsFunc(d.mix, func(w weight) bool { return w.times > 1 && strings.HasPrefix(w.op, "create") }) {
		return 75
	}
	return 3
}

// behind is an offset or, now and then, one before it: what really happens lags
// behind the model, which never meets a call too late.
func (d *drawer) behind(offset int64) int64 {
	for offset > 0 && d.chance(25) {
		offset--
	}
	return offset
}

func pick[T any](d *drawer, list ...T) T { return list[d.IntN(len(list))] }
