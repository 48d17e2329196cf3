package disk_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/eventbroker/eventbroker/broker/pubsub/engine"
)

// memory is a journal that keeps everything in maps: what one on a disk must
// give back.
type memory struct {
	names  []string // of topics, in the order of creation
	topics map[string]*memoryTopic
}

type memoryTopic struct {
	options  engine.TopicOptions
	end      int64
	payloads map[int64]string // offset => payload
	cursors  map[engine.CursorID]*memoryCursor
}

type memoryCursor struct {
	progress engine.Progress
	letters  map[int64]engine.Letter // ID => letter
}

var _ engine.Journal = (*memory)(nil)

func newMemory() *memory { return &memory{topics: map[string]*memoryTopic{}} }

func (m *memory) CreateTopic(topic string, options engine.TopicOptions) error {
	m.names = append(m.names, topic)
	m.topics[topic] = &memoryTopic{
		options: options, payloads: map[int64]string{}, cursors: map[engine.CursorID]*memoryCursor{},
	}
	return nil
}

func (m *memory) Append(topic string, offset int64, payload string, earliest int64) error {
	t := m.topics[topic]
	t.payloads[offset], t.end = payload, offset+1
	maps.DeleteFunc(t.payloads, func(offset int64, _ string) bool { return offset < earliest })
	return nil
}

func (m *memory) Save(topic string, cursor engine.CursorID, progress engine.Progress, put []engine.Letter,
	drop []int64) error {
	c := m.topics[topic].cursors[cursor]
	if c == nil {
		c = &memoryCursor{letters: map[int64]engine.Letter{}}
		m.topics[topic].cursors[cursor] = c
	}
	c.progress = progress
	for _, letter := range put {
		c.letters[letter.ID] = letter
	}
	for _, id := range drop {
		delete(c.letters, id)
	}
	return nil
}

func (m *memory) Forget(topic string, cursor engine.CursorID) error {
	delete(m.topics[topic].cursors, cursor)
	return nil
}

func (m *memory) Close() error { return nil }

func (m *memory) Load() ([]engine.KeptTopic, error) {
	var kept []engine.KeptTopic
	for _, name := range m.names {
		t := m.topics[name]
		topic := engine.KeptTopic{Name: name, Options: t.options, Earliest: t.end - int64(len(t.payloads))}
		for _, offset := range slices.Sorted(maps.Keys(t.payloads)) {
			topic.Payloads = append(topic.Payloads, t.payloads[offset])
		}
		for _, id := range slices.SortedFunc(maps.Keys(t.cursors), byKey) {
			cursor := engine.KeptCursor{ID: id, Progress: t.cursors[id].progress}
			for _, letter := range slices.Sorted(maps.Keys(t.cursors[id].letters)) {
				cursor.Letters = append(cursor.Letters, t.cursors[id].letters[letter])
			}
			topic.Cursors = append(topic.Cursors, cursor)
		}
		kept = append(kept, topic)
	}
	return kept, nil
}

// byKey orders cursors as their keys do.
func byKey(a, b engine.CursorID) int {
	return cmp.Or(cmp.Compare(fmt.Sprint(a.Group), fmt.Sprint(b.Group)), len(a.Name)-len(b.Name), strings.Compare(a.Name, b.Name))
}

// A call of a journal.
type call struct {
	does string
	make func(engine.Journal) error
}

// next draws a call that an engine could make now, given what it made before.
func (m *memory) next(draw func(below int) int) call {
	topic := fmt.Sprint("topic-", draw(3))
	t := m.topics[topic]
	if t == nil {
		options := engine.TopicOptions{Retain: draw(3) * 4}
		return call{"create " + topic, func(j engine.Journal) error { return j.CreateTopic(topic, options) }}
	}
	cursor := engine.CursorID{Name: strings.Repeat("c", 1+draw(3)), Group: draw(2) == 1}
	switch draw(8) {
	case 0:
		return call{"forget", func(j engine.Journal) error { return j.Forget(topic, cursor) }}
	case 1, 2, 3:
		put, drop := m.letters(draw), []int64{int64(draw(9))}
		progress := engine.Progress{Next: int64(draw(int(t.end) + 1)), Attempts: draw(3), Lost: int64(draw(3))}
		return call{"save", func(j engine.Journal) error { return j.Save(topic, cursor, progress, put, drop) }}
	default:
		offset, earliest := t.end, int64(0)
		if t.options.Retain > 0 {
			earliest = max(0, offset+1-int64(t.options.Retain))
		}
		payload := fmt.Sprint(offset) + strings.Repeat("-", draw(20)*draw(20)*draw(20))
		return call{"append to " + topic, func(j engine.Journal) error { return j.Append(topic, offset, payload, earliest) }}
	}
}

func (m *memory) letters(draw func(below int) int) []engine.Letter {
	letters := make([]engine.Letter, draw(3))
	for i := range letters {
		id := int64(10*i + draw(9))
		letters[i] = engine.Letter{
			ID: id, Offset: id, Attempts: 1 + draw(3), Again: draw(2) == 1,
			Payload: strings.Repeat("ü", draw(30)), Error: strings.Repeat("no ", draw(3)),
		}
	}
	return letters
}
