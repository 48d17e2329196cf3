package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/eventbroker/eventbroker/conformance/runner"
)

type junitSuites struct {
	XMLName xml.Name     `xml:"testsuites"`
	Suites  []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string      `xml:"classname,attr"`
	Name    string      `xml:"name,attr"`
	File    string      `xml:"file,attr,omitempty"`
	Seconds string      `xml:"time,attr"`
	Failure *junitFault `xml:"failure"`
	Error   *junitFault `xml:"error"`
	Skipped *junitFault `xml:"skipped"`
}

type junitFault struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes a suite a surface. A fail is a failure; a crash and a time-out
// are errors, as is a broken adapter, a case of its own; what was not judged
// and what is known is skipped, with the reason.
func JUnit(w io.Writer, run Run) error {
	var suites junitSuites
	for _, r := range run.Reports {
		suites.Suites = append(suites.Suites, suiteOf(run, r))
	}
	if len(run.Stale) > 0 {
		suites.Suites = append(suites.Suites, staleSuite(run.Stale))
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.Encode(suites); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func suiteOf(run Run, r runner.Report) junitSuite {
	s := junitSuite{Name: r.Surface}
	for _, o := range r.Outcomes {
		s.add(junitOf(run, r, o))
	}
	if r.Broken != nil {
		s.add(junitCase{Class: r.Surface, Name: "adapter", Seconds: "0", Error: &junitFault{r.Broken.Error(), r.Stderr}})
	}
	return s
}

func staleSuite(stale []runner.Stale) junitSuite {
	s := junitSuite{Name: "known-failing"}
	for _, entry := range stale {
		s.add(junitCase{Class: "known-failing", Name: entry.Known.Case, Seconds: "0", Failure: &junitFault{Message: entry.String()}})
	}
	return s
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

func junitOf(run Run, r runner.Report, o runner.Outcome) junitCase {
	c := junitCase{
		Class: r.Surface + "." + o.Case.System, Name: o.Case.ID, File: o.Case.File,
		Seconds: fmt.Sprintf("%.6f", o.Took.Seconds()),
	}
	switch {
	case o.Red():
		var b strings.Builder
		b.WriteString(Failure(r.Surface, o, run.Next(r.Surface, o.Case)))
		fault := &junitFault{Message: message(o), Text: b.String()}
		if o.Verdict == runner.Fail {
			c.Failure = fault
		} else {
			c.Error = fault
		}
	case o.Verdict != runner.Pass:
		c.Skipped = &junitFault{Message: string(o.Verdict) + reason(o)}
	}
	return c
}

func message(o runner.Outcome) string {
	if d := o.Divergence; d != nil {
		return fmt.Sprintf("expected %s, actual %s", describe(*d, d.Want), describe(*d, d.Got))
	}
	return o.Detail
}
