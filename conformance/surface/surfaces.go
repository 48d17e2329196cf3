package surface

import "slices"

// A Surface is one of the project's own implementations. What its adapter must
// say in its hello stands here, not in the adapter: a surface that forgets a
// feature would otherwise have its cases passed over in silence.
type Surface struct {
	Name     string
	Command  []string // from the root of the checkout
	Systems  []string
	Features []string
	Errors   map[string]string // kind of error => the native type's full name
	Serial   bool              // it makes its calls one after the other, also from threads
}

// Surfaces in the order in which reports show them. Each is there twice: its
// adapter takes --handles.
var Surfaces = []Surface{
	inGo, inC, inPython, inAccelerated, inCpp,
	byHandles(inGo), byHandles(inC), byHandles(inPython), byHandles(inAccelerated), byHandles(inCpp),
}

var (
	inGo = Surface{
		Name:     "go",
		Command:  []string{"build/bin/adapter-go"},
		Systems:  []string{"event", "message", "pubsub", "assign"},
		Features: []string{RawBytes, Batch, Redeliver, Status},
		Errors:   map[string]string{InvalidArgument: "broker.ErrInvalidArgument", TimedOut: "broker.ErrTimedOut"},
	}
	inC = Surface{
		Name:     "c",
		Command:  []string{"build/bin/adapter-c"},
		Systems:  []string{"event", "message", "pubsub", "assign"},
		Features: []string{NullStrings, RawBytes, Batch, Redeliver, Status},
		Errors:   map[string]string{InvalidArgument: "EB_INVALID_ARGUMENT", TimedOut: "EB_TIMED_OUT"},
	}
	inPython = Surface{
		Name:     "python",
		Command:  []string{"python3", "conformance/adapters/python"},
		Systems:  []string{"event", "message", "pubsub", "assign"},
		Features: []string{NullStrings, WideIntegers, Batch, Redeliver, Status},
		Errors:   map[string]string{InvalidArgument: "ValueError", TimedOut: "eventbroker.TimedOutError"},
	}
	inAccelerated = inPython.with("python-c", true, "env", "EVENTBROKER_PURE=0")
	inCpp         = Surface{
		Name:     "cpp",
		Command:  []string{"build/bin/adapter-cpp"},
		Systems:  []string{"event", "message", "pubsub", "assign"},
		Features: []string{NullStrings, RawBytes, Batch, Redeliver, Status},
		Errors:   map[string]string{InvalidArgument: "std::invalid_argument", TimedOut: "eventbroker::timed_out_error"},
	}
)

// with is the surface by another name, whose command begins with other words.
func (s Surface) with(name string, serial bool, words ...string) Surface {
	s.Name, s.Serial, s.Command = name, serial, slices.Concat(words, s.Command)
	return s
}

// byHandles is a surface of the event broker alone, on which each call of a topic
// goes by way of a handle that was found once (EB-18).
func byHandles(s Surface) Surface {
	s.Name += "-handles"
	s.Command = append(slices.Clone(s.Command), "--handles")
	s.Systems = []string{"event"}
	s.Features = slices.DeleteFunc(slices.Clone(s.Features), func(f string) bool { return f == Redeliver || f == Status })
	return s
}

// Find returns the surface of that name.
func Find(name string) (Surface, bool) {
	for _, s := range Surfaces {
		if s.Name == name {
			return s, true
		}
	}
	return Surface{}, false
}
