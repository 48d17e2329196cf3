package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/eventbroker/eventbroker/conformance/corpus"
	"github.com/eventbroker/eventbroker/conformance/report"
	"github.com/eventbroker/eventbroker/conformance/runner"
	"github.com/spf13/cobra"
)

const runLong = `Have the cases carried out on each surface, and judge what came of it.

Without --surface and --adapter, all of the project's own surfaces run; with
--adapter alone, only the adapters. A PATTERN is an id or system/id, with * and
? as in a shell; without one, all cases run.

Nothing is written of a case that passes. Of one that fails there are the steps
up to the first that diverged, what was expected and what came, what the
reference model answers there and its state, the command that runs just this
case again and, on the project's own surfaces, the one that prints it as a
program in the surface's language. At the end there is a matrix of surfaces and
systems, passed / judged, with the cases that do not apply counted as n/a.

An adapter that crashes, or does not answer in time and is killed, is started
again for the next case. After %d time-outs in a row the rest of the surface's
cases are left unjudged.

The known-failing list has a line an entry, in four columns separated by blanks:

  # case                           surface  verdict  reason
  retry-of-the-delivery-in-flight  mine     fail     retry loses the delivery

The verdict is fail, crash or timeout. Entries still run. One that passes, fails
in another way, matches nothing or is there twice makes the exit code 5.

Exit codes; of several the first in the order 2, 4, 1, 5, 3:

  0  every judged case as expected, and at least one judged on every surface
  1  a case failed, crashed or timed out
  2  usage, an invalid corpus, or a pattern that matches no case
  3  nothing failed, but something could not be judged, or nothing on a surface
  4  an adapter could not be started or broke the protocol
  5  a known failure that no longer fails as written`

const runExample = `  conform run
  conform run --surface go --surface python 'retry-*'
  conform run --adapter mine='python3 my_adapter.py' --known-failing known.txt
  conform run --cases ./my-cases --adapter mine=./adapter --junit report.xml
  conform run --shuffle            order by chance; the seed is printed
  conform run --shuffle=42         the same order again`

type runFlags struct {
	targets targets
	cases   string
	shuffle string
	known   string
	junit   string
	json    string
	verbose bool
}

func runCommand() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:     "run [PATTERN...]",
		Short:   "run the cases on every surface",
		Long:    fmt.Sprintf(runLong, runner.Patience),
		Example: runExample,
		RunE: func(cmd *cobra.Command, patterns []string) error {
			return f.run(cmd.Context(), cmd.OutOrStdout(), patterns)
		},
	}
	flags := cmd.Flags()
	f.targets.add(flags)
	flags.StringVar(&f.cases, "cases", "", "take the cases from this `FOLDER` instead of those built in")
	flags.StringVar(&f.shuffle, "shuffle", "", "run the cases in an order by chance, from this `SEED` if given")
	flags.Lookup("shuffle").NoOptDefVal = "chance"
	flags.StringVar(&f.known, "known-failing", "", "the `FILE` that lists failures expected for now")
	flags.StringVar(&f.junit, "junit", "", "write the report as JUnit's XML to this `FILE`")
	flags.StringVar(&f.json, "json", "", "write the report as JSON to this `FILE`")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "a line for every case, and every failure in full")
	return cmd
}

// A plan is what the flags come to, all of it checked before anything starts.
type plan struct {
	surfaces []runner.Surface
	cases    []corpus.Case
	ids      []string // of the whole corpus
	known    []runner.Known
	options  runner.Options
}

func (f *runFlags) run(ctx context.Context, stdout io.Writer, patterns []string) error {
	p, err := f.plan(patterns)
	if err != nil {
		return err
	}
	files, err := f.open()
	if err != nil {
		return err
	}
	run := report.Run{Next: f.next}
	if p.options.Shuffle {
		run.Seed = &p.options.Seed
		if _, err := fmt.Fprintf(stdout, "shuffled: --shuffle=%d gives the same order\n\n", p.options.Seed); err != nil {
			return err
		}
	}
	run.Reports = runner.Run(ctx, p.surfaces, p.cases, p.options)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	run.Stale = runner.Compare(p.known, run.Reports, p.ids, f.targets.names())
	run.Exit = runner.Exit(run.Reports, run.Stale)
	if err := errors.Join(report.Text(stdout, run, f.verbose), files.write(run)); err != nil {
		return err
	}
	return exitWith(run.Exit)
}

func (f *runFlags) plan(patterns []string) (p plan, err error) {
	if p.options, err = f.order(); err != nil {
		return p, err
	}
	if p.known, err = f.readKnown(); err != nil {
		return p, err
	}
	targets, err := f.targets.list()
	if err != nil {
		return p, err
	}
	for _, t := range targets {
		p.surfaces = append(p.surfaces, t.surface(f.targets.timeout))
	}
	fsys, err := caseFiles(f.cases)
	if err != nil {
		return p, err
	}
	all, err := corpus.Load(fsys)
	if err != nil {
		return p, err
	}
	for i := range all {
		p.ids = append(p.ids, all[i].ID)
		all[i].File = filepath.Join(cmp.Or(f.cases, "cases"), all[i].File) // as an editor finds it
	}
	p.cases, err = corpus.Select(all, patterns)
	if err != nil && f.shuffle == "chance" {
		err = fmt.Errorf("%w (a seed is written with an equals sign: --shuffle=42)", err)
	}
	return p, err
}

func (f *runFlags) readKnown() ([]runner.Known, error) {
	if f.known == "" {
		return nil, nil
	}
	data, err := os.ReadFile(f.known)
	if err != nil {
		return nil, err
	}
	list, err := runner.ParseKnown(string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.known, err)
	}
	return list, nil
}

func (f *runFlags) order() (runner.Options, error) {
	switch f.shuffle {
	case "":
		return runner.Options{}, nil
	case "chance":
		return runner.Options{Shuffle: true, Seed: uint64(rand.Uint32())}, nil // short enough to be typed
	}
	seed, err := strconv.ParseUint(f.shuffle, 10, 64)
	if err != nil {
		return runner.Options{}, fmt.Errorf("--shuffle: the seed %q is not a number from 0 to 2^64-1", f.shuffle)
	}
	return runner.Options{Shuffle: true, Seed: seed}, nil
}

func (f *runFlags) next(surface string, c *corpus.Case) report.Next {
	next := report.Next{Again: f.again(surface, c.ID)}
	if f.targets.given(surface) == "" {
		next.Program = asProgram(surface, f.cases, c)
	}
	return next
}

// again is the command that runs just this case again on this surface.
func (f *runFlags) again(surface, id string) string {
	command := quote(os.Args[0]) + " run " + f.targets.flag(surface)
	if f.cases != "" {
		command += " --cases " + quote(f.cases)
	}
	if f.targets.timeout != defaultTimeout {
		command += " --timeout " + f.targets.timeout.String()
	}
	return command + " " + id
}

// defaultTimeout is ample: a case takes about a millisecond, the start of an
// interpreter some seconds where a tenth of a processor is left.
const defaultTimeout = 30 * time.Second
