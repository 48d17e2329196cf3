package engine

// load fills an engine with what its journal kept (PS-15). A cursor has nobody to
// offer to until its subscription, or one of its group, subscribes.
func (e *Engine) load() error {
	kept, err := e.journal.Load()
	if err != nil {
		return err
	}
	for _, k := range kept {
		t := newTopic(e, k.Name, k.Options)
		t.log.StartAt(k.Earliest)
		for _, payload := range k.Payloads {
			t.log.Append(payload)
		}
		for _, c := range k.Cursors {
			t.restore(c)
		}
		e.add(t)
	}
	return nil
}

func (t *topic) restore(k KeptCursor) {
	c := &cursor{id: k.ID, topic: t, progress: k.Progress, letters: k.Letters}
	if last := len(k.Letters) - 1; last >= 0 {
		c.lastID = k.Letters[last].ID
	}
	t.cursors[k.ID] = c
}

// nowhere is the journal of an engine that keeps nothing.
type nowhere struct{}

func (nowhere) Load() ([]KeptTopic, error)                               { return nil, nil }
func (nowhere) CreateTopic(string, TopicOptions) error                   { return nil }
func (nowhere) Append(string, int64, string, int64) error                { return nil }
func (nowhere) Save(string, CursorID, Progress, []Letter, []int64) error { return nil }
func (nowhere) Forget(string, CursorID) error                            { return nil }
func (nowhere) Close() error                                             { return nil }
