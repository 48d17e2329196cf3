package engine

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/eventbroker/eventbroker/broker"
)

// Random calls on an engine must do what the oracle does, the invariants must
// hold after every step, and what the journal kept must be what is in memory:
// also where the journal fails (PS-15).

func TestWalksAgreeWithTheModel(t *testing.T) {
	checkModel(t, func(*rapid.T) Options { return Options{} })
}

func TestLanesAgreeWithTheModel(t *testing.T) {
	checkModel(t, func(*rapid.T) Options { return Options{Dispatcher: Lanes} })
}

func TestPoolAgreesWithTheModel(t *testing.T) {
	checkModel(t, func(t *rapid.T) Options {
		return Options{
			Dispatcher: Pool, Workers: rapid.IntRange(1, 3).Draw(t, "workers"),
			HandlerTimeout: rapid.SampledFrom([]time.Duration{0, 250 * time.Millisecond}).Draw(t, "time-out"),
		}
	})
}

// checkModel runs in a bubble, whose clock stands still but where the machine
// lets time pass.
func checkModel(t *testing.T, draw func(*rapid.T) Options) {
	synctest.Test(t, func(t *testing.T) {
		for range 3 {
			rapid.Check(struct{ rapid.TB }{t}, func(t *rapid.T) {
				options := draw(t)
				options.MaxAttempts = rapid.IntRange(1, 3).Draw(t, "max attempts")
				m := newMachine(t, options)
				m.furnish(t)
				t.Repeat(m.actions())
				m.finish(t)
			})
		}
	})
}

// A machine is an engine and its oracle, side by side.
type machine struct {
	e       *Engine
	n       *naive
	journal *recorder
	calls   []*naiveCall
	walks   []*naiveWalk
	threads int // of the pool's host
	start   time.Time
}

func newMachine(t *rapid.T, options Options) *machine {
	m := &machine{journal: &recorder{}, start: time.Now()}
	options.Journal = m.journal
	m.n = &naive{options: options}
	m.open(t)
	return m
}

func (m *machine) open(t *rapid.T) {
	e, err := New(m.n.options)
	must(t, err)
	m.e = e
	if pool := e.Pool(); pool != nil {
		m.threads = pool.Threads()
	}
}

// furnish makes what most steps are about.
func (m *machine) furnish(t *rapid.T) {
	m.add(t, "t", rapid.IntRange(0, 3).Draw(t, "retain"))
	for range 3 {
		m.subscribe(t)
	}
	m.publish(t)
}

func (m *machine) actions() map[string]func(*rapid.T) {
	actions := map[string]func(*rapid.T){
		"create": m.create, "subscribe": m.subscribe, "unsubscribe": m.unsubscribe,
		"restart": m.restart, "": m.compare,
	}
	often := map[string]func(*rapid.T){
		"publish": m.publish, "settle": m.settle, "seek": m.seek, "redeliver": m.redeliver,
	}
	if m.e.hasWorkers() {
		actions["wait"], often["drain"], often["work"], often["serve"] = m.wait, m.rouse, m.work, m.serve
	} else {
		actions["drain"], actions["end"], often["next"], often["walk"] = m.drain, m.end, m.next, m.walk
	}
	for name, action := range often {
		for i := range 3 {
			actions[fmt.Sprint(name, i)] = action
		}
	}
	return actions
}

var (
	topics   = rapid.SampledFrom([]string{"t", "u"})
	names    = rapid.SampledFrom([]string{"a", "b", "c"})
	policies = rapid.SampledFrom([]Policy{Drop, Drop, Drop, Disconnect, Block})
	outcomes = rapid.SampledFrom([]Outcome{Confirmed, Failed, Failed, Filtered})
	groupG   = "g"
)

// tempt lets the journal fail, sometimes.
func (m *machine) tempt(t *rapid.T) {
	m.journal.failOn(rapid.SampledFrom([]int{0, 0, 0, 0, 0, 0, 0, 1, 2}).Draw(t, "call that the journal refuses"))
}

// refused reports whether the journal was asked for this cursor and failed.
func (m *machine) refused(c *naiveCursor) bool {
	return slices.ContainsFunc(m.journal.attempts, func(a attempt) bool {
		return a.topic == c.topic.name && a.cursor == c.id && !a.kept
	})
}

// failed reports whether the call failed because the journal did.
func failed(t *rapid.T, err error) bool {
	if !errors.Is(err, errDisk) {
		must(t, err)
	}
	return err != nil
}

func (m *machine) create(t *rapid.T) {
	m.tempt(t)
	m.add(t, topics.Draw(t, "topic"), rapid.IntRange(0, 3).Draw(t, "retain"))
}

func (m *machine) add(t *rapid.T, name string, retain int) {
	made, err := m.e.CreateTopic(name, TopicOptions{Retain: retain})
	if failed(t, err) {
		return
	}
	same(t, m.n.find(name) == nil, made)
	if made {
		m.n.topics = append(m.n.topics, &naiveTopic{
			name: name, retain: retain, cursors: map[CursorID]*naiveCursor{}, reasons: map[string]bool{},
		})
	}
}

// place draws a topic that there is, and a name.
func (m *machine) place(t *rapid.T) (*naiveTopic, string) {
	return rapid.SampledFrom(m.n.topics).Draw(t, "topic"), names.Draw(t, "name")
}

func (m *machine) subscribe(t *rapid.T) {
	m.tempt(t)
	topic, name := m.place(t)
	o := SubscribeOptions{Policy: policies.Draw(t, "policy")}
	if rapid.IntRange(0, 2).Draw(t, "in a group") > 0 {
		o.Group = &groupG
	}
	lane, err := m.e.Subscribe(topic.name, name, name, o)
	argument := topic.refuses(name, o.Group, o.Policy)
	if o.Policy == Block && !m.e.hasWorkers() {
		argument = "policy"
	}
	if same(t, argument, argumentOf(err)); argument != "" || failed(t, err) {
		return
	}
	same(t, m.n.options.Dispatcher == Lanes, lane != nil)
	topic.subscribe(name, o.Group, o.Policy).lane = lane
}

func (m *machine) unsubscribe(t *rapid.T) {
	m.tempt(t)
	topic, name := m.place(t)
	ended, err := m.e.Unsubscribe(topic.name, name)
	if failed(t, err) {
		return
	}
	c := topic.cursor(name)
	same(t, c != nil, ended)
	delete(topic.reasons, name)
	switch s := topic.sub(name); {
	case c == nil:
	case s != nil && c.id.Group:
		topic.remove(s)
	default:
		topic.forget(c)
	}
}

func (m *machine) publish(t *rapid.T) {
	m.tempt(t)
	topic, _ := m.place(t)
	payload := fmt.Sprint(topic.end())
	offset, err := m.e.TryPublish(topic.name, payload)
	if same(t, topic.blocked(), errors.Is(err, broker.ErrTimedOut)); topic.blocked() || failed(t, err) {
		return
	}
	same(t, topic.end(), offset)
	topic.log = append(topic.log, payload)
}

func (m *machine) seek(t *rapid.T) {
	m.tempt(t)
	topic, name := m.place(t)
	offset := topic.end() - int64(rapid.SampledFrom([]int{-1, 0, 1, 1, 2, 2, 3, 4}).Draw(t, "back"))
	found, err := m.e.Seek(topic.name, name, offset)
	c := topic.cursor(name)
	if offset < 0 || c != nil && (offset < topic.earliest() || offset > topic.end()) {
		same(t, "offset", argumentOf(err))
		return
	}
	if failed(t, err) {
		return
	}
	same(t, c != nil, found)
	if c != nil {
		c.progress.Next, c.progress.Attempts, c.rests = offset, 0, 0
		c.seeks++
	}
}

func (m *machine) redeliver(t *rapid.T) {
	m.tempt(t)
	topic, name := m.place(t)
	count, err := m.e.Redeliver(topic.name, name)
	if failed(t, err) {
		return
	}
	c := topic.cursor(name)
	if c == nil || len(c.dead) == 0 {
		same(t, 0, count)
		return
	}
	same(t, len(c.dead), count)
	for _, l := range c.dead {
		l.Attempts = 0
		c.again = append(c.again, &l)
	}
	c.dead, c.rests = nil, 0
}

// settle ends any of the calls under way.
func (m *machine) settle(t *rapid.T) {
	if len(m.calls) == 0 {
		t.Skip("no call is under way")
	}
	m.tempt(t)
	m.settles(t, m.calls[rapid.IntRange(0, len(m.calls)-1).Draw(t, "call")])
}

func (m *machine) settles(t *rapid.T, call *naiveCall) {
	m.calls = slices.DeleteFunc(m.calls, func(other *naiveCall) bool { return other == call })
	outcome := outcomes.Draw(t, "outcome")
	stays, err := call.Settle(outcome, "it was not to be")
	kept := !failed(t, err)
	if call.late {
		same(t, true, kept, "what comes late is ignored")
	} else {
		m.n.settle(call, outcome, "it was not to be", kept)
	}
	m.n.release(call)
	if !stays {
		same(t, true, call.late, "only a thread that was lost may be one too many")
		m.threads--
	}
	stays, err = call.Settle(Confirmed, "")
	must(t, err)
	same(t, true, stays, "settling twice does nothing")
}

func (m *machine) drain(t *rapid.T) {
	if len(m.walks) == 3 {
		t.Skip("enough walks")
	}
	w, err := m.e.Drain()
	must(t, err)
	m.walks = append(m.walks, &naiveWalk{Walk: w, topics: slices.Clone(m.n.topics)})
}

// next goes on with any of the walks.
func (m *machine) next(t *rapid.T) {
	if len(m.walks) == 0 {
		t.Skip("no walk")
	}
	m.tempt(t)
	m.goOn(t, rapid.SampledFrom(m.walks).Draw(t, "walk"))
}

func (m *machine) goOn(t *rapid.T, w *naiveWalk) {
	room := rapid.SampledFrom([]int{1, 1000, 1000, 1000}).Draw(t, "room")
	d, err := w.Next(room)
	if w.last != nil && slices.Contains(m.calls, w.last) {
		same(t, "walk", argumentOf(err))
		return
	}
	call, need, lost := w.next(room, m.refused)
	if need > 0 {
		same(t, error(RoomError(need)), err)
		return
	}
	same(t, lost, failed(t, err))
	m.begins(t, call, d)
	if d == nil && !lost {
		m.walks = slices.DeleteFunc(m.walks, func(other *naiveWalk) bool { return other == w })
	}
}

// walk is a whole walk, but for what its handlers do.
func (m *machine) walk(t *rapid.T) {
	m.drain(t)
	m.journal.failOn(0)
	for w := m.walks[len(m.walks)-1]; slices.Contains(m.walks, w); {
		m.goOn(t, w)
		if w.last != nil && slices.Contains(m.calls, w.last) {
			m.settles(t, w.last)
		}
	}
}

// serve is what a thread of the host does, with a handler that does nothing.
func (m *machine) serve(t *rapid.T) {
	before := len(m.calls)
	m.work(t)
	if len(m.calls) > before {
		m.settles(t, m.calls[before])
	}
}

// begins compares a delivery with what it should be.
func (m *machine) begins(t *rapid.T, call *naiveCall, d *Delivery) {
	if call == nil {
		same(t, true, d == nil, "nothing waits")
		return
	}
	same(t, call.Delivery, d, call.of.String(), cmpopts.IgnoreFields(Delivery{}, "Spare"), cmpopts.IgnoreUnexported(Delivery{}))
	call.Delivery = d
	m.calls = append(m.calls, call)
}

func (m *machine) end(t *rapid.T) {
	if len(m.walks) == 0 {
		t.Skip("no walk")
	}
	i := rapid.IntRange(0, len(m.walks)-1).Draw(t, "walk")
	w := m.walks[i]
	m.walks = slices.Delete(m.walks, i, i+1)
	w.end()
	w.End()
	w.End()
	d, err := w.Next(1000)
	if w.last == nil || !slices.Contains(m.calls, w.last) {
		must(t, err)
	}
	same(t, true, d == nil, "the walk is over")
}

// work asks for a delivery as a thread of the host does. Whom it is for depends
// on how long each has waited, but if somebody waits it must come.
func (m *machine) work(t *rapid.T) {
	m.tempt(t)
	worker := m.e.Pool()
	mayServe := func(*naiveCursor) bool { return m.running() < m.n.options.Workers }
	ended := func() bool { return false }
	if worker == nil {
		topic, name := m.place(t)
		s := topic.sub(name)
		if s == nil {
			t.Skip("no such lane")
		}
		worker = s.lane
		mayServe = func(c *naiveCursor) bool { return c.turn == s }
		ended = func() bool { return topic.sub(name) != s }
	}
	room := rapid.SampledFrom([]int{1, 1000, 1000, 1000}).Draw(t, "room")
	d, err := worker.Next(0, room)
	m.learn(t)
	if same(t, ended(), errors.Is(err, broker.ErrClosed)); err != nil && ended() {
		return // this very call found that its subscription fell behind
	}
	var waiting []*naiveCursor
	for _, topic := range m.n.topics {
		for _, c := range topic.servable() {
			if m.n.free(c) && mayServe(c) {
				waiting = append(waiting, c)
			}
		}
	}
	if room == 1 && len(waiting) > 0 {
		same(t, true, isRoomError(err))
		return
	}
	must(t, err)
	if d == nil {
		same(t, 0, len(waiting), "nobody is forgotten")
		return
	}
	m.takes(t, d, waiting)
}

// learn does to the oracle what the journal heard of cursors that fell behind.
func (m *machine) learn(t *rapid.T) {
	for _, a := range m.journal.attempts {
		c := m.n.find(a.topic).cursors[a.cursor]
		same(t, true, m.n.free(c) && c.lags() && a.forget == (c.policy == Disconnect), a.topic, a.cursor)
		if a.kept {
			c.catchUp()
		} else {
			m.n.rest(c)
		}
	}
}

func (m *machine) takes(t *rapid.T, d *Delivery, waiting []*naiveCursor) {
	i := slices.IndexFunc(waiting, func(c *naiveCursor) bool { return c.topic.name == d.Topic && c.turn.name == d.Tag })
	if i < 0 {
		t.Fatalf("%+v is offered, while %v wait", d, waiting)
	}
	call := waiting[i].expected()
	m.begins(t, &call, d)
	waiting[i].serving = true
	if d.Spare {
		m.threads++
	}
	if limit := m.n.options.HandlerTimeout; limit > 0 {
		call.limit = m.n.now + limit
		m.checkThreads(t)
	}
}

// checkThreads: with a time-out, some thread always waits (PS-11).
func (m *machine) checkThreads(t *rapid.T) {
	idle := m.threads - len(m.calls)
	most := m.e.Pool().Threads() - m.running()
	if idle < 1 || idle > most {
		t.Fatalf("%d threads wait beside %d calls; at least 1 and at most %d should", idle, len(m.calls), most)
	}
}

// running is how many calls of the pool have not timed out.
func (m *machine) running() (n int) {
	for _, call := range m.calls {
		if !call.late {
			n++
		}
	}
	return n
}

// wait lets time pass, so that rests end and calls time out.
func (m *machine) wait(t *rapid.T) {
	m.tempt(t)
	time.Sleep(rapid.SampledFrom([]time.Duration{50, 100, 250, 10_000}).Draw(t, "ms") * time.Millisecond)
	synctest.Wait()
	m.n.now = time.Since(m.start)
	for _, call := range m.calls {
		if call.limit > 0 && call.limit <= m.n.now && !call.late {
			call.late = true
			m.n.settle(call, Failed, "the handler took longer than 250ms", !m.refused(call.of))
		}
	}
}

// rouse is what a drain does to workers.
func (m *machine) rouse(t *rapid.T) {
	w, err := m.e.Drain()
	must(t, err)
	same(t, true, w == nil)
	for _, topic := range m.n.topics {
		for _, s := range topic.subs {
			s.cursor.rests = 0
		}
	}
}

// restart opens an engine on what the journal kept.
func (m *machine) restart(t *rapid.T) {
	if len(m.calls) > 0 {
		t.Skip("calls are under way")
	}
	m.journal.failOn(0)
	m.e.Close()
	<-m.e.Done()
	same(t, 1, m.journal.closed)
	m.journal.closed = 0
	m.open(t)
	m.walks = nil
	defer m.subscribe(t)
	for _, topic := range m.n.topics {
		topic.subs, topic.reasons = nil, map[string]bool{}
		for _, c := range topic.cursors {
			c.members, c.turn, c.seeks, c.serving, c.backoff, c.rests = nil, nil, 0, false, 0, 0
		}
	}
}

// compare looks at everything there is to see.
func (m *machine) compare(t *rapid.T) {
	var underWay []*Delivery
	for _, call := range m.calls {
		underWay = append(underWay, call.Delivery)
	}
	var walks []*Walk
	for _, w := range m.walks {
		walks = append(walks, w.Walk)
	}
	must(t, m.e.checkStill(underWay, walks))
	same(t, m.journal.kept(), m.e.kept(), cmpopts.EquateEmpty())
	for _, topic := range m.n.topics {
		for _, name := range []string{"a", "b", "c"} {
			m.compareName(t, topic, name)
		}
	}
}

func (m *machine) compareName(t *rapid.T, topic *naiveTopic, name string) {
	status, err := m.e.Status(topic.name, name)
	must(t, err)
	offset, err := m.e.Offset(topic.name, name)
	must(t, err)
	letters, err := m.e.DeadLetters(topic.name, name)
	must(t, err)
	same(t, topic.reasons[name], status.Reason != "", name)
	status.Reason = ""
	want := Status{Offset: Absent}
	var dead []Letter
	if c := topic.cursor(name); c != nil {
		p := c.progress
		want = Status{Subscribed: topic.sub(name) != nil, Offset: p.Next, Attempts: p.Attempts, Lost: p.Lost}
		dead = c.dead
	}
	same(t, want, status, name)
	same(t, want.Offset, offset, name)
	same(t, dead, letters, name, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Letter{}, "ID"))
}

// finish closes the engine, and settles what is under way.
func (m *machine) finish(t *rapid.T) {
	m.journal.failOn(0)
	m.e.Close()
	for _, call := range m.calls {
		same(t, !call.late && m.journal.closed > 0, false, "a call is under way")
		_, err := call.Settle(Confirmed, "")
		must(t, err)
	}
	<-m.e.Done()
	same(t, 1, m.journal.closed)
}

func argumentOf(err error) string {
	var invalid *broker.ArgumentError
	if errors.As(err, &invalid) {
		return invalid.Argument
	}
	return ""
}

func must(t *rapid.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// same takes options of cmp and, besides, what the message should say.
func same(t *rapid.T, want, got any, others ...any) {
	t.Helper()
	var options []cmp.Option
	var about []any
	for _, other := range others {
		if o, is := other.(cmp.Option); is {
			options = append(options, o)
		} else {
			about = append(about, other)
		}
	}
	if reflect.DeepEqual(want, got) { // which is much faster, and nearly always the end of it
		return
	}
	if diff := cmp.Diff(want, got, options...); diff != "" {
		t.Fatalf("%v the model says (-), the engine says (+):\n%s", about, diff)
	}
}
