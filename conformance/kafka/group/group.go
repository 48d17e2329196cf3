// Package group draws random consumer groups, to ask a peer and ourselves the
// same question (RA-04).
//
// The groups are those on which all peers should agree: no member names a topic
// twice, which some count twice, and a subscription has only what its version
// can say.
package group

import (
	"math/rand/v2"
	"slices"

	"github.com/eventbroker/eventbroker/broker/assign"
)

// Letters that names are made of: with few of them names are often alike at the
// front, so that their order is decided late.
const (
	// BelowSurrogates sorts alike in UTF-8 and in UTF-16.
	BelowSurrogates = "0129aAz-_.\x7f\u0080é\u07FF\u0800\u4E00\uD7FF"
	// All does not.
	All = BelowSurrogates + "\uE000\uEFFF\uF000\uFB01\uFFFF\U00010000\U0001F600\U0010FFFF"
)

// Most of what a group has.
const (
	maxTopics     = 6
	maxMembers    = 12
	maxPartitions = 30
	maxName       = 5 // letters
	maxUserData   = 8 // bytes
)

// A Group is a question to a range assignor.
type Group struct {
	Partitions map[string]int // topic => count
	Members    []Member
}

// A Member carries what it sends when it joins; its topics are those of the
// subscription.
type Member struct {
	assign.Member
	Subscription assign.Subscription
}

// AssignMembers is the group as [assign.Range] takes it.
func (g Group) AssignMembers() []assign.Member {
	members := make([]assign.Member, len(g.Members))
	for i, m := range g.Members {
		members[i] = m.Member
	}
	return members
}

// New draws a group, always the same from the same seed, with names made of the
// letters.
func New(seed uint64, letters string) Group {
	d := drawer{rand.New(rand.NewPCG(seed, 0)), []rune(letters)}
	topics := d.names(1 + d.IntN(maxTopics))
	g := Group{Partitions: d.partitions(topics)}
	count := 1 + d.IntN(maxMembers)
	ids, instances := d.names(count), d.names(count)
	for i, id := range ids {
		s := d.subscription(topics)
		m := assign.Member{ID: id, Topics: s.Topics}
		if d.IntN(3) == 0 {
			m.InstanceID = &instances[i]
		}
		g.Members = append(g.Members, Member{m, s})
	}
	return g
}

type drawer struct {
	*rand.Rand
	letters []rune
}

// partitions leaves some topics without metadata, some without partitions, and
// many with fewer than there are members.
func (d drawer) partitions(topics []string) map[string]int {
	counts := make(map[string]int)
	for _, topic := range topics {
		if d.IntN(8) > 0 {
			counts[topic] = d.IntN(1 + d.IntN(maxPartitions))
		}
	}
	return counts
}

func (d drawer) subscription(topics []string) assign.Subscription {
	s := assign.Subscription{
		Version:      int16(d.IntN(assign.MaxVersion + 1)),
		Topics:       d.some(topics),
		UserData:     d.userData(),
		GenerationID: assign.NoGeneration,
	}
	if s.Version >= 1 {
		s.OwnedPartitions = d.owned(topics)
	}
	if s.Version >= 2 && d.IntN(4) > 0 {
		s.GenerationID = d.Int32() // not negative: Kafka keeps no such thing apart from none
	}
	if s.Version >= 3 && d.IntN(4) > 0 {
		rack := d.name()
		s.RackID = &rack
	}
	return s
}

func (d drawer) userData() []byte {
	if d.IntN(3) == 0 {
		return nil
	}
	data := make([]byte, d.IntN(maxUserData+1))
	for i := range data {
		data[i] = byte(d.IntN(256))
	}
	return data
}

// owned draws ascending partitions of some topics.
func (d drawer) owned(topics []string) []assign.TopicPartitions {
	var owned []assign.TopicPartitions
	for _, topic := range d.some(topics) {
		partitions := make([]int32, 1+d.IntN(4))
		for i := range partitions {
			partitions[i] = d.Int32()
		}
		slices.Sort(partitions)
		owned = append(owned, assign.TopicPartitions{Topic: topic, Partitions: slices.Compact(partitions)})
	}
	return owned
}

// some draws any number of them, also all or none, in any order.
func (d drawer) some(topics []string) []string {
	var some []string
	for _, i := range d.Perm(len(topics))[:d.IntN(len(topics)+1)] {
		some = append(some, topics[i])
	}
	return some
}

// names draws distinct names.
func (d drawer) names(count int) []string {
	var names []string
	for len(names) < count {
		if name := d.name(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (d drawer) name() string {
	name := make([]rune, 1+d.IntN(maxName))
	for i := range name {
		name[i] = d.letters[d.IntN(len(d.letters))]
	}
	return string(name)
}
