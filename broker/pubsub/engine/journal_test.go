package engine

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
)

var errDisk = errors.New("the disk does not want to")

// A recorder is a journal in memory, which fails when it is told to.
type recorder struct {
	mu     sync.Mutex
	topics []*KeptTopic
	closed int

	failIn   int       // which call from now fails; 0 for none
	attempts []attempt // since failOn
}

// An attempt is a call that concerned a cursor, and whether it was kept.
type attempt struct {
	topic  string
	cursor CursorID
	forget bool
	kept   bool
}

func byID(a, b KeptCursor) int {
	return cmp.Or(cmp.Compare(a.ID.Name, b.ID.Name), cmp.Compare(fmt.Sprint(a.ID.Group), fmt.Sprint(b.ID.Group)))
}

// Load returns copies, so that nothing is shared with the engine.
func (r *recorder) Load() ([]KeptTopic, error) {
	err := r.begin()
	defer r.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return r.kept(), nil
}

func (r *recorder) kept() []KeptTopic {
	var topics []KeptTopic
	for _, t := range r.topics {
		k := *t
		k.Payloads = slices.Clone(t.Payloads)
		k.Cursors = slices.Clone(t.Cursors)
		for i := range k.Cursors {
			k.Cursors[i].Letters = slices.Clone(k.Cursors[i].Letters)
		}
		slices.SortFunc(k.Cursors, byID)
		topics = append(topics, k)
	}
	return topics
}

// begin locks, and says whether the call fails.
func (r *recorder) begin() error {
	r.mu.Lock()
	if r.closed > 0 {
		panic("the journal is called after it was closed")
	}
	if r.failIn == 0 {
		return nil
	}
	if r.failIn--; r.failIn > 0 {
		return nil
	}
	return errDisk
}

// failOn lets one call from now on fail, the first being 1; none where it is 0.
func (r *recorder) failOn(call int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failIn, r.attempts = call, nil
}

func (r *recorder) CreateTopic(topic string, options TopicOptions) error {
	err := r.begin()
	defer r.mu.Unlock()
	if err != nil {
		return err
	}
	r.topics = append(r.topics, &KeptTopic{Name: topic, Options: options})
	return nil
}

func (r *recorder) Append(topic string, offset int64, payload string, earliest int64) error {
	err := r.begin()
	defer r.mu.Unlock()
	if err != nil {
		return err
	}
	t := r.find(topic)
	if offset != t.Earliest+int64(len(t.Payloads)) || earliest < t.Earliest {
		panic(fmt.Sprintf("offset %d, earliest %d, after %d messages from %d", offset, earliest, len(t.Payloads), t.Earliest))
	}
	t.Payloads = slices.Clone(append(t.Payloads, payload)[earliest-t.Earliest:])
	t.Earliest = earliest
	return nil
}

func (r *recorder) Save(topic string, id CursorID, progress Progress, put []Letter, drop []int64) error {
	err := r.begin()
	defer r.mu.Unlock()
	r.attempts = append(r.attempts, attempt{topic, id, false, err == nil})
	if err != nil {
		return err
	}
	c := r.find(topic).find(id)
	c.Progress = progress
	for _, gone := range drop {
		i := c.letter(gone)
		c.Letters = slices.Delete(c.Letters, i, i+1)
	}
	for _, l := range put {
		if i := c.letter(l.ID); i >= 0 {
			c.Letters[i] = l
		} else {
			c.Letters = append(c.Letters, l)
		}
	}
	return nil
}

func (r *recorder) Forget(topic string, id CursorID) error {
	err := r.begin()
	defer r.mu.Unlock()
	r.attempts = append(r.attempts, attempt{topic, id, true, err == nil})
	if err != nil {
		return err
	}
	t := r.find(topic)
	t.Cursors = slices.DeleteFunc(t.Cursors, func(c KeptCursor) bool { return c.ID == id })
	return nil
}

func (r *recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed++
	return nil
}

func (r *recorder) find(topic string) *KeptTopic {
	return r.topics[slices.IndexFunc(r.topics, func(t *KeptTopic) bool { return t.Name == topic })]
}

// find is the cursor, which is new where there is none.
func (t *KeptTopic) find(id CursorID) *KeptCursor {
	i := slices.IndexFunc(t.Cursors, func(c KeptCursor) bool { return c.ID == id })
	if i < 0 {
		i = len(t.Cursors)
		t.Cursors = append(t.Cursors, KeptCursor{ID: id})
	}
	return &t.Cursors[i]
}

func (c *KeptCursor) letter(id int64) int {
	return slices.IndexFunc(c.Letters, func(l Letter) bool { return l.ID == id })
}
