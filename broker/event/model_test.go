package event

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A naive broker is the oracle of the model test: one topic, everything a plain
// slice or map, nothing shared between the groups.
type naive struct {
	capacity int
	log      [][]string // by partition: every payload ever published
	trimmed  []int64    // by partition: how many of them are gone
	groups   map[string]*naiveGroup
}

type naiveGroup struct {
	members   []string
	committed []int64
	inFlight  map[int]string // partition => member
}

func newNaive(capacity, partitions int) *naive {
	return &naive{capacity, make([][]string, partitions), make([]int64, partitions), map[string]*naiveGroup{}}
}

func (n *naive) publish(p int, payload string) int64 {
	next := int64(len(n.log[p]))
	if next-n.trimmed[p] == int64(n.capacity) {
		return Full
	}
	n.log[p] = append(n.log[p], payload)
	return next
}

func (n *naive) join(group, member string) []int {
	if n.groups[group] == nil {
		n.groups[group] = &naiveGroup{committed: slices.Clone(n.trimmed), inFlight: map[int]string{}}
	}
	g := n.groups[group]
	if !slices.Contains(g.members, member) {
		g.members = append(g.members, member)
		g.cancelMoved()
	}
	owned := []int{}
	for p := range n.log {
		if g.owner(p) == member {
			owned = append(owned, p)
		}
	}
	return owned
}

func (n *naive) leave(group, member string) bool {
	g := n.groups[group]
	if g == nil || !slices.Contains(g.members, member) {
		return false
	}
	g.members = slices.DeleteFunc(g.members, func(m string) bool { return m == member })
	g.cancelMoved()
	return true
}

func (g *naiveGroup) cancelMoved() {
	slices.Sort(g.members)
	for p, holder := range g.inFlight {
		if g.owner(p) != holder {
			delete(g.inFlight, p)
		}
	}
}

func (g *naiveGroup) owner(p int) string {
	if len(g.members) == 0 {
		return ""
	}
	return g.members[p%len(g.members)]
}

func (n *naive) poll(group, member string, limit int) []Record {
	var records []Record
	g := n.groups[group]
	if g == nil || !slices.Contains(g.members, member) {
		return nil
	}
	for p := range n.log {
		_, busy := g.inFlight[p]
		if o := g.committed[p]; len(records) < limit && g.owner(p) == member && !busy && o < int64(len(n.log[p])) {
			g.inFlight[p] = member
			records = append(records, Record{"t", p, o, n.log[p][o]})
		}
	}
	return records
}

func (n *naive) settle(group, member string, p int, offset int64, commit bool) bool {
	g := n.groups[group]
	if g == nil || g.inFlight[p] != member || g.committed[p] != offset {
		return false
	}
	delete(g.inFlight, p)
	if commit {
		g.committed[p]++
		n.trimmed[p] = g.committed[p]
		for _, other := range n.groups {
			n.trimmed[p] = min(n.trimmed[p], other.committed[p])
		}
	}
	return true
}

func (n *naive) publishMany(messages []Message) []int64 {
	var offsets []int64
	for _, m := range messages {
		offsets = append(offsets, n.publish(m.Partition, m.Payload))
	}
	return offsets
}

func (n *naive) ackMany(group, member string, positions []Position) []bool {
	var acked []bool
	for _, p := range positions {
		acked = append(acked, n.settle(group, member, p.Partition, p.Offset, true))
	}
	return acked
}

// near are the positions at which a group stands, and one beside the first.
func (n *naive) near(group string) []Position {
	positions := []Position{{0, 1}}
	if g := n.groups[group]; g != nil {
		for p, offset := range g.committed {
			positions = append(positions, Position{p, offset})
		}
	}
	return positions
}

// Random calls on a broker and on the oracle must agree, and the broker's own
// invariants must hold after every step.
func TestBrokerAgreesWithTheModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		capacity := rapid.SampledFrom([]int{1, 2, 3, 5, 9}).Draw(t, "capacity")
		partitions := rapid.SampledFrom([]int{1, 2, 3, 31, 32, 33, 63, 64}).Draw(t, "partitions")
		b, err := New(capacity, Options{})
		must(t, err)
		_, err = b.Create("t", partitions)
		must(t, err)
		model := newNaive(capacity, partitions)

		groups, members := []string{"g", "h", "i"}, []string{"m1", "m10", "m2", "M", "_", "-", "a"}
		ways, err := waysOf(b, "t", groups, members)
		must(t, err)
		way, group, member := rapid.SampledFrom(ways), rapid.SampledFrom(groups), rapid.SampledFrom(members)
		partition := rapid.IntRange(0, partitions-1)
		settle := func(commit bool) func(*rapid.T) {
			return func(t *rapid.T) {
				g, m, p := group.Draw(t, "group"), member.Draw(t, "member"), partition.Draw(t, "partition")
				offset := int64(rapid.IntRange(0, 3).Draw(t, "offset"))
				if found := model.groups[g]; found != nil && rapid.IntRange(0, 4).Draw(t, "aim") > 0 {
					offset = found.committed[p]
					if holder := found.inFlight[p]; holder != "" {
						m = holder
					}
				}
				got, err := settle(way.Draw(t, "way"), g, m, p, offset, commit)
				must(t, err)
				same(t, model.settle(g, m, p, offset, commit), got)
			}
		}
		payload := 0
		message := rapid.Custom(func(t *rapid.T) Message {
			payload++
			return Message{partition.Draw(t, "partition"), fmt.Sprint(payload)}
		})
		t.Repeat(map[string]func(*rapid.T){
			"publish": func(t *rapid.T) {
				payload++
				p, text := partition.Draw(t, "partition"), fmt.Sprint(payload)
				got, err := way.Draw(t, "way").Publish(p, text)
				must(t, err)
				same(t, model.publish(p, text), got)
			},
			"join": func(t *rapid.T) {
				g, m := group.Draw(t, "group"), member.Draw(t, "member")
				got, err := way.Draw(t, "way").Join(g, m)
				must(t, err)
				same(t, model.join(g, m), got)
			},
			"leave": func(t *rapid.T) {
				g, m := group.Draw(t, "group"), member.Draw(t, "member")
				got, err := way.Draw(t, "way").Leave(g, m)
				must(t, err)
				same(t, model.leave(g, m), got)
			},
			"poll": func(t *rapid.T) {
				g, m, limit := group.Draw(t, "group"), member.Draw(t, "member"), rapid.IntRange(1, 64).Draw(t, "limit")
				got, err := way.Draw(t, "way").Poll(g, m, limit)
				must(t, err)
				same(t, model.poll(g, m, limit), got)
			},
			"publish many": func(t *rapid.T) {
				messages := rapid.SliceOfN(message, 0, 8).Draw(t, "messages")
				got, err := way.Draw(t, "way").PublishMany(messages)
				must(t, err)
				same(t, model.publishMany(messages), got)
			},
			"ack many": func(t *rapid.T) {
				g, m := group.Draw(t, "group"), member.Draw(t, "member")
				positions := rapid.Permutation(model.near(g)).Draw(t, "positions")
				got, err := way.Draw(t, "way").AckMany(g, m, positions)
				must(t, err)
				same(t, model.ackMany(g, m, positions), got)
			},
			"ack":   settle(true),
			"retry": settle(false),
			"":      func(t *rapid.T) { must(t, b.check()) },
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
