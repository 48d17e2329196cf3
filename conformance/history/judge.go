package history

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/eventbroker/eventbroker/conformance/model"
	"github.com/eventbroker/eventbroker/conformance/surface"
	"github.com/eventbroker/eventbroker/conformance/wire"
)

// A Verdict is what is known of a history.
type Verdict string

// Verdicts.
const (
	Linearizable Verdict = "linearizable"
	Illegal      Verdict = "illegal"
	Unknown      Verdict = "unknown" // the search took too long
)

// A Judgement is a verdict and, of an illegal history, why.
type Judgement struct {
	Verdict Verdict
	Anomaly Anomaly
	Topic   string
	Prefix  []Op // the shortest illegal part from the beginning, by return; of one topic
	Pending []Op // calls that were under way at its end, whatever came of them
}

// Judge judges a history, topic by topic. The limit is for each search, of
// which an illegal history takes several.
func Judge(h History, limit time.Duration) (Judgement, error) {
	if _, err := h.begin(); err != nil {
		return Judgement{}, err
	}
	verdict := Linearizable
	for _, topic := range h.byTopic() {
		anomaly := topic.scan()
		switch result := topic.check(topic.Ops, nil, limit); {
		case result == porcupine.Illegal || anomaly.Name != "":
			return topic.blame(anomaly, result, limit), nil
		case result == porcupine.Unknown:
			verdict = Unknown
		}
	}
	return Judgement{Verdict: verdict}, nil
}

// byTopic splits the history, each part in the order of returns.
func (h History) byTopic() []History {
	var parts []History
	index := map[string]int{}
	for _, op := range h.Ops {
		i, known := index[op.topic()]
		if !known {
			i = len(parts)
			index[op.topic()] = i
			parts = append(parts, History{System: h.System, New: h.New, Options: h.Options})
		}
		parts[i].Ops = append(parts[i].Ops, op)
	}
	for _, part := range parts {
		slices.SortStableFunc(part.Ops, func(a, b Op) int { return cmp.Compare(a.To, b.To) })
	}
	return parts
}

// blame says what is wrong with the history of a topic. What the scan has found
// is certain, also where the search took too long.
func (h History) blame(anomaly Anomaly, result porcupine.CheckResult, limit time.Duration) Judgement {
	if result == porcupine.Ok {
		panic("history: the scan sees an anomaly where there is an order of the calls: " + anomaly.String())
	}
	j := Judgement{Verdict: Illegal, Anomaly: anomaly, Topic: h.Ops[0].topic(), Prefix: h.Ops}
	if result == porcupine.Illegal {
		j.Prefix, j.Pending = h.shorten(limit)
	}
	if result == porcupine.Illegal && !h.shows(anomaly, j.Prefix, j.Pending) {
		j.Anomaly = h.explain(j.Prefix, j.Pending, limit).before(anomaly)
	}
	return j
}

// shows reports whether the calls that are shown are those of the anomaly.
func (h History) shows(anomaly Anomaly, prefix, pending []Op) bool {
	h.Ops = slices.Concat(prefix, pending)
	return anomaly.Name != "" && h.scan() == anomaly
}

// shorten finds the shortest illegal part of an illegal history. Every longer
// one is illegal too, so that halving finds it; one that takes too long counts
// as legal.
func (h History) shorten(limit time.Duration) (prefix, pending []Op) {
	n := sort.Search(len(h.Ops)-1, func(i int) bool {
		prefix, pending := h.cut(i + 1)
		return h.check(prefix, pending, limit) == porcupine.Illegal
	})
	return h.cut(n + 1)
}

// cut gives the first n calls to return, and those under way by then.
func (h History) cut(n int) (prefix, pending []Op) {
	prefix = h.Ops[:n]
	for _, op := range h.Ops[n:] {
		if op.From <= prefix[n-1].To {
			pending = append(pending, op)
		}
	}
	return prefix, pending
}

// input is a call as the search sees it; pending is one of which nobody knows
// the outcome. It may come last of all, which is as good as never.
type input struct {
	op      Op
	pending bool
	part    func(*model.Event) bool // what it does where it is taken apart; else nil
}

// check searches for an order. No time is none: Porcupine would take all there is.
func (h History) check(ops, pending []Op, limit time.Duration) porcupine.CheckResult {
	if limit <= 0 {
		return porcupine.Unknown
	}
	return porcupine.CheckOperationsTimeout(h.porcupine(answers), operations(ops, pending), limit)
}

func operations(ops, pending []Op) []porcupine.Operation {
	var list []porcupine.Operation
	for _, op := range ops {
		list = append(list, porcupine.Operation{ClientId: op.Thread, Input: input{op: op}, Call: op.From, Return: op.To})
	}
	for _, op := range pending {
		list = append(list, porcupine.Operation{ClientId: op.Thread, Input: input{op: op, pending: true}, Call: op.From, Return: math.MaxInt64})
	}
	return list
}

// porcupine is the model as the search takes it. The states are not to be
// changed: a step works on a copy.
func (h History) porcupine(accepts func(op Op, value any, err error) bool) porcupine.Model {
	return porcupine.Model{
		Init: func() any {
			m, err := h.begin()
			if err != nil {
				panic(err) // Judge has tried it
			}
			return m
		},
		Step: func(state, in, _ any) (bool, any) {
			m := state.(model.Branching).Copy()
			call := in.(input)
			if call.part != nil {
				return call.part(m.(*model.Event)), m
			}
			value, err := m.Call(call.op.Call.Op, call.op.Call.Args)
			return call.pending || accepts(call.op, value, err), m
		},
		Equal:             func(a, b any) bool { return a.(model.Branching).Same(b.(model.Branching)) },
		DescribeOperation: func(in, _ any) string { return in.(input).describe() },
		DescribeState:     func(state any) string { return state.(fmt.Stringer).String() },
	}
}

func (i input) describe() string {
	if i.pending {
		i.op.Value, i.op.Error = nil, "?"
	}
	return i.op.String()
}

// answers says whether the model's answer is what came.
func answers(op Op, value any, err error) bool {
	if err != nil {
		return op.Error == kind(err)
	}
	return op.Error == "" && wire.Equal(value, op.Value)
}

// isKind reports whether the model refused the call, rather than that it is none.
func isKind(err error) bool {
	var invalid *model.InvalidArgument
	return errors.As(err, &invalid)
}

func kind(err error) string {
	if isKind(err) {
		return surface.InvalidArgument
	}
	panic("history: " + err.Error()) // no script and no saved history has such a call
}
