// Package corpus reads the cases: YAML in, checked cases out. It is the only
// place where YAML is read.
package corpus

// A Case is one behaviour: a broker of its own, and the calls made on it.
type Case struct {
	ID     string
	System string
	Spec   []string // clauses of the contract, EB-07 say
	Why    string
	Needs  []string // features of a surface without which the case does not apply

	New       []any          // positional arguments of the constructor
	Options   map[string]any // the map behind them; nil when there is none
	NewRaises string         // the kind of error the constructor must fail with; "" when it must not

	Steps []Step // a sequential case

	Before  []Step   // a concurrent case: sequential preparation,
	Threads [][]Call // then one list of calls a thread, run at once
	Rounds  int
	Check   string // "linearizable"

	File string // as given to the loader, with the line where the case begins
	Line int
}

// A Step is one call and what must come of it: a value, or an error of a kind.
type Step struct {
	Call    Call
	Raises  string // the kind of error; "" when the call must return
	Returns any    // meaningful only when Raises is ""
	Line    int
}

// A Call is an operation of the system with its arguments by position, and a map
// of options behind them where the case has some. They are values of package
// wire.
type Call struct {
	Op   string
	Args []any
}
