package report

import (
	"encoding/json"
	"io"

	"github.com/eventbroker/eventbroker/conformance/runner"
)

type jsonRun struct {
	Exit     int           `json:"exit"`
	Summary  string        `json:"summary"`
	Seed     *uint64       `json:"seed,omitempty"`
	Surfaces []jsonSurface `json:"surfaces"`
	Stale    []string      `json:"stale"`
}

type jsonSurface struct {
	Name           string     `json:"name"`
	Implementation string     `json:"implementation"`
	Runtime        string     `json:"runtime"`
	Broken         string     `json:"broken,omitempty"`
	Stderr         string     `json:"stderr,omitempty"`
	Cases          []jsonCase `json:"cases"`
}

type jsonCase struct {
	ID       string         `json:"id"`
	System   string         `json:"system"`
	Spec     []string       `json:"spec"`
	Verdict  runner.Verdict `json:"verdict"`
	Known    string         `json:"known,omitempty"` // the reason in the known-failing list
	Detail   string         `json:"detail,omitempty"`
	Step     *int           `json:"step,omitempty"` // from 1; 0 is the constructor
	Expected string         `json:"expected,omitempty"`
	Actual   string         `json:"actual,omitempty"`
	Message  string         `json:"message,omitempty"`
	Stderr   string         `json:"stderr,omitempty"`
	Micros   int64          `json:"microseconds"`
}

// JSON writes the whole run, every case with its verdict.
func JSON(w io.Writer, run Run) error {
	out := jsonRun{Exit: run.Exit, Summary: Sum(run), Seed: run.Seed, Surfaces: []jsonSurface{}, Stale: []string{}}
	for _, r := range run.Reports {
		out.Surfaces = append(out.Surfaces, surfaceOf(r))
	}
	for _, s := range run.Stale {
		out.Stale = append(out.Stale, s.String())
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}

func surfaceOf(r runner.Report) jsonSurface {
	s := jsonSurface{Name: r.Surface, Implementation: r.Hello.Implementation, Runtime: r.Hello.Runtime, Stderr: r.Stderr, Cases: []jsonCase{}}
	if r.Broken != nil {
		s.Broken = r.Broken.Error()
	}
	for _, o := range r.Outcomes {
		s.Cases = append(s.Cases, caseOf(o))
	}
	return s
}

func caseOf(o runner.Outcome) jsonCase {
	c := jsonCase{
		ID: o.Case.ID, System: o.Case.System, Spec: o.Case.Spec, Verdict: o.Verdict,
		Detail: o.Detail, Stderr: o.Stderr, Micros: o.Took.Microseconds(),
	}
	if o.Known != nil {
		c.Known = o.Known.Reason
	}
	if d := o.Divergence; d != nil {
		step := d.Step + 1
		c.Step, c.Message = &step, d.Got.Message
		c.Expected, c.Actual = describe(*d, d.Want), describe(*d, d.Got)
	}
	return c
}
