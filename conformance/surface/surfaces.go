package surface

// A Surface is one of the project's own implementations. What its adapter must
// say in its hello stands here, not in the adapter: a surface that forgets a
// feature would otherwise have its cases passed over in silence.
type Surface struct {
	Name     string
	Command  []string // from the root of the checkout
	Systems  []string
	Features []string
	Errors   map[string]string // kind of error => the native type's full name
}

// Surfaces in the order in which reports show them.
var Surfaces = []Surface{
	{
		Name:     "go",
		Command:  []string{"build/bin/adapter-go"},
		Systems:  []string{"event", "message", "pubsub", "assign"},
		Features: []string{RawBytes, Redeliver, Status},
		Errors:   map[string]string{InvalidArgument: "broker.ErrInvalidArgument", TimedOut: "broker.ErrTimedOut"},
	},
	{
		Name:     "c",
		Command:  []string{"build/bin/adapter-c"},
		Systems:  []string{"event", "message", "pubsub", "assign"},
		Features: []string{NullStrings, RawBytes, Redeliver, Status},
		Errors:   map[string]string{InvalidArgument: "EB_INVALID_ARGUMENT", TimedOut: "EB_TIMED_OUT"},
	},
	{
		Name:     "python",
		Command:  []string{"python3", "conformance/adapters/python"},
		Systems:  []string{"event", "message", "pubsub", "assign"},
		Features: []string{NullStrings, WideIntegers, Redeliver, Status},
		Errors:   map[string]string{InvalidArgument: "ValueError", TimedOut: "eventbroker.TimedOutError"},
	},
	{
		Name:     "cpp",
		Command:  []string{"build/bin/adapter-cpp"},
		Systems:  []string{"event", "message", "pubsub", "assign"},
		Features: []string{NullStrings, RawBytes, Redeliver, Status},
		Errors:   map[string]string{InvalidArgument: "std::invalid_argument", TimedOut: "eventbroker::timed_out_error"},
	},
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
