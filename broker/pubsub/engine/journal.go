package engine

// A Journal keeps what must outlive the process (PS-15). The engine calls it
// with the lock of the topic in question held, so that calls for one topic come
// one after the other, those for several at once. A call that returned nil is
// kept; one that failed has changed nothing.
type Journal interface {
	// Load returns everything kept, topics in the order they were created.
	// The engine calls it once, before anything else.
	Load() ([]KeptTopic, error)

	// CreateTopic keeps a new, empty topic.
	CreateTopic(topic string, options TopicOptions) error

	// Append keeps a message, the topic's next, and forgets those before the
	// offset earliest, which is at most its own.
	Append(topic string, offset int64, payload string, earliest int64) error

	// Save keeps where a cursor stands, which may be new, and the changes of
	// its letters, in one step: those of put are added or, where the topic's
	// cursor has one of that ID, replaced, those of drop are removed.
	Save(topic string, cursor CursorID, progress Progress, put []Letter, drop []int64) error

	// Forget removes a cursor and its letters.
	Forget(topic string, cursor CursorID) error

	// Close lets go of the path. It is called once, after everything else.
	Close() error
}

// A CursorID names a place in a topic's log: that of a subscription, or that of
// a group.
type CursorID struct {
	Name  string
	Group bool // whether it is the name of a group
}

// Progress is where a cursor stands.
type Progress struct {
	Next     int64 // offset of the message to offer next
	Attempts int   // failed tries of that message
	Lost     int64 // messages that were no longer kept when they would have been offered
}

// A Letter is a message that failed as often as it may (PS-07): a dead letter,
// or one that is to be offered again.
type Letter struct {
	ID       int64 // ascending in the order of parking, within a cursor
	Offset   int64
	Payload  string
	Attempts int    // failed tries
	Error    string // of the last try
	Again    bool   // whether it is to be offered again
}

// A KeptTopic is a topic as a journal returns it.
type KeptTopic struct {
	Name     string
	Options  TopicOptions
	Earliest int64    // offset of the first of Payloads, or of the next message where there is none
	Payloads []string // the messages kept
	Cursors  []KeptCursor
}

// A KeptCursor is a cursor as a journal returns it.
type KeptCursor struct {
	ID       CursorID
	Progress Progress
	Letters  []Letter // by ID, ascending; those to be offered again come first
}
